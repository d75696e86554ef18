/**
 * What a group of files must have, as a caller writes it: `variable_id:tas;table_id:Amon;on=source_id;from=1850;to=2014`.
 * A name that stands there again asks for any of its values.
 */
import { InvalidParameters, type ParameterIssue } from "../errors.js";
import { readDate, Unreadable } from "../extent/period.js";
import { allOf, anyOf, exactly } from "../search/lucene.js";
import { folded } from "./folded-values.js";
import { MAX_NEED_LENGTH, needParts, shown } from "./need-text.js";

/** A field, and the values of which a file must have one, as they are compared. */
export interface NeededValue {
  readonly field: string;
  readonly values: readonly string[];
}

export interface Need {
  /** As it was written. */
  readonly text: string;
  /** The facets of the groups, by their places, that files which meet it must share with the group. */
  readonly on: readonly number[];
  readonly values: readonly NeededValue[];
  /** Holds for the files that meet it; empty where all do. */
  readonly clause: string;
  /** The period that these must cover without a gap, as it was written; an end that is left out is that of the files. */
  readonly from?: string;
  readonly to?: string;
  /** The same in milliseconds since 1970; the end is the first moment behind it. */
  readonly start?: number;
  readonly end?: number;
}

/** Whether files that meet it must cover a period. */
export const isTimed = ({ start, end }: Pick<Need, "start" | "end">): boolean =>
  start !== undefined || end !== undefined;

/** What names in a need mean. */
export interface NeedNames {
  /** The field of what files can be needed to have; undefined for any other name. */
  field(name: string): string | undefined;
  /** Why it is none, as a predicate of it. */
  unknown(name: string): string;
  /** The facets of the groups. */
  readonly groupBy: readonly string[];
}

/** One need. @throws Unreadable */
export function readNeed(text: string, names: NeedNames): Need {
  if (text.length > MAX_NEED_LENGTH) {
    throw new Unreadable(`must have at most ${MAX_NEED_LENGTH} characters`);
  }
  const values = new Map<string, string[]>();
  const on = new Set<number>();
  const ends: { from?: string; to?: string } = {};
  for (const part of needParts(text)) {
    if (part.option === "on") {
      for (const name of part.text.split(",").map((one) => one.trim())) {
        const place = names.groupBy.indexOf(name);
        if (place < 0) throw new Unreadable(`is on ${shown(name)}, which is not grouped by`);
        on.add(place);
      }
    } else if (part.option !== undefined) {
      const { option, text: given } = part;
      if (ends[option] !== undefined) throw new Unreadable(`has several times ${option}=`);
      ends[option] = given.trim();
    } else {
      const { name, value } = part;
      const field = names.field(name);
      if (field === undefined)
        throw new Unreadable(`has ${shown(name)}, which ${names.unknown(name)}`);
      values.set(field, [...(values.get(field) ?? []), value]);
    }
  }
  if (values.size === 0) throw new Unreadable("has no facet:value");
  return needOf(
    text,
    [...values].map(([field, all]) => ({ field, values: all })),
    on.size === 0 ? names.groupBy.map((_, place) => place) : [...on].sort((a, b) => a - b),
    ends,
  );
}

/** @param values as they were written @throws Unreadable */
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
    ...{ text, on, ...ends },
    values: values.map(({ field, values: all }) => ({
      field,
      values: [...new Set(all.map((value) => folded(field, value)))],
    })),
    clause: allOf(clauses),
    ...(start !== undefined && { start }),
    ...(end !== undefined && { end }),
  };
}

/** Several needs. @throws InvalidParameters that tells of each what is wrong with it */
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
