/** Finds which values of the index a filter must be compared with. */
import type { Expression } from "./expression.js";
import type { FilterContext } from "./property.js";

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
