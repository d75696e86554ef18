/** Suggests values for a searched value that does not exist. */
import { lowerCase } from "./case-folding.js";
import { editDistance } from "./nearest-names.js";

/** A value, and how many documents have it. */
export interface CountedValue {
  readonly value: string;
  readonly count: number;
}

/** The most frequent values of a field are compared here; Solr searches the others. */
export const MAX_KNOWN = 5000;
/** Shorter texts are the prefix of too many values. */
export const MIN_PREFIX = 2;
/** Longer texts get no suggestions. */
export const MAX_NEAR_LENGTH = 200;

/** Letters and digits without separators. @param text in lower case */
export const lettersOf = (text: string): string => text.replaceAll(/[-_.\s]/g, "");

/** Largest edit distance between a text and a similar one: two changes make a short text another one. */
export const slipsIn = ({ length }: string): 0 | 1 | 2 => (length < 2 ? 0 : length < 4 ? 1 : 2);

/** Distance from the searched text, 0 for the nearest; undefined for values that are not similar. */
function distance(
  written: string,
  letters: string,
  value: string,
  maxDistance: number,
): number | undefined {
  if (value.length > MAX_NEAR_LENGTH) return undefined;
  if (letters !== "" && letters === lettersOf(value)) return 0;
  const isPrefix = written.length >= MIN_PREFIX && value.startsWith(written);
  const hasPrefix = value.length >= MIN_PREFIX && written.startsWith(value);
  const difference = Math.abs(written.length - value.length);
  if (isPrefix || hasPrefix) return 1 + difference / MAX_NEAR_LENGTH;
  const edits = editDistance(written, value, maxDistance);
  return edits <= maxDistance ? 1 + edits : undefined;
}

/**
 * The values similar to a text: equal except for separators and case, a prefix of it or it of them, or within the edit
 * distance of `slipsIn`. The nearest first, then the most frequent.
 *
 * @param slips the largest edit distance, by the text in lower case
 */
export function nearValues<T extends CountedValue>(
  written: string,
  known: readonly T[],
  limit: number,
  slips: (text: string) => number = slipsIn,
): T[] {
  const text = lowerCase(written);
  if (text.length > MAX_NEAR_LENGTH) return [];
  const letters = lettersOf(text);
  const maxDistance = slips(text);
  return known
    .flatMap((one) => {
      const far = distance(text, letters, lowerCase(one.value), maxDistance);
      return far === undefined ? [] : [{ one, far }];
    })
    .sort(
      (a, b) => a.far - b.far || b.one.count - a.one.count || (a.one.value < b.one.value ? -1 : 1),
    )
    .slice(0, limit)
    .map(({ one }) => one);
}
