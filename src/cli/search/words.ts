/** Reads the flavour and the filters of a search from the command line. Pure. */
import { EXCLUDES } from "../../domain/vocabulary/query-words.js";
import { UserError } from "../../platform/errors.js";

/** The command line is invalid. */
export class WrongUse extends UserError {
  override readonly name = "WrongUse";
}

const DEFAULT_FLAVOUR = "native";

/** `facet=value`, or `facet!=value` to exclude a value. */
const FILTER = /^([^=]*?)(!?)=(.*)$/s;
/** Keys whose values may contain commas. */
const WHOLE = /^(?:file|uri|time|bbox)(?:_not_)?$/;

interface SearchWords {
  readonly flavour: string;
  /** Query parameters of the service, each with one value. */
  readonly filters: readonly (readonly [key: string, value: string])[];
}

/** @param words an optional flavour, then filters */
export function readWords(words: readonly string[]): SearchWords {
  const [first = ""] = words;
  const named = words.length > 0 && !first.includes("=");
  const filters = words.slice(named ? 1 : 0).flatMap((word) => {
    const [, key = "", negation, value = ""] = FILTER.exec(word) ?? [];
    if (key === "") {
      throw new WrongUse(`${JSON.stringify(word)} is not facet=value or facet!=value.`);
    }
    if (value === "") throw new WrongUse(`${JSON.stringify(word)} has no value.`);
    const name = negation === "!" ? key + EXCLUDES : key;
    return valuesOf(name, value).map((one) => [name, one] as const);
  });
  if (named && first === "") throw new WrongUse("The flavour must not be empty.");
  return { flavour: named ? first : DEFAULT_FLAVOUR, filters };
}

/** Splits values at commas; `\,` is a literal comma. A JSON array is passed on as it is. */
function valuesOf(key: string, text: string): string[] {
  if (WHOLE.test(key) || (text.startsWith("[") && text.endsWith("]"))) return [text];
  return text.split(/(?<!\\),/).map((value) => value.replaceAll("\\,", ","));
}

/** Escapes a value so that it is taken literally; undefined if that is impossible. */
export function writtenValue(key: string, value: string): string | undefined {
  // The service reads these beginnings as an exclusion or a JSON array.
  if (value === "" || /^(?:not |!|-|\[)/.test(value)) return undefined;
  const literal = value.replace(/[*?]/g, "\\$&");
  return WHOLE.test(key) ? literal : literal.replaceAll(",", "\\,");
}
