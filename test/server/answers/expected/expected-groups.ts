/** Which groups of documents are complete, by looking at each group, each need and each day. */
import { readDate } from "../../../../src/domain/extent/period.js";
import type { Condition, Known, Meant } from "../../../support/data/known-documents.js";

const DAY = 24 * 3600 * 1000;

/** What a group must have. */
export interface Needed {
  /** Values by native names, of which a file must have one each. */
  readonly values: ReadonlyMap<string, readonly string[]>;
  /** Places of facets of the groups. */
  readonly on: readonly number[];
  /** An end that is left out is that of the files. */
  readonly period?: { readonly from?: string; readonly to?: string };
}

export interface Gap {
  readonly from: string | null;
  readonly to: string | null;
}

/** What a group lacks of a need, by its place. */
export interface Missing {
  readonly need: number;
  readonly gaps?: readonly Gap[];
}

export interface Group {
  readonly values: readonly string[];
  readonly missing: readonly Missing[];
}

const meets = ({ values: has }: Known, { values }: Needed): boolean =>
  [...values].every(([native, wanted]) =>
    wanted.some((one) => has.get(native)?.includes(one.toLowerCase())),
  );

/** Every group that a document belongs to. */
const groupsOf = ({ values }: Known, facets: readonly string[]): string[][] =>
  facets.reduce<string[][]>(
    (groups, facet) =>
      groups.flatMap((group) => (values.get(facet) ?? []).map((value) => [...group, value])),
    [[]],
  );

const dayOf = (year: number, month: number): number => Date.UTC(year, month, 1) / DAY;

/** The first and the last day that a document stands for: whole months of what is monthly, years of what is yearly. */
function daysOf({ period, values }: Known): readonly [first: number, last: number] | undefined {
  if (period === undefined) return undefined;
  const { start = -Infinity, end = Infinity } = period;
  const [frequency] = values.get("time_frequency") ?? [];
  const whole = (time: number, more: 0 | 1): number => {
    const [year, month] = [new Date(time).getUTCFullYear(), new Date(time).getUTCMonth()];
    if (!Number.isFinite(time)) return time;
    if (frequency === "mon") return dayOf(year, month + more) - more;
    if (frequency === "yr") return dayOf(year + more, 0) - more;
    const day = Math.floor(time / DAY);
    const next = new Date((day + 1) * DAY);
    // Calendars of 360 days and without leap days end a day earlier.
    const isLacking = next.getUTCDate() === 31 || /-02-29T/.test(next.toISOString());
    return more === 1 && isLacking ? day + 1 : day;
  };
  return [whole(start, 0), whole(end, 1)];
}

const isoTime = (time: number): string => new Date(time).toISOString().replace(".000Z", "Z");
const firstOf = (day: number): string => isoTime(day * DAY);
const lastOf = (day: number): string => isoTime((day + 1) * DAY - 1000);

/** The periods that documents leave open. */
function gaps(documents: readonly Known[], { from, to }: NonNullable<Needed["period"]>): Gap[] {
  const days = documents.map(daysOf).filter((one) => one !== undefined);
  const begin = from === undefined ? undefined : readDate(from).start / DAY;
  const end = to === undefined ? undefined : Math.floor(readDate(to).end / DAY);
  const all = {
    from: begin === undefined ? null : firstOf(begin),
    to: end === undefined ? null : lastOf(end),
  };
  const low = begin ?? Math.min(...days.map(([first]) => first));
  const high = end ?? Math.max(...days.map(([, last]) => last));
  if (days.length === 0 || low > high) return [all];
  if (days.some(([first, last]) => first <= low && last >= high)) return [];
  const found: Gap[] = [];
  let open: number | undefined;
  for (let day = low; day <= high + 1; day++) {
    const isOpen = day <= high && !days.some(([first, last]) => day >= first && day <= last);
    if (isOpen) open ??= day;
    else if (open !== undefined) {
      found.push({ from: firstOf(open), to: lastOf(day - 1) });
      open = undefined;
    }
  }
  return found;
}

/** Every group of documents, with what it lacks. */
export function groups(
  documents: readonly Known[],
  facets: readonly string[],
  needs: readonly Needed[],
  isOfAll: boolean,
): Group[] {
  const meeting = documents.filter((one) => needs.some((need) => meets(one, need)));
  const all = new Map(
    (isOfAll ? documents : meeting)
      .flatMap((one) => groupsOf(one, facets))
      .map((values) => [JSON.stringify(values), values]),
  );
  return [...all.values()].map((values) => {
    const missing = needs.flatMap((need, place): Missing[] => {
      const its = meeting.filter(
        (one) =>
          meets(one, need) &&
          need.on.every((facet) =>
            one.values.get(facets[facet] ?? "")?.includes(values[facet] ?? ""),
          ),
      );
      if (need.period === undefined) return its.length > 0 ? [] : [{ need: place }];
      const open = gaps(its, need.period);
      return open.length > 0 ? [{ need: place, gaps: open }] : [];
    });
    return { values, missing };
  });
}

/** The documents of complete groups, and those that meet for one a need which is on fewer facets. */
export function ofComplete(
  documents: readonly Known[],
  facets: readonly string[],
  needs: readonly Needed[],
  all: readonly Group[],
): Known[] {
  const complete = all.filter(({ missing }) => missing.length === 0);
  const isOf = (one: Known, on: readonly number[]): boolean =>
    complete.some(({ values }) =>
      on.every((facet) => one.values.get(facets[facet] ?? "")?.includes(values[facet] ?? "")),
    );
  const every = facets.map((_, place) => place);
  return documents.filter(
    (one) => isOf(one, every) || needs.some((need) => meets(one, need) && isOf(one, need.on)),
  );
}

/** Values that are searched for by name, as intake-esm's `require_all_on` takes them: each combination is needed. */
export function everyCombination(
  { conditions }: Pick<Meant, "conditions">,
  facets: readonly string[],
): Needed[] {
  const on = facets.map((_, place) => place);
  const notNamed = ["time", "bbox", "retracted", "user"];
  const named = conditions.filter(
    ({ native, isExcluded }) =>
      !(isExcluded || facets.includes(native) || notNamed.includes(native)),
  );
  const choices = named.flatMap(({ native, values }: Condition) => {
    const literal = values
      .filter((value) => !/(?<!\\)[*?]/.test(value))
      .map((value) => value.replace(/\\([*?])/g, "$1").toLowerCase());
    return literal.length === 0 ? [] : [{ native, values: [...new Set(literal)] }];
  });
  if (choices.length === 0) return [];
  const combined = choices.reduce<(readonly [string, readonly string[]])[][]>(
    (all, { native, values }) =>
      all.flatMap((pairs) => values.map((value) => [...pairs, [native, [value]] as const])),
    [[]],
  );
  return combined.map((pairs) => ({ values: new Map(pairs), on }));
}

/** A need as the answer writes it, to be told apart from others: its values by the names of the search. */
export function readNeedText(text: string): string {
  const parts: string[] = [""];
  for (const [unit] of text.matchAll(/\\[\\;:*?]|./gsu)) {
    if (unit === ";") parts.push("");
    else parts[parts.length - 1] += unit.length > 1 && unit.startsWith("\\") ? unit.slice(1) : unit;
  }
  return JSON.stringify(parts.sort());
}
