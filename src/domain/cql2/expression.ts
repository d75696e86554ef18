/**
 * The syntax tree of a CQL2 filter. Text (`read-text.ts`) and JSON (`read-json.ts`) give the same tree.
 *
 * Source: OGC 21-065r2, Common Query Language (CQL2), 1.0.
 */
import type { Geometry } from "../extent/geometry.js";

export type Scalar = string | number | boolean;

/** The comparators, each with the one for exchanged operands. */
export const MIRRORED = {
  "=": "=",
  "<>": "<>",
  "<": ">",
  "<=": ">=",
  ">": "<",
  ">=": "<=",
} as const;
export type Comparator = keyof typeof MIRRORED;
export const isComparator = (text: string): text is Comparator => Object.hasOwn(MIRRORED, text);

/** An instant or a day in milliseconds since 1970, UTC: its first and its last. Open ends of intervals are infinite. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** `isFolded`: compared without regard to case, by `casei()`. */
export interface PropertyName {
  readonly property: string;
  readonly isFolded: boolean;
}

/** A property with a literal. `isFolded`: the literal is inside `casei()`, too. */
export type Expression =
  | { readonly kind: "all"; readonly of: readonly Expression[] }
  | { readonly kind: "any"; readonly of: readonly Expression[] }
  | { readonly kind: "not"; readonly of: Expression }
  | { readonly kind: "constant"; readonly value: boolean }
  | { readonly kind: "null"; readonly name: string }
  | {
      readonly kind: "compare";
      readonly name: PropertyName;
      readonly comparator: Comparator;
      readonly value: Scalar | Span;
    }
  | {
      readonly kind: "between";
      readonly name: PropertyName;
      readonly low: Scalar | Span;
      readonly high: Scalar | Span;
    }
  | {
      readonly kind: "in";
      readonly name: PropertyName;
      readonly values: readonly (Scalar | Span)[];
    }
  | { readonly kind: "like"; readonly name: PropertyName; readonly pattern: string }
  | {
      readonly kind: "array";
      readonly relation: ArrayRelation;
      readonly name: string;
      readonly values: readonly Scalar[];
    }
  | { readonly kind: "spatial"; readonly name: string; readonly geometry: Geometry }
  | {
      readonly kind: "temporal";
      readonly relation: TemporalRelation;
      /** The properties of the item's start and end: the same name twice for an instant or a period, two for an interval of properties. */
      readonly names: readonly [start: string, end: string];
      readonly span: readonly [start: Span, end: Span];
    };

/** The relations of two lists, each with the one for exchanged operands. */
export const TURNED = {
  equals: "equals",
  contains: "containedBy",
  containedBy: "contains",
  overlaps: "overlaps",
} as const;
export type ArrayRelation = keyof typeof TURNED;

/** Relations of a property to a literal, each with the one for exchanged operands (OGC 21-065r2, 7.8; Allen's intervals). */
export const CONVERSE = {
  after: "before",
  before: "after",
  contains: "during",
  disjoint: "disjoint",
  during: "contains",
  equals: "equals",
  finishedBy: "finishes",
  finishes: "finishedBy",
  intersects: "intersects",
  meets: "metBy",
  metBy: "meets",
  overlappedBy: "overlaps",
  overlaps: "overlappedBy",
  startedBy: "starts",
  starts: "startedBy",
} as const;
export type TemporalRelation = keyof typeof CONVERSE;
