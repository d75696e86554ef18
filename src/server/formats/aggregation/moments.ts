/** Points of time as answers tell them. */
import type { Interval } from "../../../domain/extent/intervals.js";
import { solrDate } from "../../../domain/extent/period.js";

/** JavaScript's dates end there. */
const MAX_DATE = 8.64e15;

/** ISO 8601, UTC; null of what is open, or no date of JavaScript. @param milliseconds since 1970 */
export function moment(milliseconds: number): string | null {
  if (!Number.isFinite(milliseconds) || Math.abs(milliseconds) > MAX_DATE) return null;
  return solrDate(milliseconds).replace(/\.000Z$/, "Z");
}

/** The last moment that an interval has; a whole second where it reaches to the end of one. */
export const lastMoment = ({ end }: Interval): string | null =>
  moment(end - 1)?.replace(/\.999Z$/, "Z") ?? null;

/** From its first to its last moment. */
export const stretch = (interval: Interval) => ({
  start: moment(interval.start),
  end: lastMoment(interval),
});
