/**
 * A need of a group of files, as a caller writes it: `variable_id:tas;table_id:Amon;on=source_id;from=1850;to=2014`.
 * A repeated name accepts any of its values.
 */
import { InvalidParameters, type ParameterIssue } from "../errors.js";
import { readDate, Unreadable } from "../extent/period.js";
import { allOf, anyOf, exactly } from "../search/lucene.js";
import { foldCase } from "./folded-values.js";
import { MAX_NEED_LENGTH, needParts, shown } from "./need-text.js";

/** A field and its accepted values, case-folded. */
interface NeededValue {
  readonly field: string;
  readonly values: readonly string[];
}

export interface Need {
  /** As it was written. */
  readonly text: string;
  /** Indexes of the grouping facets that a file which meets the need must share with the group. */
  readonly on: readonly number[];
  readonly values: readonly NeededValue[];
  /** Solr clause for the files that meet the need; empty if all do. */
  readonly clause: string;
  /** The period that these files must cover without a gap, as written. An open end is the files' own end. */
  readonly from?: string;
  readonly to?: string;
  /** The period in milliseconds since 1970; `end` is the first instant after it. */
  readonly start?: number;
  readonly end?: number;
}

/** Whether the files that meet the need must cover a period. */
export const isTimed = ({ start, end }: Pick<Need, "start" | "end">): boolean =>
  start !== undefined || end !== undefined;

/** Resolves the names in a need. */
interface NeedNames {
  /** The schema field of a name; undefined if it cannot be used in a need. */
  field(name: string): string | undefined;
  /** Why a name cannot be used, as a predicate. */
  unknown(name: string): string;
  /** Names of the grouping facets. */
  readonly groupBy: readonly string[];
}

function readNeed(text: string, names: NeedNames): Need {
  if (text.length > MAX_NEED_LENGTH) {
    throw new Unreadable(`must have at most ${MAX_NEED_LENGTH} characters`);
  }
  const values = new Map<string, string[]>();
  const on = new Set<number>();
  const ends: { from?: string; to?: string } = {};
  for (const part of needParts(text)) {
    if (part.option === "on") {
      for (const name of part.text.split(",").map((one) => one.trim())) {
        const facet = names.groupBy.indexOf(name);
        if (facet < 0) throw new Unreadable(`has on=${shown(name)}, which is not in group_by`);
        on.add(facet);
      }
    } else if (part.option !== undefined) {
      const { option, text: given } = part;
      if (ends[option] !== undefined) throw new Unreadable(`has ${option}= more than once`);
      ends[option] = given.trim();
    } else {
      const { name, value } = part;
      const field = names.field(name);
      if (field === undefined) {
        throw new Unreadable(`names ${shown(name)}, which ${names.unknown(name)}`);
      }
      values.set(field, [...(values.get(field) ?? []), value]);
    }
  }
  if (values.size === 0) throw new Unreadable("must contain at least one facet:value");
  return needOf(
    text,
    [...values].map(([field, all]) => ({ field, values: all })),
    on.size === 0 ? names.groupBy.map((_, facet) => facet) : [...on].sort((a, b) => a - b),
    ends,
  );
}

/** @param values as written, not case-folded */
export function needOf(
  text: string,
  values: readonly NeededValue[],
  on: readonly number[],
  ends: { readonly from?: string; readonly to?: string } = {},
): Need {
  const start = ends.from === undefined ? undefined : readDate(ends.from).start;
  const end = ends.to === undefined ? undefined : readDate(ends.to).end + 1;
  if (start !== undefined && end !== undefined && end <= start) {
    throw new Unreadable("ends before it starts");
  }
  const clauses = values.map(({ field, values: all }) =>
    anyOf(all.map((value) => exactly(field, value))),
  );
  return {
    text,
    on,
    ...ends,
    values: values.map(({ field, values: all }) => ({
      field,
      values: [...new Set(all.map((value) => foldCase(field, value)))],
    })),
    clause: allOf(clauses),
    ...(start !== undefined && { start }),
    ...(end !== undefined && { end }),
  };
}

/** All needs of a request. @throws InvalidParameters with an issue for each invalid need */
export function readNeeds(texts: readonly string[], names: NeedNames): Need[] {
  const issues: ParameterIssue[] = [];
  const needs = texts.flatMap((text) => {
    try {
      return [readNeed(text, names)];
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      issues.push({ name: "need", in: "query", reason: `${shown(text)} ${error.message}` });
      return [];
    }
  });
  if (issues.length > 0) throw new InvalidParameters(issues);
  return needs;
}
