/** Words of a command line -> the flavour and the filters of a search. Pure. */
import { WrongUse } from "./wrong-use.js";

/** The flavour of a search that names none. */
export const USUAL_FLAVOUR = "native";

/** `facet=value`, or `facet!=value` for what is excluded. */
const FILTER = /^([^=]*?)(!?)=(.*)$/s;
/** Commas belong to the values of these. */
const WHOLE = /^(?:file|uri|time|bbox)(?:_not_)?$/;

export interface SearchWords {
  readonly flavour: string;
  /** Keys as the service knows them, each with one value. */
  readonly filters: readonly (readonly [key: string, value: string])[];
}

/** @param words a flavour or none, then filters; @throws WrongUse */
export function readWords(words: readonly string[]): SearchWords {
  const [first = ""] = words;
  const named = words.length > 0 && !first.includes("=");
  const filters = words.slice(named ? 1 : 0).flatMap((word) => {
    const [, key = "", negation, value = ""] = FILTER.exec(word) ?? [];
    if (key === "") {
      throw new WrongUse(`${JSON.stringify(word)} is not facet=value or facet!=value.`);
    }
    if (value === "") throw new WrongUse(`${JSON.stringify(word)} has no value.`);
    const name = negation === "!" ? `${key}_not_` : key;
    return valuesOf(name, value).map((one) => [name, one] as const);
  });
  if (named && first === "") throw new WrongUse("The flavour must not be empty.");
  return { flavour: named ? first : USUAL_FLAVOUR, filters };
}

/** Values that commas separate; `\,` is a comma. A JSON array is left to the service, which reads it. */
function valuesOf(key: string, text: string): string[] {
  if (WHOLE.test(key) || (text.startsWith("[") && text.endsWith("]"))) return [text];
  return text.split(/(?<!\\),/).map((value) => value.replaceAll("\\,", ","));
}

/** A value as it is written in a word, so that it means itself: undefined where there is no such way. */
export function writtenValue(key: string, value: string): string | undefined {
  // What begins so would exclude.
  if (value === "" || /^(?:not |!|-|\[)/.test(value)) return undefined;
  const literal = value.replace(/[*?]/g, "\\$&");
  return WHOLE.test(key) ? literal : literal.replaceAll(",", "\\,");
}
