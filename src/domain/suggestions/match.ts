/** How a typed text matches a code and its names. Pure, and shared with the page's filters. */
import { lowerCase } from "../text/case-folding.js";
import { FILLERS } from "./typed-words.js";

/** From the best to the weakest. */
export const MATCHES = ["exact", "prefix", "word", "words", "near"] as const;
export type Match = (typeof MATCHES)[number];

/** Lower case, with one blank for each run of blanks, `-`, `_`, `.`, `/` and parentheses. */
export const folded = (text: string): string =>
  lowerCase(text)
    .replaceAll(/[\s\-_./()]+/g, " ")
    .trim();

/**
 * How a text matches a code and its names; undefined if it does not. It is `exact` if it is one of them, `prefix` if the
 * code begins with it, `word` if any word does. A word begins after a blank, and where letters and digits meet: `585` is a
 * word of `ssp585`.
 *
 * @param typed folded, not empty
 * @param texts folded: the code, then its names
 */
export function matchOf(typed: string, texts: readonly string[]): Match | undefined {
  if (texts.includes(typed)) return "exact";
  if (texts[0]?.startsWith(typed)) return "prefix";
  return texts.some((text) => hasWord(text, typed)) ? "word" : undefined;
}

/** Whether a word of the text begins with the typed one. */
function hasWord(text: string, typed: string): boolean {
  if (text.startsWith(typed)) return true;
  for (let at = text.indexOf(typed, 1); at > 0; at = text.indexOf(typed, at + 1)) {
    const [before, first] = [text.charCodeAt(at - 1), text.charCodeAt(at)];
    if (before === BLANK || isDigit(before) !== isDigit(first)) return true;
  }
  return false;
}

const BLANK = 32;
const isDigit = (code: number): boolean => code >= 48 && code <= 57;

/** The words of a text that say something about data, without the ends of plurals. @param typed folded */
export const stemsOf = (typed: string): string[] =>
  typed.split(" ").flatMap((word) => (word === "" || FILLERS.has(word) ? [] : stem(word)));

/** `temperatures` and `humidities` begin as `temperature` and `humidity` do. */
const stem = (word: string): string =>
  word.length > 3 && !word.endsWith("ss") ? word.replace(/(?:ies|s)$/u, "") : word;

/** Whether each stem begins a word of one of these texts, in any order. @param texts folded */
export const hasStems = (stems: readonly string[], texts: readonly string[]): boolean =>
  stems.every((one) => texts.some((text) => hasWord(text, one)));

/** Whether each word of a text begins a word of one of these texts, in any order. @param texts folded */
export const matchesAll = (typed: string, texts: readonly string[]): boolean =>
  hasStems(folded(typed).split(" ").filter(Boolean).map(stem), texts);
