/** The periods of an answer as numbers, and the common time axis of the datasets shown. */
import type { components } from "../../../generated/openapi.js";
import { type Interval, intervalOf } from "../../../src/domain/extent/intervals.js";
import { isBetterCut, startOf, USUAL, yearOf } from "../service/years.js";

export type Stretch = components["schemas"]["Stretch"];

/** Milliseconds since 1970; infinite if open. */
export const intervalOfStretch = ({ start, end }: Stretch): Interval =>
  intervalOf(`[${start ?? "*"} TO ${end ?? "*"}]`) ?? { start: -Infinity, end: Infinity };

interface Tick {
  /** From 0 to 1. */
  readonly at: number;
  readonly label: string;
}

export interface TimeAxis {
  readonly start: number;
  readonly end: number;
  readonly ticks: readonly Tick[];
  /** Whether data begin before it. */
  readonly isCut: boolean;
}

/** Readable steps in years. */
const STEPS = [1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000, 2000, 5000, 10_000, 50_000];
const MAX_TICKS = 4;

/**
 * From the first to the last finite time, or from the usual years if few data begin long before; undefined if no time
 * is finite.
 */
export function timeAxis(intervals: readonly Interval[]): TimeAxis | undefined {
  let [first, last] = [Infinity, -Infinity];
  for (const { start, end } of intervals) {
    for (const time of [start, end]) {
      if (!Number.isFinite(time)) continue;
      first = Math.min(first, time);
      last = Math.max(last, time);
    }
  }
  if (first > last) return undefined;
  const [began, to] = [yearOf(first), yearOf(last - 1) + 1];
  const starts = intervals.map(({ start }) => start).filter(Number.isFinite);
  const later = starts.filter((start) => start >= startOf(USUAL.first)).length;
  const isCut = isBetterCut(began, to, later / starts.length);
  const from = isCut ? USUAL.first : began;
  const [start, end] = [startOf(from), startOf(to)];
  const step = STEPS.find((years) => (to - from) / years <= MAX_TICKS) ?? (to - from) / MAX_TICKS;
  const ticks: Tick[] = [];
  for (let year = Math.ceil(from / step) * step; year < to; year += step) {
    ticks.push({ at: (startOf(year) - start) / (end - start), label: String(Math.round(year)) });
  }
  return { start, end, ticks, isCut };
}

/** Position of an interval on the axis, 0 to 1; open ends reach its ends. */
export function placeOn({ start, end }: TimeAxis, interval: Interval): readonly [number, number] {
  const at = (time: number): number => Math.min(1, Math.max(0, (time - start) / (end - start)));
  return [at(interval.start), at(interval.end)];
}

/** Whether an interval begins before a cut axis; one with an open start does not. */
export const beginsBefore = ({ start, isCut }: TimeAxis, interval: Interval): boolean =>
  isCut && Number.isFinite(interval.start) && interval.start < start;
