/** Compares the times in a file with those in its path. */
import { DAY, HOUR, MINUTE } from "../../../domain/extent/durations.js";
import { readPeriod, Unreadable } from "../../../domain/extent/period.js";

/** Milliseconds of a step, by the frequency's letters. */
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

/** Used for unknown frequencies. */
const UNKNOWN_STEP = 1.5 * DAY;
/** Tolerance: times may be labels at the start of a step, and names may be truncated there. */
const SHARE = 1.1;

/**
 * A note if the two periods differ by more than a step at either end.
 *
 * @param named `[A TO B]` from the file's name, and `found` from its times
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
  return `time: the file name says ${bare(named)}, its times ${bare(found)}; stored are its times`;
}

/** A note if the distance between the times does not fit the stated frequency. */
export function frequencyNote(
  stated: string | readonly string[] | undefined,
  found: string,
): string | undefined {
  if (stated === undefined) return undefined;
  // A label can be more specific than a step (6hrPt, daypt, monC). Steps below an hour have one label.
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
