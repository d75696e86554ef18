/** Years of ISO's calendar, and moments in milliseconds since 1970, UTC. Beyond JavaScript's dates the mean year is near enough for a drawing. */
import { YEAR } from "../../../src/domain/extent/durations.js";

/** The year in which a moment lies. */
export function yearOf(milliseconds: number): number {
  const date = new Date(milliseconds);
  return Number.isNaN(date.getTime())
    ? Math.floor(1970 + milliseconds / YEAR)
    : date.getUTCFullYear();
}

/** Where a year begins. */
export function startOf(year: number): number {
  const date = new Date(0).setUTCFullYear(year, 0, 1);
  return Number.isNaN(date) ? (year - 1970) * YEAR : date;
}

/** The years that most data are of: those of CMIP6. */
export const USUAL = { first: 1850, last: 2100 };

/** Years of which an axis shows all without asking. */
const MAX_PLAIN = 400;
/** How much of a long time must lie within a part of it for that part to be shown first. */
const NEARLY_ALL = 0.8;

/**
 * Whether an axis had better begin with the usual years: what there is begins long before, and nearly all lies behind, as of
 * control runs from the year 1 on beside the historical ones.
 *
 * @param later how much of it lies behind, from 0 to 1
 */
export const isBetterCut = (first: number, last: number, later: number): boolean =>
  last - first > MAX_PLAIN && first < USUAL.first && last > USUAL.first && later >= NEARLY_ALL;
