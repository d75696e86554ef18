/** Formats points in time for answers. */
import { MAX_DATE } from "../../../domain/extent/durations.js";
import type { Interval } from "../../../domain/extent/intervals.js";
import { solrDate } from "../../../domain/extent/period.js";

/** ISO 8601 in UTC; null if open or beyond JavaScript's dates. @param milliseconds since 1970 */
export function timestamp(milliseconds: number): string | null {
  if (!Number.isFinite(milliseconds) || Math.abs(milliseconds) > MAX_DATE) return null;
  return solrDate(milliseconds).replace(/\.000Z$/, "Z");
}

/** The last timestamp of an interval; a whole second if the interval ends with one. */
export const lastTimestamp = ({ end }: Interval): string | null =>
  timestamp(end - 1)?.replace(/\.999Z$/, "Z") ?? null;

/** From its first to its last timestamp. */
export const stretch = (interval: Interval) => ({
  start: timestamp(interval.start),
  end: lastTimestamp(interval),
});
