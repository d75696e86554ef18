/**
 * Query text -> typed values, as each operation's table of parameters says.
 *
 * What reaches a validator is text, one string or several a key. Only this file knows how text
 * becomes an integer or a boolean, that a parameter may be spelled with `-` or `_`, and that keys
 * which no other parameter claims are filters, where an operation takes them: those that it declares by
 * name, any other key, and the items of `filter`.
 */
import { nearest } from "../vocabulary/nearest.js";

export interface QueryParameter {
  readonly name: string;
  /** The JSON type of its schema, or `filters` for the table that takes every other key. */
  readonly kind: string;
}

interface IssueSink {
  addIssue(issue: { code: "custom"; message: string; path: string[]; input: unknown }): void;
}

const TRUE = new Set(["true", "t", "1", "yes", "on"]);
const FALSE = new Set(["false", "f", "0", "no", "off"]);

/** A value that cannot be read; the message is a predicate of the parameter. */
class Undecodable extends Error {}

const decoders: Record<string, (texts: string[]) => unknown> = {
  array: (texts) => {
    if (texts.includes("")) throw new Undecodable("must not be empty");
    return texts;
  },
  string: only,
  boolean: (texts) => {
    const text = only(texts).toLowerCase();
    if (TRUE.has(text)) return true;
    if (FALSE.has(text)) return false;
    throw new Undecodable("must be a boolean: true/false, t/f, 1/0, yes/no or on/off");
  },
  integer: (texts) => {
    const text = only(texts);
    if (/^[+-]?\d{1,15}$/.test(text)) return Number(text);
    throw new Undecodable("must be an integer");
  },
};

function only(texts: string[]): string {
  const [text, ...more] = texts;
  if (text === undefined || text === "") throw new Undecodable("must not be empty");
  if (more.length > 0) throw new Undecodable("must be given once only");
  return text;
}

/** The parameter whose items are filters, `name=value`, for names that no client has a parameter for. */
export const FREE_FILTER = "filter";
const FREE_ITEM = /^([^=]+)=(.+)$/s;

const spelling = (name: string): string => name.replaceAll("-", "_");

/**
 * Makes the preprocessing step of an operation's query validator.
 *
 * @returns a function from key -> text or texts to parameter -> typed value, which reports each
 *   parameter that cannot be read
 */
export function decodeQuery(parameters: readonly QueryParameter[]) {
  const declared = new Map(
    parameters.filter(({ kind }) => kind !== "filters").map((one) => [spelling(one.name), one]),
  );
  const filters = parameters.find(({ kind }) => kind === "filters");

  return (query: unknown, sink: IssueSink): Record<string, unknown> => {
    const report = (name: string, message: string, input: unknown): void =>
      sink.addIssue({ code: "custom", message, path: [name], input });
    const texts = new Map<QueryParameter, string[]>();
    const others = new Map<string, string[]>();
    let items: readonly string[] = [];
    for (const [key, value] of Object.entries(query as Record<string, string | string[]>)) {
      const values = typeof value === "string" ? [value] : value;
      const parameter = declared.get(spelling(key));
      if (parameter) texts.set(parameter, [...(texts.get(parameter) ?? []), ...values]);
      else if (!filters) report(key, unknownKey(key, parameters), value);
      else if (values.includes("")) report(key, "must not be empty", value);
      else if (key === FREE_FILTER) items = values;
      else others.set(key, values);
    }
    for (const item of items) {
      const [, name = "", value = ""] = FREE_ITEM.exec(item) ?? [];
      // An object cannot carry it.
      if (name === "" || name === "__proto__") report(FREE_FILTER, "must be name=value", item);
      else if (declared.has(spelling(name))) {
        report(FREE_FILTER, `takes no ${name}, which is a parameter of its own`, item);
      } else others.set(name, [...(others.get(name) ?? []), value]);
    }
    const decoded: Record<string, unknown> = {};
    for (const [{ name, kind }, values] of texts) {
      try {
        decoded[name] = (decoders[kind] ?? only)(values);
      } catch (error) {
        if (!(error instanceof Undecodable)) throw error;
        report(name, error.message, values);
      }
    }
    if (filters) decoded[filters.name] = Object.fromEntries(others);
    return decoded;
  };
}

function unknownKey(key: string, parameters: readonly QueryParameter[]): string {
  const names = nearest(
    key,
    parameters.map(({ name }) => name),
  );
  return names.length > 0
    ? `is not a parameter here; did you mean ${names.join(", ")}?`
    : "is not a parameter here; there is none";
}
