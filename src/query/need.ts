/**
 * What a group of files must have, as a caller writes it: `variable_id:tas;table_id:Amon;on=source_id;from=1850;to=2014`.
 *
 * Parts are parted by `;`. A part `name:value` asks for files that have the value; a name that stands there again, for
 * any of its values. `\` takes a `;`, `:`, `\`, `*` or `?` behind it literally; any other `\` means itself.
 */
import { InvalidParameters, type ParameterIssue } from "../errors.js";
import { readDate, Unreadable } from "../vocabulary/period.js";
import { folded } from "./folded-values.js";
import { allOf, anyOf, exactly } from "./lucene.js";

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

/** The characters that a backslash takes literally. */
const LITERAL = new Set(["\\", ";", ":", "*", "?"]);
const OPTION = /^\s*(on|from|to)\s*=(.*)$/s;
/** The longest that is looked at. */
const MAX_LENGTH = 10_000;

/** One character, and whether it stands for itself alone. */
interface Unit {
  readonly text: string;
  readonly isLiteral: boolean;
}

function units(text: string): Unit[] {
  const all: Unit[] = [];
  for (let at = 0; at < text.length; at++) {
    const [one = "", next = ""] = [text[at], text[at + 1]];
    const isEscape = one === "\\" && LITERAL.has(next);
    all.push(isEscape ? { text: next, isLiteral: true } : { text: one, isLiteral: false });
    if (isEscape) at += 1;
  }
  return all;
}

const isMark = (mark: string) => (unit: Unit) => !unit.isLiteral && unit.text === mark;

function split(text: string): Unit[][] {
  const parts: Unit[][] = [[]];
  for (const unit of units(text)) {
    if (isMark(";")(unit)) parts.push([]);
    else parts.at(-1)?.push(unit);
  }
  return parts;
}

const joined = (parts: readonly Unit[]): string => parts.map(({ text }) => text).join("");

/** A pair of a name and a value. @throws Unreadable */
function pairOf(part: readonly Unit[]): readonly [name: string, value: string] {
  const colon = part.findIndex(isMark(":"));
  if (colon < 0) throw new Unreadable(`has ${shown(joined(part))}, which is no facet:value`);
  const [name, value] = [joined(part.slice(0, colon)).trim(), part.slice(colon + 1)];
  if (value.length === 0) throw new Unreadable(`has no value of ${shown(name)}`);
  if (value.some((unit) => isMark("*")(unit) || isMark("?")(unit))) {
    throw new Unreadable(
      `has a wildcard in ${shown(joined(part))}: what is needed has one value; a backslash before * or ? takes it literally`,
    );
  }
  return [name, joined(value)];
}

const shown = (text: string): string => JSON.stringify(text.slice(0, 200));

/** One need. @throws Unreadable */
export function readNeed(text: string, names: NeedNames): Need {
  if (text.length > MAX_LENGTH) {
    throw new Unreadable(`must have at most ${MAX_LENGTH} characters`);
  }
  const values = new Map<string, string[]>();
  const on = new Set<number>();
  const ends: { from?: string; to?: string } = {};
  for (const part of split(text)) {
    const plain = joined(part);
    if (plain.trim() === "") continue;
    const [, option, given = ""] = OPTION.exec(plain) ?? [];
    if (option === "on") {
      for (const name of given.split(",").map((one) => one.trim())) {
        const place = names.groupBy.indexOf(name);
        if (place < 0) throw new Unreadable(`is on ${shown(name)}, which is not grouped by`);
        on.add(place);
      }
    } else if (option === "from" || option === "to") {
      if (ends[option] !== undefined) throw new Unreadable(`has several times ${option}=`);
      ends[option] = given.trim();
    } else {
      const [name, value] = pairOf(part);
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

/** A pair as it is written in a need. */
export const pairText = (name: string, value: string): string =>
  `${name}:${value.replace(/\\(?=[\\;:*?]|$)|[;:*?]/g, "\\$&")}`;

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
