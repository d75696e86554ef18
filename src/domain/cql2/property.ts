/** The field of the index for a property of a filter, and which values of the index a filter must be compared with. */
import type { Expression } from "./expression.js";

/** One end of a period, or an instant, in a date field. */
export interface InstantField {
  readonly field: string;
  /** Milliseconds since 1970 that stand for a missing value; undefined: the property is null then. */
  readonly missing?: number;
  /** Which of the values of its files a dataset shows; left out: files are compared one by one. */
  readonly shown?: "first" | "last";
}

/** The items of some projects. */
interface Owners {
  /** In lower case. */
  readonly projects: readonly string[];
  readonly clause: string;
}

export type Property =
  /** One or more texts, as written in documents. `owners`: the only items that have it; left out for all. */
  | { readonly kind: "text"; readonly field: string; readonly owners?: Owners }
  /** True or false: of a field, in which it is false if it is missing, or the same for all. */
  | { readonly kind: "flag"; readonly field?: string; readonly value?: boolean }
  /** An instant has the same field twice. */
  | { readonly kind: "instant"; readonly start: InstantField; readonly end: InstantField }
  | { readonly kind: "id" }
  | { readonly kind: "geometry" }
  /** Follows from other fields: the clause of the items that have it, and that of each of its values. */
  | {
      readonly kind: "derived";
      readonly known: string;
      /** Left out: its values cannot be compared, only whether there is one. */
      readonly values?: ReadonlyMap<string, string>;
    }
  /** No item has it. */
  | { readonly kind: "unknown" };

/** Facts that compiling a filter needs. */
export interface FilterContext {
  /** @throws Unreadable for a name that cannot be compared here */
  property(name: string): Property;
  /** All values of a text field as written; see neededBy. */
  values(field: string): readonly string[];
  /** All boxes of documents, as `ENVELOPE(...)`; see neededBy. */
  readonly boxes: readonly string[];
  /** Matches all files of the datasets of which a file matches. */
  ofDataset(clause: string): string;
  /** Matches the items with these ids. */
  identified(ids: readonly string[]): string;
}

/** The fields whose values, and whether the boxes, are needed to compile a filter. */
export function neededBy(
  expression: Expression,
  property: FilterContext["property"],
): { readonly fields: ReadonlySet<string>; readonly boxes: boolean } {
  const fields = new Set<string>();
  let boxes = false;
  const addField = (name: string): void => {
    const found = property(name);
    if (found.kind === "text") fields.add(found.field);
  };
  const visit = (one: Expression): void => {
    if (one.kind === "all" || one.kind === "any") one.of.forEach(visit);
    else if (one.kind === "not") visit(one.of);
    else if (one.kind === "spatial") boxes = true;
    else if (one.kind === "between" || one.kind === "like") addField(one.name.property);
    else if (one.kind === "compare" && !["=", "<>"].includes(one.comparator)) {
      addField(one.name.property);
    } else if (one.kind === "array" && ["equals", "containedBy"].includes(one.relation)) {
      addField(one.name);
    }
  };
  visit(expression);
  return { fields, boxes };
}
