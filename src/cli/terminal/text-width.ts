/** Width of a text on a terminal, which differs from its length. */

/** Characters that take two columns: East Asian wide and fullwidth ones (UAX #11), and emoji. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u4dbf\u4e00-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1f300}-\u{1f64f}\u{1f680}-\u{1f6ff}\u{1f900}-\u{1f9ff}\u{20000}-\u{3fffd}]/u;
/** Characters that take no column, such as combining marks. */
const NO_WIDTH = /[\p{Mn}\p{Me}\p{Cf}]/u;
const PLAIN = /^[\x20-\x7e]*$/;

const columns = (character: string): number =>
  WIDE.test(character) ? 2 : NO_WIDTH.test(character) ? 0 : 1;

/** Columns of a text without control characters. */
export function widthOf(text: string): number {
  if (PLAIN.test(text)) return text.length;
  let width = 0;
  for (const character of text) width += columns(character);
  return width;
}

const blanks = (text: string, width: number): string =>
  " ".repeat(Math.max(0, width - widthOf(text)));

export const padEnd = (text: string, width: number): string => text + blanks(text, width);
export const padStart = (text: string, width: number): string => blanks(text, width) + text;

/** Cuts a text to a width, with a sign at the end if something is left out. */
export function cut(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  let taken = "";
  let used = 1;
  for (const character of text) {
    used += columns(character);
    if (used > width) break;
    taken += character;
  }
  return `${taken}…`;
}

/** Wraps a text at blanks; a word longer than the width is broken. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  let used = 0;
  for (const word of text.split(" ")) {
    const needed = widthOf(word);
    if (used > 0 && used + 1 + needed <= width) {
      line += ` ${word}`;
      used += 1 + needed;
      continue;
    }
    if (used > 0) lines.push(line);
    line = "";
    used = 0;
    for (const character of word) {
      const more = columns(character);
      if (used + more > width && used > 0) {
        lines.push(line);
        line = "";
        used = 0;
      }
      line += character;
      used += more;
    }
  }
  return [...lines, line];
}
