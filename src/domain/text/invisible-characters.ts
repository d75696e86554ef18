/** Characters of texts from outside that nobody sees, but by which all that follows looks otherwise. */

/** Controls, separators of lines to some readers, and what turns the direction of writing. */
export const UNSEEN = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/** A text in which such characters, or those of another pattern, are written as JSON writes them. */
export const escapeUnseen = (text: string, pattern = UNSEEN): string =>
  text.replace(pattern, escaped);

function escaped(character: string): string {
  const plain = JSON.stringify(character).slice(1, -1);
  if (plain !== character) return plain;
  return Array.from({ length: character.length }, (_, i) => character.charCodeAt(i))
    .map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`)
    .join("");
}
