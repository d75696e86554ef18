/**
 * Other spellings of several values or of a table of filters. The contract repeats a filter's key for each value. These
 * forms are either read as meant, or refused with the right form. None of them can be a value.
 */
import { isObject } from "../../../domain/text/json-object.js";

/** A value that cannot be decoded; the message is a predicate of the parameter. */
export class Undecodable extends Error {}

/** The parameter whose items are filters, `name=value`, for clients with a fixed set of parameters. */
export const FREE_FILTER = "filter";
/** Names that clients use for the table of filters. */
export const TABLES: ReadonlySet<string> = new Set(["filters", FREE_FILTER]);
export const isTableName = (key: string): boolean => TABLES.has(key);

const RIGHT_LIST = "must be given once for each value: key=a&key=b";
/** Issue for a table of filters in an unknown form. */
export const NO_TABLE =
  "is no filter: each is a parameter of its own, as in experiment=historical&variable=tas";

/** `name[key]`, `name[]`, `name[0]`, and `name[key][]`. */
const BRACKETED = /^([^[\]]+)\[([^[\]]*)\](?:\[\d*\])?$/;

/** The plain key: `variable` for `variable[]` and for `filters[variable]`. */
export function plainKey(key: string): string {
  const [, name, inner = ""] = (key.includes("[") && BRACKETED.exec(key)) || [];
  if (name === undefined) return key;
  if (/^\d*$/.test(inner)) return name;
  return TABLES.has(name) ? inner : key;
}

/** The filters of a JSON object; undefined if the text is no object. */
export function readTable(text: string): [name: string, values: string[]][] | undefined {
  const table = parsed(text);
  if (!isObject(table)) return undefined;
  return Object.entries(table).map(([name, value]) => {
    const values = [value].flat().map(textOf);
    if (values.length === 0) throw new Undecodable("must not be empty");
    return [name, values];
  });
}

/** A list with an optional negation before it. */
const LIST = /^((?:not |!|-)\s*)?(\[.*\])$/s;
/** Lists as Python and Java print them. */
const PRINTED_LIST = /^\[(?:\s*['"]|[^[\]]*,)/;

/** Replaces each JSON array among the values by its elements. Other lists, and JSON objects, are refused. */
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
