/** Values of facets <-> search terms (search-semantics, "Filters"). */
import { literally } from "../../../src/domain/search/lucene.js";

/** Prefixes that exclude a value. */
export const EXCLUDING = /^(?:not |!|-)\s*/;

/**
 * The search term for exactly this value. A first character that would exclude it, or start a list, cannot be escaped:
 * `?` replaces it.
 */
export function searchedText(value: string): string {
  const plain = literally(value);
  return EXCLUDING.test(value) || /^\s*[[{]/.test(value) ? `?${plain.slice(1)}` : plain;
}

/** Whether a term has wildcards. */
export const isPattern = (text: string): boolean => /[*?]/.test(text.replaceAll(/\\[*?]/g, ""));

/** The value of a term without wildcards, in lower case: values compare without case. */
export const meantValue = (text: string): string =>
  text.replaceAll(/\\([*?])/g, "$1").toLowerCase();

const ANY = Symbol("any number of characters");
const ONE = Symbol("any character");

/** A function that tells whether a value, in lower case, matches a term. */
export function matcher(text: string): (value: string) => boolean {
  if (!isPattern(text)) {
    const meant = meantValue(text);
    return (value) => value === meant;
  }
  const parts = (text.toLowerCase().match(/\\[*?]|[\s\S]/gu) ?? []).map((part) => {
    if (part === "*") return ANY;
    return part === "?" ? ONE : part.replace(/^\\(?=[*?])/, "");
  });
  return (value) => matches(Array.from(value), parts);
}

/**
 * Backtracks to the last star only, so that the time is at most the product of the lengths, whatever the address
 * contains.
 */
function matches(signs: readonly string[], parts: readonly (string | symbol)[]): boolean {
  let [at, part, star, tried] = [0, 0, -1, 0];
  while (at < signs.length) {
    if (parts[part] === ANY) {
      star = part++;
      tried = at;
    } else if (part < parts.length && (parts[part] === ONE || parts[part] === signs[at])) {
      at++;
      part++;
    } else if (star >= 0) {
      part = star + 1;
      at = ++tried;
    } else return false;
  }
  return parts.slice(part).every((rest) => rest === ANY);
}

/** The pattern for a typed text: unchanged if it has wildcards, else a prefix. */
export function typedPattern(typed: string): string {
  const text = typed.trim();
  if (isPattern(text)) return EXCLUDING.test(text) ? `?${text.slice(1)}` : text;
  return `${searchedText(text.replaceAll(/\\([*?])/g, "$1"))}*`;
}
