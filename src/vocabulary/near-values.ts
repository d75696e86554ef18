/** Values that somebody may have meant who wrote another one. */
import { lowerCase } from "./lower-case.js";
import { editDistance } from "./nearest.js";

/** A value, and with how many documents. */
export interface CountedValue {
  readonly value: string;
  readonly count: number;
}

/** Slips between two values that are near each other. */
const MAX_SLIPS = 2;
/** A shorter text begins too many values. */
const MIN_PREFIX = 2;
/** Of longer texts only so much is compared. */
const MAX_LENGTH = 64;

/** Letters and digits alone, as spellings differ in what stands between them. */
const bare = (text: string): string => text.replaceAll(/[-_.\s]/g, "");

/** How far a value is from what was written, 0 for the nearest; undefined for what is not near. */
function distance(written: string, value: string): number | undefined {
  if (bare(written) === bare(value)) return 0;
  const isBeginning = written.length >= MIN_PREFIX && value.startsWith(written);
  const begins = value.length >= MIN_PREFIX && written.startsWith(value);
  if (isBeginning || begins) return 1 + Math.abs(written.length - value.length) / MAX_LENGTH / 2;
  // Of a short text two slips are another text.
  const most = Math.min(MAX_SLIPS, Math.floor(written.length / 2));
  const slips = editDistance(written.slice(0, MAX_LENGTH), value.slice(0, MAX_LENGTH), most);
  return slips <= most ? 1 + slips : undefined;
}

/**
 * The values that are near what was written: the same but for `-`, `_`, `.`, blanks and case; longer or shorter ones that
 * begin alike; those of two slips at the most.
 *
 * @param limit how many at the most; nearest first, of those the most frequent
 */
export function nearValues(
  written: string,
  known: readonly CountedValue[],
  limit: number,
): CountedValue[] {
  const text = lowerCase(written);
  return known
    .flatMap((one) => {
      const far = distance(text, lowerCase(one.value));
      return far === undefined ? [] : [{ ...one, far }];
    })
    .sort((a, b) => a.far - b.far || b.count - a.count || (a.value < b.value ? -1 : 1))
    .slice(0, limit)
    .map(({ value, count }) => ({ value, count }));
}
