/** Reads the values of a definition: texts, tables, lists, names of facets, patterns. Each error names the path of the key. */
import { nearest } from "../../domain/text/nearest-names.js";
import { FACET_NAMES } from "../../domain/vocabulary/facets.js";
import { MAX_PATTERN, Pattern } from "./pattern.js";

/** The reason why a definition is invalid, as a predicate of a key in it. */
export class DefinitionError extends Error {
  constructor(
    readonly keyPath: string,
    reason: string,
  ) {
    super(reason);
  }
}

const MAX_VALUES = 5000;
const MAX_TEMPLATES = 50;

/** A name or value as errors show it. */
export const quoted = (text: string): string => JSON.stringify(text.slice(0, 60));

/** A table of names and values; empty if the section is missing. */
export function table(value: unknown, keyPath: string): ReadonlyMap<string, unknown> {
  if (value === undefined || value === null) {
    if (keyPath === "") throw new DefinitionError("", "is empty");
    return new Map();
  }
  if (!(value instanceof Map))
    throw new DefinitionError(keyPath, "must be a table of names and values");
  if (value.size > MAX_VALUES)
    throw new DefinitionError(keyPath, `has more than ${MAX_VALUES} values`);
  return new Map([...value].map(([key, one]) => [textOf(key, keyPath), one]));
}

/** A table with its values read. @param read gets a name, its value and the path of its key */
export const readTable = <T>(
  value: unknown,
  keyPath: string,
  read: (name: string, value: unknown, keyPath: string) => T,
): ReadonlyMap<string, T> =>
  new Map(
    [...table(value, keyPath)].map(([name, one]) => [name, read(name, one, `${keyPath}.${name}`)]),
  );

/** One value or a list of them, each with the path of its key. */
export function list(value: unknown, keyPath: string): readonly (readonly [unknown, string])[] {
  const values = Array.isArray(value)
    ? value
    : value === undefined || value === null
      ? []
      : [value];
  if (values.length > MAX_TEMPLATES)
    throw new DefinitionError(keyPath, `has more than ${MAX_TEMPLATES} values`);
  return values.map((one, i) => [one, `${keyPath}[${i}]`] as const);
}

/** Accepts numbers and booleans as text, because YAML reads `fx: 1` as a number. */
export function textOf(value: unknown, keyPath: string): string {
  const isPlain = ["string", "number", "boolean"].includes(typeof value);
  if (!isPlain || `${value}`.trim() === "") throw new DefinitionError(keyPath, "must be a text");
  return `${value}`;
}

const FIELDS: readonly string[] = FACET_NAMES.filter((facet) => facet !== "user");

export function requireFacet(name: string, keyPath: string): void {
  if (FIELDS.includes(name)) return;
  const near = nearest(name, FIELDS).join(", ");
  throw new DefinitionError(
    keyPath,
    `names ${quoted(name)}, which is no facet; did you mean ${near}`,
  );
}

/** For names in templates and in patterns. */
export function requireField(name: string, keyPath: string): void {
  if (name !== "version") requireFacet(name, keyPath);
}

export const patternsOf = (
  value: unknown,
  keyPath: string,
  check: (name: string, keyPath: string) => void = requireField,
): ReadonlyMap<string, Pattern> =>
  readTable(value, keyPath, (name, pattern, at) => {
    check(name, keyPath);
    return patternOf(pattern, at);
  });

export function patternOf(value: unknown, keyPath: string): Pattern {
  const text = textOf(value, keyPath);
  if (text.length > MAX_PATTERN)
    throw new DefinitionError(keyPath, `has more than ${MAX_PATTERN} characters`);
  return new Pattern(text);
}

export const constantsOf = (value: unknown, keyPath: string): ReadonlyMap<string, string> =>
  readTable(value, keyPath, (name, text, at) => {
    requireFacet(name, keyPath);
    return textOf(text, at);
  });
