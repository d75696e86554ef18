/** How many files there are in which years: out of the periods that a metadata search counts. */
import { intervalOf } from "../../../src/vocabulary/intervals.js";
import { yearOf } from "../service/years.js";

/** Bars of a drawing; more are not seen. */
const MAX_BARS = 120;

/** Lengths of a bar in years that people can read an axis by. */
const LENGTHS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000];

export interface Bar {
  /** Its years, the last one included. */
  readonly first: number;
  readonly last: number;
  readonly files: number;
}

export interface Histogram {
  readonly first: number;
  readonly last: number;
  readonly bars: readonly Bar[];
  /** The most files of a bar. */
  readonly most: number;
}

/** The shortest length of bars of which a few enough make up so many years. */
export const barLength = (years: number): number =>
  LENGTHS.find((length) => years / length <= MAX_BARS) ?? Math.ceil(years / MAX_BARS);

/** Periods as the index has them, each with its number of files: `[["[1850 TO 1899]", 3], ...]` */
export type Counted = readonly (readonly [period: string, files: number])[];

/**
 * @param since the first year that is looked at
 * @returns undefined where none of them is closed: of constant data
 */
export function histogramOf(counted: Counted, since = -Infinity): Histogram | undefined {
  const periods: { first: number; last: number; files: number }[] = [];
  for (const [text, files] of counted) {
    const interval = intervalOf(text.toUpperCase());
    if (interval === undefined || !Number.isFinite(interval.end - interval.start)) continue;
    const [from, to] = [yearOf(interval.start), yearOf(interval.end - 1)];
    if (to >= since) periods.push({ first: Math.max(from, since), last: to, files });
  }
  if (periods.length === 0) return undefined;
  const first = periods.reduce((least, period) => Math.min(least, period.first), Infinity);
  const last = periods.reduce((most, period) => Math.max(most, period.last), -Infinity);
  const length = barLength(last - first + 1);
  const begin = Math.floor(first / length) * length;
  const counts = new Array<number>(Math.floor((last - begin) / length) + 1).fill(0);
  // What begins and what has ended in a bar, summed up from left to right: each period costs two steps, however long it is.
  for (const { first: from, last: to, files } of periods) {
    const [start, end] = [Math.floor((from - begin) / length), Math.floor((to - begin) / length)];
    counts[start] = (counts[start] ?? 0) + files;
    if (end + 1 < counts.length) counts[end + 1] = (counts[end + 1] ?? 0) - files;
  }
  let sum = 0;
  const bars = counts.map((change, index) => {
    sum += change;
    const start = begin + index * length;
    return { first: start, last: start + length - 1, files: sum };
  });
  return { first, last, bars, most: Math.max(...bars.map(({ files }) => files)) };
}

/** Years of which a timeline shows all without asking. */
const MAX_PLAIN = 400;
/** How much of a long time must lie within a part of it for that part to be shown first. */
const NEARLY_ALL = 0.8;

/**
 * The years to show first: those from `since` on, where what is found begins long before and nearly all lies behind it, as of
 * the last millennium beside the historical runs.
 */
export function shownFirst({ first, last, bars }: Histogram, since: number): number {
  if (last - first <= MAX_PLAIN || last <= since) return first;
  const sum = (some: readonly Bar[]): number => some.reduce((all, { files }) => all + files, 0);
  const isNearlyAll = sum(bars.filter((bar) => bar.last >= since)) >= NEARLY_ALL * sum(bars);
  return isNearlyAll ? since : first;
}
