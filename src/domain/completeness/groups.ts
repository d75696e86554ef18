/** The complete groups of a scan, the nearly complete ones, and which files belong to complete groups. */
import { groupBy } from "../../platform/group-by.js";
import type { Interval } from "../extent/intervals.js";
import { hasTerm } from "../search/lucene.js";
import { combinations } from "./combinations.js";
import { type Document, foldedValues } from "./folded-values.js";
import type { Need } from "./need.js";
import { NeedIndex } from "./needs-index.js";
import type { GroupFacet } from "./requirement.js";

/** An unmet need, by its index, and the missing periods if it has a time range. */
export interface Lack {
  readonly need: number;
  readonly gaps?: readonly Interval[];
}

export interface NearMiss {
  readonly values: readonly string[];
  readonly missing: readonly Lack[];
}

/** Filters with more values than this are not used: Solr looks up each value. */
const MAX_TERMS = 5000;

/** A subset of the facets: the complete groups by these facets, and the needs on them. */
interface Part {
  readonly on: readonly number[];
  readonly keys: ReadonlySet<string>;
  readonly needs: NeedIndex | undefined;
}

export class Groups {
  #parts: readonly Part[] | undefined;

  constructor(
    readonly groupBy: readonly GroupFacet[],
    readonly needs: readonly Need[],
    /** Facet values of each group, in lower case, sorted. */
    readonly complete: readonly (readonly string[])[],
    readonly count: number,
    /** Groups that lack the fewest needs first. */
    readonly near: readonly NearMiss[],
    /** Number of files of the complete groups; undefined if it was not counted. */
    readonly files: number | undefined,
  ) {}

  /** Approximate size in bytes. Texts of values are shared; the keys for looking up files are not. */
  get size(): number {
    const group = (values: readonly string[]): number =>
      values.reduce((sum, { length }) => sum + length + 12, 120);
    const all = this.complete.reduce((sum, values) => sum + group(values), 1000);
    return this.near.reduce(
      (sum, { values, missing }) =>
        missing.reduce((more, { gaps = [] }) => more + 8 + 64 * gaps.length, sum + group(values)),
      all,
    );
  }

  /** The fields that `has` reads. */
  get fields(): readonly string[] {
    const needs = this.#partial.flatMap((part) => part.needs?.fields ?? []);
    return [...new Set([...this.groupBy.map(({ field }) => field), ...needs])];
  }

  /** Filters that let through all files of complete groups, and possibly others. */
  get filters(): readonly string[] {
    return this.groupBy.flatMap(({ field }, facet) => {
      if (!this.needs.every(({ on }) => on.includes(facet))) return [];
      const values = [...new Set(this.complete.map((group) => group[facet] ?? ""))];
      return values.length <= MAX_TERMS ? [hasTerm(field, values)] : [];
    });
  }

  /**
   * Whether a file belongs to a complete group, or meets for one a need on fewer facets: a file shared by all members of
   * an ensemble may have a member value of its own.
   */
  has(document: Document): boolean {
    const values = this.groupBy.map(({ field }) => foldedValues(document, field));
    return this.#partial.some(({ on, keys, needs }) => {
      if (needs !== undefined && !needs.metBy(document).some((word) => word !== 0)) return false;
      for (const group of combinations(on.map((facet) => values[facet] ?? []))) {
        if (keys.has(JSON.stringify(group))) return true;
      }
      return false;
    });
  }

  get #partial(): readonly Part[] {
    this.#parts ??= this.#makeParts();
    return this.#parts;
  }

  #makeParts(): readonly Part[] {
    const whole = this.groupBy.map((_, facet) => facet);
    const partial = this.needs.filter(({ on }) => on.length < whole.length);
    const byFacets = groupBy(partial, ({ on }) => on.join());
    const keys = (on: readonly number[]) =>
      new Set(this.complete.map((group) => JSON.stringify(on.map((facet) => group[facet]))));
    return [
      { on: whole, keys: keys(whole), needs: undefined },
      ...[...byFacets.values()].map((needs) => {
        const on = needs[0]?.on ?? [];
        return { on, keys: keys(on), needs: new NeedIndex(needs) };
      }),
    ];
  }
}
