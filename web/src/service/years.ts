/**
 * ISO years and milliseconds since 1970, UTC. Beyond the range of JavaScript dates, a mean year is accurate enough for
 * a drawing.
 */
import { YEAR } from "../../../src/domain/extent/durations.js";

export function yearOf(milliseconds: number): number {
  const date = new Date(milliseconds);
  return Number.isNaN(date.getTime())
    ? Math.floor(1970 + milliseconds / YEAR)
    : date.getUTCFullYear();
}

export function startOf(year: number): number {
  const date = new Date(0).setUTCFullYear(year, 0, 1);
  return Number.isNaN(date) ? (year - 1970) * YEAR : date;
}

/** The years of most data (CMIP6). */
export const USUAL = { first: 1850, last: 2100 };

/** Longest span of years that an axis always shows in full. */
const MAX_FULL_SPAN = 400;
/** Share of the data that must lie in the usual years to cut the rest off. */
const MIN_SHARE = 0.8;

/**
 * Whether an axis should begin with the usual years: data begin long before, but nearly all lie later, as with control
 * runs from year 1 beside historical runs.
 *
 * @param later share of the data in the usual years or later, 0 to 1
 */
export const isBetterCut = (first: number, last: number, later: number): boolean =>
  last - first > MAX_FULL_SPAN && first < USUAL.first && last > USUAL.first && later >= MIN_SHARE;
