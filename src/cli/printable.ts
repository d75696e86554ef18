/**
 * A text from outside, such as a path, in a line for a terminal: what would end the line, steer the terminal, or turn the
 * direction of reading is written as JSON writes it.
 */
export const printable = (text: string): string => text.replace(UNPRINTABLE, escaped);

const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/gu;

const escaped = (character: string): string => {
  const plain = JSON.stringify(character).slice(1, -1);
  if (plain !== character) return plain;
  return Array.from({ length: character.length }, (_, i) => character.charCodeAt(i))
    .map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`)
    .join("");
};
