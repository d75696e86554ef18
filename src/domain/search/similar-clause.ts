/** Finds similar values in Solr, for fields with too many values to compare here. */

import { lowerCase } from "../text/case-folding.js";
import { lettersOf, MAX_NEAR_LENGTH, MIN_PREFIX, slipsIn } from "../text/similar-values.js";
import { anyOf, exactly, fuzzy, sameLetters, startsWith } from "./lucene.js";

/** A searched text may be this much longer than the value, such as a name with a version appended. */
const MAX_TAIL = 12;

/** For longer texts Solr only allows an edit distance of 1: distance 2 takes up to 0.1 s. */
const MAX_TWO_SLIPS = 64;

/**
 * Matches documents with a value similar to a text; undefined if the text is too short or too long.
 *
 * @param written without wildcards
 */
export function nearClause(field: string, written: string): string | undefined {
  const text = lowerCase(written);
  if (text.length < MIN_PREFIX || text.length > MAX_NEAR_LENGTH) return undefined;
  const distance = text.length > MAX_TWO_SLIPS ? 1 : slipsIn(text);
  const letters = lettersOf(text);
  const first = Math.max(MIN_PREFIX, text.length - MAX_TAIL);
  const prefixes = Array.from({ length: text.length - first }, (_, i) => text.slice(0, first + i));
  return anyOf([
    startsWith(field, text),
    ...(distance === 0 ? [] : [fuzzy(field, text, distance)]),
    ...(letters === "" ? [] : [sameLetters(field, letters)]),
    ...prefixes.map((prefix) => exactly(field, prefix)),
  ]);
}
