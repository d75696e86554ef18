/** Control characters, line separators and marks that change the direction of writing: they could disguise a text. */
export const UNSEEN = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/** Writes invisible characters, or those of another pattern, as JSON escapes. */
export const escapeUnseen = (text: string, pattern = UNSEEN): string =>
  text.replace(pattern, escaped);

function escaped(character: string): string {
  const plain = JSON.stringify(character).slice(1, -1);
  if (plain !== character) return plain;
  return Array.from({ length: character.length }, (_, i) => character.charCodeAt(i))
    .map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`)
    .join("");
}
