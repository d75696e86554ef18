/** Whether the times of a file are those that its path tells. */
import { readPeriod, Unreadable } from "../../domain/extent/period.js";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Milliseconds of a step, by the letters of a frequency. */
const STEPS: readonly (readonly [RegExp, number])[] = [
  [/^dec/, 3660 * DAY],
  [/yr/, 366 * DAY],
  [/sem/, 92 * DAY],
  [/mon/, 31 * DAY],
  [/day/, DAY],
  [/^subhr/, HOUR],
  [/hr/, HOUR],
  [/min/, MINUTE],
];

/** Of what has no frequency that is known. */
const UNKNOWN_STEP = 1.5 * DAY;
/** Times may stand at the beginning of their steps, and names be cut off there. */
const SHARE = 1.1;

/**
 * A line that tells both, where an end of the one is more than a step away from that of the other.
 *
 * @param named as the file's name has it, and `found` as its times have it: `[A TO B]`
 */
export function periodNote(named: string, found: string, frequency: string): string | undefined {
  const step = STEPS.find(([letters]) => letters.test(frequency))?.[1] ?? UNKNOWN_STEP;
  const count = Math.max(Number(/^\d{1,3}/.exec(frequency)?.[0] ?? 1), 1);
  const slack = step * count * SHARE;
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

/** A line that tells both, where the steps between the times are not those of the frequency that is stated. */
export function frequencyNote(
  stated: string | readonly string[] | undefined,
  found: string,
): string | undefined {
  if (stated === undefined) return undefined;
  // Labels tell more than a step: 6hrPt, daypt, monC; and below an hour nothing of it.
  const isSame = [stated]
    .flat()
    .some((label) => /^subhr/.test(label) || kindOf(label) === kindOf(found));
  return isSame
    ? undefined
    : `time_frequency: it is said to be ${[stated].flat().join(", ")}, its times are ${found} apart`;
}

const kindOf = (label: string): string =>
  /^\d{0,3}(?:fx|dec|yr|sem|mon|day|hr|min)/i
    .exec(label)?.[0]
    .toLowerCase()
    .replace(/^1(?=[a-z])/, "") ?? label;

const bare = (period: string): string => period.replace(/^\[|\]$/g, "").replaceAll(":00Z", "Z");
