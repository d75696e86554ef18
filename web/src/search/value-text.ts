/** Values of facets -> values of a search, and back (search-semantics, "Filters"). */
import { literally } from "../../../src/domain/search/lucene.js";

/** Marks before a value that exclude it. */
export const EXCLUDING = /^(?:not |!|-)\s*/;

/**
 * What a search by precisely this value says. What a value begins with that would exclude it, or be read as a list, has no
 * spelling of its own: there any character may stand in its place.
 */
export function searchedText(value: string): string {
  const plain = literally(value);
  return EXCLUDING.test(value) || /^\s*[[{]/.test(value) ? `?${plain.slice(1)}` : plain;
}

/** Whether a searched text has wildcards. */
export const isPattern = (text: string): boolean => /[*?]/.test(text.replaceAll(/\\[*?]/g, ""));

/** The value that a searched text without wildcards means, as values compare: in any case. */
export const meantValue = (text: string): string =>
  text.replaceAll(/\\([*?])/g, "$1").toLowerCase();

const ANY = Symbol("any number of characters");
const ONE = Symbol("any character");

/** Which values a searched text means, in lower case. */
export function matcherOf(text: string): (value: string) => boolean {
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

/** Only the last star is tried anew: the time is that of the lengths multiplied, whatever somebody puts into an address. */
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

/** The pattern that is meant by what is typed: with wildcards as it is, else all that begins so. */
export function typedPattern(typed: string): string {
  const text = typed.trim();
  if (isPattern(text)) return EXCLUDING.test(text) ? `?${text.slice(1)}` : text;
  return `${searchedText(text.replaceAll(/\\([*?])/g, "$1"))}*`;
}
