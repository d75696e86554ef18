/** Converts JSON as Python writes it to standard JSON. */

/**
 * The end of a JSON string: the index after its closing quote, or the end of the text.
 *
 * Runs in linear time on any input. A regular expression could backtrack.
 */
export function endOfString(text: string, from: number): number {
  for (let at = text.indexOf('"', from + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let first = at;
    while (first > from + 1 && text.charCodeAt(first - 1) === BACKSLASH) first -= 1;
    if ((at - first) % 2 === 0) return at + 1;
  }
  return text.length;
}

const BACKSLASH = 0x5c;
const QUOTE = 0x22;

const MAX_PARTS = 1 << 14;

/** Bare tokens of Python's `json`, with their replacements. */
const BARE = [
  ["NaN", '"NaN"'],
  ["Infinity", "1e999"],
] as const;

/** Whether a text may not be standard JSON. A token inside a string counts too. */
export const hasBareTokens = (text: string): boolean =>
  BARE.some(([token]) => text.includes(token));

/**
 * Standard JSON (RFC 8259) from the output of Python's `json`, which may hold the bare tokens NaN and Infinity.
 *
 * NaN becomes the text "NaN", as in fill values and in zarr v3, because JSON has no number for it.
 */
export function strictJson(text: string): string {
  if (!hasBareTokens(text)) return text;
  const long: string[] = [];
  const parts: string[] = [];
  let copied = 0;
  const marks = /["NI]/g;
  for (let mark = marks.exec(text); mark !== null; mark = marks.exec(text)) {
    const at = mark.index;
    if (text.charCodeAt(at) === QUOTE) {
      marks.lastIndex = endOfString(text, at);
      continue;
    }
    const found = BARE.find(([token]) => text.startsWith(token, at));
    if (found === undefined) continue;
    parts.push(text.slice(copied, at), found[1]);
    // Joins pieces regularly, as many short strings take far more memory than their content.
    if (parts.length > MAX_PARTS) long.push(parts.splice(0).join(""));
    copied = at + found[0].length;
    marks.lastIndex = copied;
  }
  return copied === 0 ? text : [...long, ...parts, text.slice(copied)].join("");
}
