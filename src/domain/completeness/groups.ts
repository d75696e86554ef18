/** Groups of files that are complete, those that lack little, and which files are of the former. */
import type { Interval } from "../extent/intervals.js";
import { hasTerm } from "../search/lucene.js";
import { combinations } from "./combinations.js";
import { type Document, foldedValues } from "./folded-values.js";
import type { Need } from "./need.js";
import { NeedsMet } from "./needs-index.js";
import type { GroupFacet } from "./requirement.js";

/** A need, by its place, that a group does not meet, and the periods that are missing. */
export interface Lack {
  readonly need: number;
  readonly gaps?: readonly Interval[];
}

export interface NearMiss {
  readonly values: readonly string[];
  readonly missing: readonly Lack[];
}

/** More values of a facet than this are no filter: Solr has to look up each. */
const MAX_TERMS = 5000;

/** Some of the facets, and complete groups by these; the needs that are on them. */
interface Part {
  readonly on: readonly number[];
  readonly keys: ReadonlySet<string>;
  readonly met: NeedsMet | undefined;
}

export class Groups {
  #parts: readonly Part[] | undefined;

  constructor(
    readonly groupBy: readonly GroupFacet[],
    readonly needs: readonly Need[],
    /** Values of the facets, in lower case and sorted. */
    readonly complete: readonly (readonly string[])[],
    readonly count: number,
    /** Those that lack the fewest needs first. */
    readonly near: readonly NearMiss[],
    /** How many files of the search the complete groups have; undefined where that was not counted. */
    readonly files: number | undefined,
  ) {}

  /** More or less how many bytes it takes to keep this: texts of values are shared, but not those by which files are looked up. */
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

  /** The fields by which it is told whether a file is of a complete group. */
  get fields(): readonly string[] {
    const needs = this.#partial.flatMap(({ met }) => met?.fields ?? []);
    return [...new Set([...this.groupBy.map(({ field }) => field), ...needs])];
  }

  /** Filters that let through all files of complete groups, and some others. */
  get filters(): readonly string[] {
    return this.groupBy.flatMap(({ field }, place) => {
      if (!this.needs.every(({ on }) => on.includes(place))) return [];
      const values = [...new Set(this.complete.map((group) => group[place] ?? ""))];
      return values.length <= MAX_TERMS ? [hasTerm(field, values)] : [];
    });
  }

  /**
   * Whether a file is of a complete group, or meets for one a need that is on fewer facets: what is the same for all members
   * may have a member of its own.
   */
  has(document: Document): boolean {
    const values = this.groupBy.map(({ field }) => foldedValues(document, field));
    return this.#partial.some(({ on, keys, met }) => {
      if (met !== undefined && !met.by(document).some((word) => word !== 0)) return false;
      for (const group of combinations(on.map((place) => values[place] ?? []))) {
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
    const whole = this.groupBy.map((_, place) => place);
    const partial = this.needs.filter(({ on }) => on.length < whole.length);
    const byPlaces = new Map<string, Need[]>();
    for (const need of partial) {
      const places = need.on.join();
      byPlaces.set(places, [...(byPlaces.get(places) ?? []), need]);
    }
    const keys = (on: readonly number[]) =>
      new Set(this.complete.map((group) => JSON.stringify(on.map((place) => group[place]))));
    return [
      { on: whole, keys: keys(whole), met: undefined },
      ...[...byPlaces.values()].map((needs) => {
        const on = needs[0]?.on ?? [];
        return { on, keys: keys(on), met: new NeedsMet(needs) };
      }),
    ];
  }
}
