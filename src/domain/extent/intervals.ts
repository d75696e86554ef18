/** Intervals of time: those of documents, what they cover together, and what they leave open. */
import { DAY, SECOND } from "./durations.js";
import { pointsOf } from "./period.js";

/** In milliseconds since 1970, UTC; infinite where it is open. `end` is the first moment that it does not have. */
export interface Interval {
  readonly start: number;
  readonly end: number;
}

/** ISO's calendar begins anew after so many years, which have so many days. */
const CYCLE = { years: 400, days: 146_097 };

const POINT = /^([+-]?\d+)(-.*Z)$/;

/** A point of `pointsOf`, whose years may lie beyond those of JavaScript's dates. */
function moment(point: string): number {
  const [, year = "", rest = ""] = POINT.exec(point) ?? [];
  const cycles = Math.floor((Number(year) - 2000) / CYCLE.years);
  const near = String(Number(year) - cycles * CYCLE.years);
  return Date.parse(near + rest) + cycles * CYCLE.days * DAY;
}

/** What an end is the last one of: a second, or a millisecond where it has a fraction. */
const lastUnit = (point: string): number => (point.includes(".") ? 1 : SECOND);

/**
 * The interval of a document's `time` as the index has it: constant data are there at every time.
 *
 * @returns undefined for what cannot be read
 */
export function intervalOf(range: string): Interval | undefined {
  if (range === "*") return { start: -Infinity, end: Infinity };
  const { start: first, end: last } = pointsOf(range);
  if (first === undefined && !range.startsWith("[* ")) return undefined;
  if (last === undefined && !range.endsWith(" *]")) return undefined;
  const start = first === undefined ? -Infinity : moment(first);
  const end = last === undefined ? Infinity : moment(last) + lastUnit(last);
  return start < end ? { start, end } : undefined;
}

/**
 * What intervals cover together: disjoint ones, one after the other.
 *
 * @param tolerance milliseconds between two that count as covered
 */
export function united(intervals: Iterable<Interval>, tolerance = 0): Interval[] {
  const sorted = [...intervals].sort((a, b) => (a.start < b.start ? -1 : 1));
  const whole: Interval[] = [];
  for (const next of sorted) {
    const last = whole.at(-1);
    if (last === undefined || next.start > last.end + tolerance) whole.push(next);
    else if (next.end > last.end) whole[whole.length - 1] = { start: last.start, end: next.end };
  }
  return whole;
}

/** Milliseconds that intervals cover together: what several have counts once. */
export const coveredBy = (intervals: Iterable<Interval>): number =>
  united(intervals).reduce((sum, { start, end }) => sum + (end - start), 0);

/**
 * What intervals leave open of another one.
 *
 * @param tolerance milliseconds up to which a gap is none, also at the two ends
 */
export function gapsWithin(
  intervals: Iterable<Interval>,
  within: Interval,
  tolerance = 0,
): Interval[] {
  const gaps: Interval[] = [];
  let reached = within.start;
  const end = { start: within.end, end: within.end };
  for (const next of [...united(intervals), end]) {
    const start = Math.min(next.start, within.end);
    if (start - reached > tolerance) gaps.push({ start: reached, end: start });
    reached = Math.max(reached, next.end);
    if (reached >= within.end) break;
  }
  return gaps;
}
