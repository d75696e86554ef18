/** Puts operands together to parts of a filter, for the readers of text and of JSON. */
import type { Geometry } from "../extent/geometry.js";
import { Unreadable } from "../extent/period.js";
import { lowerCase } from "../text/case-folding.js";
import {
  type ArrayRelation,
  CONVERSE,
  type Comparator,
  type Expression,
  MIRRORED,
  type PropertyName,
  type Scalar,
  type Span,
  type TemporalRelation,
  TURNED,
} from "./expression.js";
import { OPEN_END, OPEN_START, readInstant, readSpan } from "./instants.js";

/** An operand of a comparison or an argument of a function. */
export type Operand =
  | { readonly kind: "property"; readonly name: string }
  | { readonly kind: "scalar"; readonly value: Scalar }
  | { readonly kind: "span"; readonly span: Span }
  | { readonly kind: "interval"; readonly ends: readonly [Operand, Operand] }
  | { readonly kind: "folded"; readonly of: Operand }
  | { readonly kind: "list"; readonly of: readonly Operand[] }
  | { readonly kind: "geometry"; readonly geometry: Geometry };

/** Bounds of a filter. */
const MAX_DEPTH = 64;
const MAX_PARTS = 300;
const MAX_VALUES = 1000;

/** Counts the parts of a filter while it is read. */
export class Bounds {
  #parts = 0;
  #values = 0;

  checkDepth(depth: number): void {
    if (depth > MAX_DEPTH) throw new Unreadable(`is nested more than ${MAX_DEPTH} times`);
  }

