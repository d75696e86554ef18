/** Reads `query` of STAC's query extension as a filter. Source: stac-api-extensions/query, 1.0.0. */
import type { Comparator, Expression, Scalar } from "../cql2/expression.js";
import { Unreadable } from "../extent/period.js";
import { isObject } from "../text/json-object.js";

const COMPARATORS: Readonly<Record<string, Comparator>> = {
  eq: "=",
  neq: "<>",
  lt: "<",
  lte: "<=",
  gt: ">",
  gte: ">=",
};

/** Text for `like`, with its special characters escaped. */
const literal = (text: string): string => text.replace(/[%_\\]/g, "\\$&");

const PATTERNS: Readonly<Record<string, (text: string) => string>> = {
  startsWith: (text) => `${literal(text)}%`,
  endsWith: (text) => `%${literal(text)}`,
  contains: (text) => `%${literal(text)}%`,
};

const MAX_CONDITIONS = 100;
const MAX_VALUES = 1000;

const isScalar = (value: unknown): value is Scalar =>
  ["string", "number", "boolean"].includes(typeof value);

function conditionOf(property: string, operator: string, value: unknown): Expression {
  const name = { property, isFolded: false };
  const comparator = Object.hasOwn(COMPARATORS, operator) ? COMPARATORS[operator] : undefined;
  if (comparator !== undefined && isScalar(value)) {
    return { kind: "compare", name, comparator, value };
  }
  const pattern = Object.hasOwn(PATTERNS, operator) ? PATTERNS[operator] : undefined;
  if (pattern !== undefined && typeof value === "string") {
    return { kind: "like", name, pattern: pattern(value) };
  }
  if (operator === "in" && Array.isArray(value) && value.length > 0) {
    if (value.length > MAX_VALUES) throw new Unreadable(`has more than ${MAX_VALUES} values`);
    if (value.every(isScalar)) return { kind: "in", name, values: value };
  }
  const known = [...Object.keys(COMPARATORS), ...Object.keys(PATTERNS), "in"].join(", ");
  throw new Unreadable(
    `has ${JSON.stringify(operator.slice(0, 40))} of ${property.slice(0, 100)}; the operators are ${known}, each with a value of its kind`,
  );
}

export function readQuery(query: Readonly<Record<string, unknown>>): Expression {
  const of = Object.entries(query).flatMap(([property, conditions]) => {
    if (!isObject(conditions)) {
      throw new Unreadable(`needs an object of operators for ${property.slice(0, 100)}`);
    }
    return Object.entries(conditions).map(([operator, value]) =>
      conditionOf(property, operator, value),
    );
  });
  if (of.length > MAX_CONDITIONS) {
    throw new Unreadable(`has more than ${MAX_CONDITIONS} conditions`);
  }
  return of.length === 0 ? { kind: "constant", value: true } : { kind: "all", of };
}
