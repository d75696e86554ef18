/** Years of ISO's calendar, and moments in milliseconds since 1970, UTC. Beyond JavaScript's dates the mean year is near enough for a drawing. */
import { YEAR } from "../../../src/vocabulary/durations.js";

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
