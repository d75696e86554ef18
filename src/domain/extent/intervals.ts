/** Intervals of time, their union and the gaps between them. */
import { DAY, SECOND } from "./durations.js";
import { pointsOf } from "./period.js";

/** Milliseconds since 1970, UTC; infinite ends are open. `end` is the first instant after the interval. */
export interface Interval {
  readonly start: number;
  readonly end: number;
}

/** The ISO calendar repeats after this many years and days. */
const CYCLE = { years: 400, days: 146_097 };

const POINT = /^([+-]?\d+)(-.*Z)$/;

/** Milliseconds of a point of `pointsOf`, whose year may exceed the range of JavaScript dates. */
function instant(point: string): number {
  const [, year = "", rest = ""] = POINT.exec(point) ?? [];
  const cycles = Math.floor((Number(year) - 2000) / CYCLE.years);
  const near = String(Number(year) - cycles * CYCLE.years);
  return Date.parse(near + rest) + cycles * CYCLE.days * DAY;
}

/** Length of the unit that an end includes: a second, or a millisecond if it has a fraction. */
const lastUnit = (point: string): number => (point.includes(".") ? 1 : SECOND);

/**
 * The interval of a document's `time` as the index stores it; `*` is constant data, valid at all times.
 *
 * @returns undefined for unreadable text
 */
export function intervalOf(range: string): Interval | undefined {
  if (range === "*") return { start: -Infinity, end: Infinity };
  const { start: first, end: last } = pointsOf(range);
  if (first === undefined && !range.startsWith("[* ")) return undefined;
  if (last === undefined && !range.endsWith(" *]")) return undefined;
  const start = first === undefined ? -Infinity : instant(first);
  const end = last === undefined ? Infinity : instant(last) + lastUnit(last);
  return start < end ? { start, end } : undefined;
}

/** The union of intervals: disjoint, in order. */
export function united(intervals: Iterable<Interval>): Interval[] {
  const sorted = [...intervals].sort((a, b) => (a.start < b.start ? -1 : 1));
  const whole: Interval[] = [];
  for (const next of sorted) {
    const last = whole.at(-1);
    if (last === undefined || next.start > last.end) whole.push(next);
    else if (next.end > last.end) whole[whole.length - 1] = { start: last.start, end: next.end };
  }
  return whole;
}

/** Milliseconds covered by at least one interval. */
export const coveredBy = (intervals: Iterable<Interval>): number =>
  united(intervals).reduce((sum, { start, end }) => sum + (end - start), 0);

/** The parts of `within` that the intervals do not cover. */
export function gapsWithin(intervals: Iterable<Interval>, within: Interval): Interval[] {
  const gaps: Interval[] = [];
  let reached = within.start;
  const end = { start: within.end, end: within.end };
  for (const next of [...united(intervals), end]) {
    const start = Math.min(next.start, within.end);
    if (start > reached) gaps.push({ start: reached, end: start });
    reached = Math.max(reached, next.end);
    if (reached >= within.end) break;
  }
  return gaps;
}
