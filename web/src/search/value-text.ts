/** Values of facets <-> search terms (search-semantics, "Filters"). */
import { literally } from "../../../src/domain/search/lucene.js";
import { type Form, fits, WILDCARDS } from "../../../src/domain/text/wildcards.js";

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

/** A function that tells whether a value, in lower case, matches a term. */
export function matcher(text: string): (value: string) => boolean {
  const signs = text.toLowerCase().match(/\\[*?]|[\s\S]/gu) ?? [];
  const form: Form = signs.map(
    (sign) => WILDCARDS[sign] ?? { literal: sign.replace(/^\\(?=[*?])/, "") },
  );
  return (value) => fits(form, value);
}

/** The pattern for a typed text: unchanged if it has wildcards, else a prefix. */
export function typedPattern(typed: string): string {
  const text = typed.trim();
  if (isPattern(text)) return EXCLUDING.test(text) ? `?${text.slice(1)}` : text;
  return `${searchedText(text.replaceAll(/\\([*?])/g, "$1"))}*`;
}
