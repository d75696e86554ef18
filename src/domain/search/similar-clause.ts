/** Which values of a field Solr can find near a text, where there are too many of them to be looked at here. */

import { lowerCase } from "../text/case-folding.js";
import { lettersOf, MAX_NEAR_LENGTH, MIN_PREFIX, slipsIn } from "../text/similar-values.js";
import { anyOf, exactly, misspelled, sameLetters, startsWith } from "./lucene.js";

/** So much longer than a value may be what was written for it, such as a name with a version behind it. */
const MAX_TAIL = 12;

/** Of longer texts Solr looks for one slip alone: for two it takes the longer the longer a text is, up to 0.1 s. */
const MAX_TWO_SLIPS = 64;

/**
 * Holds for documents with a value that is near a text; undefined where the text is too short or too long for that.
 *
 * @param written without wildcards
 */
export function nearClause(field: string, written: string): string | undefined {
  const text = lowerCase(written);
  if (text.length < MIN_PREFIX || text.length > MAX_NEAR_LENGTH) return undefined;
  const slips = text.length > MAX_TWO_SLIPS ? 1 : slipsIn(text);
  const letters = lettersOf(text);
  const first = Math.max(MIN_PREFIX, text.length - MAX_TAIL);
  const beginnings = Array.from({ length: text.length - first }, (_, i) =>
    text.slice(0, first + i),
  );
  return anyOf([
    startsWith(field, text),
    ...(slips === 0 ? [] : [misspelled(field, text, slips)]),
    ...(letters === "" ? [] : [sameLetters(field, letters)]),
    ...beginnings.map((beginning) => exactly(field, beginning)),
  ]);
}
