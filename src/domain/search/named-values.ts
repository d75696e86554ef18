/** The values of a search that may be reported as unknown. */
import { literal } from "./lucene.js";
import type { Constraint } from "./search.js";

/** A searched or excluded value without wildcards. */
export interface NamedValue {
  readonly constraint: Constraint;
  readonly field: string;
  readonly value: string;
  /** As the caller wrote it: a `*` that is no wildcard has a backslash. */
  readonly written: string;
  /** Matches the documents with the value. */
  readonly clause: string;
  /** Whether every result must have the value. */
  readonly isAlone: boolean;
}

/** The values of constraints that may be reported; user names are private. */
export function namedValues(constraints: readonly Constraint[]): NamedValue[] {
  return constraints.flatMap((constraint) => {
    const { field, values, clauses, included } = constraint;
    if (field === undefined) return [];
    const isAlone = included && values.length === 1;
    return values.flatMap((written, index) => {
      const value = literal(written);
      const clause = clauses[index];
      if (value === undefined || clause === undefined) return [];
      return [{ constraint, field, value, written, clause, isAlone }];
    });
  });
}
