/**
 * The syntax tree of a CQL2 filter. Text (`read-text.ts`) and JSON (`read-json.ts`) give the same tree.
 *
 * Source: OGC 21-065r2, Common Query Language (CQL2), 1.0.
 */
import type { Geometry } from "../extent/geometry.js";

export type Scalar = string | number | boolean;

const COMPARATORS = ["=", "<>", "<", "<=", ">", ">="] as const;
export type Comparator = (typeof COMPARATORS)[number];
export const isComparator = (text: string): text is Comparator =>
  COMPARATORS.some((one) => one === text);

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

const ARRAY_RELATIONS = ["equals", "contains", "containedBy", "overlaps"] as const;
export type ArrayRelation = (typeof ARRAY_RELATIONS)[number];
/** Relations by the names of their functions, in lower case. */
export const ARRAY_FUNCTIONS: ReadonlyMap<string, ArrayRelation> = new Map(
  ARRAY_RELATIONS.map((one) => [`a_${one.toLowerCase()}`, one]),
);

/** Relations of the property to the literal (OGC 21-065r2, 7.8; Allen's intervals). */
const TEMPORAL_RELATIONS = [
  "after",
  "before",
  "contains",
  "disjoint",
  "during",
  "equals",
  "finishedBy",
  "finishes",
  "intersects",
  "meets",
  "metBy",
  "overlappedBy",
  "overlaps",
  "startedBy",
  "starts",
] as const;
export type TemporalRelation = (typeof TEMPORAL_RELATIONS)[number];
/** Relations by the names of their functions, in lower case. */
export const TEMPORAL_FUNCTIONS: ReadonlyMap<string, TemporalRelation> = new Map(
  TEMPORAL_RELATIONS.map((one) => [`t_${one.toLowerCase()}`, one]),
);

/** The same relation with its operands exchanged. */
export const CONVERSE: Readonly<Record<TemporalRelation, TemporalRelation>> = {
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
};

/** The comparator with its operands exchanged. */
export const MIRRORED: Readonly<Record<Comparator, Comparator>> = {
  "=": "=",
  "<>": "<>",
  "<": ">",
  "<=": ">=",
  ">": "<",
  ">=": "<=",
};
