/**
 * Forms in which clients write several values, or a table of filters, where the contract has a key for each filter that is
 * given once for each value: read as what is meant, or refused with the right form. None of them can be a value.
 */
import { isObject } from "../../../domain/text/json-object.js";

/** A value that cannot be read; the message is a predicate of the parameter. */
export class Undecodable extends Error {}

/** Names that a client may have for the filters as a whole. */
export const TABLES: ReadonlySet<string> = new Set(["filters", "filter"]);
export const isTableName = (key: string): boolean => TABLES.has(key);

const RIGHT_LIST = "must be given once for each value: key=a&key=b";
/** What is said of filters as a whole in a form that means nothing. */
export const NO_TABLE =
  "is no filter: each is a parameter of its own, as in experiment=historical&variable=tas";

/** `name[key]`, `name[]`, `name[0]`, and `name[key][]`. */
const BRACKETED = /^([^[\]]+)\[([^[\]]*)\](?:\[\d*\])?$/;

/** The key that is meant: `variable[]` is `variable`, `filters[variable]` as well. */
export function plainKey(key: string): string {
  const [, name, inner = ""] = (key.includes("[") && BRACKETED.exec(key)) || [];
  if (name === undefined) return key;
  if (/^\d*$/.test(inner)) return name;
  return TABLES.has(name) ? inner : key;
}

/** The filters of a table that is given as a JSON object; undefined where it is something else. @throws Undecodable */
export function readTable(text: string): [name: string, values: string[]][] | undefined {
  const table = parsed(text);
  if (!isObject(table)) return undefined;
  return Object.entries(table).map(([name, value]) => {
    const values = [value].flat().map(textOf);
    if (values.length === 0) throw new Undecodable("must not be empty");
    return [name, values];
  });
}

/** What negates a value, and a list. */
const LIST = /^((?:not |!|-)\s*)?(\[.*\])$/s;
/** Lists as Python and Java print them. */
const PRINTED_LIST = /^\[(?:\s*['"]|[^[\]]*,)/;

/**
 * Values with those in their places that a JSON array among them has.
 *
 * @throws Undecodable for other lists, and for JSON objects
 */
export function spread(values: readonly string[]): readonly string[] {
  if (!values.some((value) => value.endsWith("]") || value.endsWith("}"))) return values;
  return values.flatMap((value) => {
    if (isObject(parsed(value))) throw new Undecodable(RIGHT_LIST);
    const [, negation = "", list] = LIST.exec(value) ?? [];
    if (list === undefined) return [value];
    const members = parsed(list);
    if (Array.isArray(members)) return members.map((member) => negation + textOf(member));
    if (PRINTED_LIST.test(list)) throw new Undecodable(RIGHT_LIST);
    return [value];
  });
}

function parsed(text: string): unknown {
  try {
    return /^\s*[[{]/.test(text) ? JSON.parse(text) : undefined;
  } catch {
    return undefined;
  }
}

function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  throw new Undecodable(RIGHT_LIST);
}
