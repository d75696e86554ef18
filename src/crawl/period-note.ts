/** Whether the time range in a file's name is that of its times. */
import { readPeriod, Unreadable } from "../vocabulary/period.js";

const DAY = 86_400_000;
/** Milliseconds of a step, by the letters of a frequency. */
const STEPS: readonly (readonly [RegExp, number])[] = [
  [/^dec/, 3660 * DAY],
  [/yr/, 366 * DAY],
  [/sem/, 92 * DAY],
  [/mon/, 31 * DAY],
  [/day/, DAY],
];

/** The least that names and times may be apart: dates in names are cut off, calendars have other days. */
const LEAST = 1.5 * DAY;

/**
 * A line that tells both, where an end of the one is more than a step away from that of the other.
 *
 * @param named as the file's name has it, and `found` as its times have it: `[A TO B]`
 */
export function periodNote(named: string, found: string, frequency: string): string | undefined {
  const step = STEPS.find(([letters]) => letters.test(frequency))?.[1] ?? 0;
  const count = Number(/^\d{1,3}/.exec(frequency)?.[0] ?? 1);
  const slack = Math.max(step * Math.max(count, 1), LEAST);
  try {
    const name = readPeriod(named);
    const times = readPeriod(found);
    const apart = (a: number | undefined, b: number | undefined): boolean =>
      Math.abs((a ?? Number.NEGATIVE_INFINITY) - (b ?? Number.NEGATIVE_INFINITY)) > slack;
    if (!apart(name.start, times.start) && !apart(name.end, times.end)) return undefined;
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    return undefined;
  }
  return `time: the file name says ${bare(named)}, its times ${bare(found)}`;
}

const bare = (period: string): string => period.replace(/^\[|\]$/g, "").replaceAll(":00Z", "Z");
