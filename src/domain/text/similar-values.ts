/** Values that somebody may have meant who wrote another one. */
import { lowerCase } from "./case-folding.js";
import { editDistance } from "./nearest-names.js";

/** A value, and with how many documents. */
export interface CountedValue {
  readonly value: string;
  readonly count: number;
}

/** Values of a field, the most frequent, that are looked through; what there is beyond them the index itself is asked for. */
export const MAX_KNOWN = 5000;
/** A shorter text begins too many values. */
export const MIN_PREFIX = 2;
/** Longer texts have no near ones. */
export const MAX_NEAR_LENGTH = 200;

/** Letters and digits alone, as spellings differ in what stands between them. @param text in lower case */
export const lettersOf = (text: string): string => text.replaceAll(/[-_.\s]/g, "");

/** Slips between a text and what is near it: of a short text two make another one. */
export const slipsIn = ({ length }: string): 0 | 1 | 2 => (length < 2 ? 0 : length < 4 ? 1 : 2);

/** How far a value is from what was written, 0 for the nearest; undefined for what is not near. */
function distance(written: string, letters: string, value: string): number | undefined {
  if (value.length > MAX_NEAR_LENGTH) return undefined;
  if (letters !== "" && letters === lettersOf(value)) return 0;
  const isBeginning = written.length >= MIN_PREFIX && value.startsWith(written);
  const begins = value.length >= MIN_PREFIX && written.startsWith(value);
  const longer = Math.abs(written.length - value.length);
  if (isBeginning || begins) return 1 + longer / MAX_NEAR_LENGTH;
  const most = slipsIn(written);
  const slips = editDistance(written, value, most);
  return slips <= most ? 1 + slips : undefined;
}

/**
 * The values that are near what was written: the same but for `-`, `_`, `.`, blanks and case; longer or shorter ones that
 * begin alike; those of two slips at the most.
 *
 * @param limit how many at the most; nearest first, of those the most frequent
 */
export function nearValues<T extends CountedValue>(
  written: string,
  known: readonly T[],
  limit: number,
): T[] {
  const text = lowerCase(written);
  if (text.length > MAX_NEAR_LENGTH) return [];
  const letters = lettersOf(text);
  return known
    .flatMap((one) => {
      const far = distance(text, letters, lowerCase(one.value));
      return far === undefined ? [] : [{ one, far }];
    })
    .sort(
      (a, b) => a.far - b.far || b.one.count - a.one.count || (a.one.value < b.one.value ? -1 : 1),
    )
    .slice(0, limit)
    .map(({ one }) => one);
}