  /** Counts a condition. */
  enter(depth: number): void {
    this.checkDepth(depth);
    this.#parts += 1;
    if (this.#parts > MAX_PARTS) throw new Unreadable(`has more than ${MAX_PARTS} conditions`);
  }

  addValue(): void {
    this.#values += 1;
    if (this.#values > MAX_VALUES) throw new Unreadable(`has more than ${MAX_VALUES} values`);
  }
}

function unfolded(operand: Operand): { readonly of: Operand; readonly isFolded: boolean } {
  return operand.kind === "folded"
    ? { of: operand.of, isFolded: true }
    : { of: operand, isFolded: false };
}

function propertyOf(operand: Operand, what: string): PropertyName {
  const { of, isFolded } = unfolded(operand);
  if (of.kind !== "property") throw new Unreadable(`${what} needs a property on one side`);
  return { property: of.name, isFolded };
}

function literalOf(operand: Operand, what: string): Scalar | Span {
  const { of } = unfolded(operand);
  if (of.kind === "scalar") return of.value;
  if (of.kind === "span") return of.span;
  if (of.kind === "property") {
    const name = of.name.slice(0, 100);
    throw new Unreadable(
      `${what} of two properties is not possible here; if ${name} is a text, write '${name}'`,
    );
  }
  throw new Unreadable(`${what} needs a text, a number, a boolean or a moment`);
}

const isProperty = (operand: Operand): boolean => unfolded(operand).of.kind === "property";

/** The literal of a comparison, in lower case if it is inside `casei()`. */
function comparedWith(operand: Operand, what: string): Scalar | Span {
  const value = literalOf(operand, what);
  const { isFolded } = unfolded(operand);
  return isFolded && typeof value === "string" ? lowerCase(value) : value;
}

export function comparison(comparator: Comparator, left: Operand, right: Operand): Expression {
  const isTurned = !isProperty(left);
  const [first, second] = isTurned ? [right, left] : [left, right];
  const name = propertyOf(first, "a comparison");
  const value = comparedWith(second, "a comparison");
  return {
    kind: "compare",
    name,
    comparator: isTurned ? MIRRORED[comparator] : comparator,
    value,
  };
}

export function between(value: Operand, low: Operand, high: Operand): Expression {
  const name = propertyOf(value, "between");
  const bound = (one: Operand): Scalar | Span => comparedWith(one, "between");
  return { kind: "between", name, low: bound(low), high: bound(high) };
}

export function membership(value: Operand, list: readonly Operand[]): Expression {
  const name = propertyOf(value, "in");
  if (list.length === 0) throw new Unreadable("has an empty list after in");
  return { kind: "in", name, values: list.map((one) => comparedWith(one, "in")) };
}

export function likeness(value: Operand, pattern: Operand): Expression {
  const name = propertyOf(value, "like");
  const text = comparedWith(pattern, "like");
  if (typeof text !== "string") throw new Unreadable("needs a text after like");
  return { kind: "like", name, pattern: text };
}

export function nullness(value: Operand): Expression {
  return { kind: "null", name: propertyOf(value, "is null").property };
}

function listOf(operand: Operand): readonly Scalar[] | undefined {
  if (operand.kind !== "list") return undefined;
  return operand.of.map((one) => {
    const value = literalOf(one, "a list");
    if (typeof value === "object") throw new Unreadable("has a moment in a list of texts");
    return value;
  });
}

function arrayRelation(relation: ArrayRelation, left: Operand, right: Operand): Expression {
  const isTurned = !isProperty(left);
  const [first, second] = isTurned ? [right, left] : [left, right];
  const { property: name } = propertyOf(first, `a_${relation.toLowerCase()}`);
  const values = listOf(second);
  if (values === undefined) throw new Unreadable(`a_${relation.toLowerCase()} needs a list`);
  return { kind: "array", relation: isTurned ? TURNED[relation] : relation, name, values };
}

function spatial(left: Operand, right: Operand): Expression {
  const [first, second] = left.kind === "property" ? [left, right] : [right, left];
  if (first.kind !== "property" || second.kind !== "geometry") {
    throw new Unreadable("s_intersects needs a property and a geometry");
  }
  return { kind: "spatial", name: first.name, geometry: second.geometry };
}

interface Times {
  readonly names?: readonly [string, string];
  readonly span?: readonly [Span, Span];
}

/** A text where an instant is expected: `2000-01-01`, or `2000-01-01/2001-01-01`. */
function timesOf(operand: Operand): Times {
  if (operand.kind === "span") return { span: [operand.span, operand.span] };
  if (operand.kind === "scalar" && typeof operand.value === "string") {
    return { span: readSpan(operand.value) };
  }
  if (operand.kind === "property") {
    // In text, double quotes are a property's name; ESGF's clients write intervals in them.
    if (/^(?:\d{4}-|\.\.\/)/.test(operand.name)) return { span: readSpan(operand.name) };
    return { names: [operand.name, operand.name] };
  }
  if (operand.kind !== "interval") throw new Unreadable("needs a moment or an interval");
  const [start, end] = operand.ends.map((one, index) => {
    if (one.kind === "property") return one.name;
    if (one.kind === "span") return one.span;
    if (one.kind === "scalar" && typeof one.value === "string") {
      return one.value === ".." || one.value === ""
        ? index === 0
          ? OPEN_START
          : OPEN_END
        : readInstant(one.value);
    }
    throw new Unreadable("has an interval whose end is neither a moment nor a property");
  });
  if (typeof start === "string" && typeof end === "string") return { names: [start, end] };
  if (typeof start === "object" && typeof end === "object") {
    if (end.to < start.from) throw new Unreadable("has an interval that ends before it starts");
    return { span: [start, end] };
  }
  throw new Unreadable("has an interval of a property and a moment, which is not possible here");
}

function temporal(relation: TemporalRelation, left: Operand, right: Operand): Expression {
  const [mine, theirs] = [timesOf(left), timesOf(right)];
  if (mine.names && theirs.span) {
    return { kind: "temporal", relation, names: mine.names, span: theirs.span };
  }
  if (mine.span && theirs.names) {
    return { kind: "temporal", relation: CONVERSE[relation], names: theirs.names, span: mine.span };
  }
  throw new Unreadable(`t_${relation.toLowerCase()} needs a property and a moment or an interval`);
}

/** The functions of two operands, by their names in lower case. */
export const FUNCTIONS: ReadonlyMap<string, (left: Operand, right: Operand) => Expression> =
  new Map([
    ["s_intersects", spatial],
    ...(Object.keys(CONVERSE) as TemporalRelation[]).map(
      (one) => [`t_${one.toLowerCase()}`, temporal.bind(undefined, one)] as const,
    ),
    ...(Object.keys(TURNED) as ArrayRelation[]).map(
      (one) => [`a_${one.toLowerCase()}`, arrayRelation.bind(undefined, one)] as const,
    ),
  ]);
