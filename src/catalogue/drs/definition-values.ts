/** Reads the values of a definition: texts, tables, lists, names of facets, patterns. Each error names its place. */
import { nearest } from "../../domain/text/nearest-names.js";
import { FACET_NAMES } from "../../domain/vocabulary/facets.js";
import { MAX_PATTERN, Pattern } from "./pattern.js";

/** The reason why a definition is invalid, as a predicate of a place in it. */
export class DefinitionError extends Error {
  constructor(
    readonly place: string,
    reason: string,
  ) {
    super(reason);
  }
}

/** Values in one table, and in one list. */
const MAX_VALUES = 5000;
const MAX_TEMPLATES = 50;

/** A name or value as errors show it. */
export const quoted = (text: string): string => JSON.stringify(text.slice(0, 60));

/** A table of names and values; empty if the section is missing. */
export function table(value: unknown, place: string): ReadonlyMap<string, unknown> {
  if (value === undefined || value === null) {
    if (place === "") throw new DefinitionError("", "is empty");
    return new Map();
  }
  if (!(value instanceof Map))
    throw new DefinitionError(place, "must be a table of names and values");
  if (value.size > MAX_VALUES)
    throw new DefinitionError(place, `has more than ${MAX_VALUES} values`);
  return new Map([...value].map(([key, one]) => [textOf(key, place), one]));
}

/** One value or a list of them, each with its place. */
export function list(value: unknown, place: string): readonly (readonly [unknown, string])[] {
  const values = Array.isArray(value)
    ? value
    : value === undefined || value === null
      ? []
      : [value];
  if (values.length > MAX_TEMPLATES)
    throw new DefinitionError(place, `has more than ${MAX_TEMPLATES} values`);
  return values.map((one, i) => [one, `${place}[${i}]`] as const);
}

/** Accepts numbers and booleans as text, because YAML reads `fx: 1` as a number. */
export function textOf(value: unknown, place: string): string {
  const isPlain = ["string", "number", "boolean"].includes(typeof value);
  if (!isPlain || `${value}`.trim() === "") throw new DefinitionError(place, "must be a text");
  return `${value}`;
}

const FIELDS: readonly string[] = FACET_NAMES.filter((facet) => facet !== "user");

export function requireFacet(name: string, place: string): void {
  if (FIELDS.includes(name)) return;
  const near = nearest(name, FIELDS).join(", ");
  throw new DefinitionError(
    place,
    `names ${quoted(name)}, which is no facet; did you mean ${near}`,
  );
}

/** For names in templates and in patterns. */
export function requireField(name: string, place: string): void {
  if (name !== "version") requireFacet(name, place);
}

export function patternsOf(
  value: unknown,
  place: string,
  check: (name: string, place: string) => void = requireField,
): ReadonlyMap<string, Pattern> {
  const patterns = [...table(value, place)].map(([name, pattern]): [string, Pattern] => {
    check(name, place);
    return [name, patternOf(pattern, `${place}.${name}`)];
  });
  return new Map(patterns);
}

export function patternOf(value: unknown, place: string): Pattern {
  const text = textOf(value, place);
  if (text.length > MAX_PATTERN)
    throw new DefinitionError(place, `has more than ${MAX_PATTERN} characters`);
  return new Pattern(text);
}

export function constantsOf(value: unknown, place: string): ReadonlyMap<string, string> {
  const constants = [...table(value, place)].map(([name, text]): [string, string] => {
    requireFacet(name, place);
    return [name, textOf(text, `${place}.${name}`)];
  });
  return new Map(constants);
}
