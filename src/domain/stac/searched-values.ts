/** The values that a search for items selects, in the terms in which all searches are counted. */
import type { Expression } from "../cql2/expression.js";
import type { SearchedValue } from "../search/search.js";
import { FLAVOURS, type Flavour } from "../vocabulary/flavours.js";
import type { ItemSearchInput } from "./item-search.js";
import { propertyOf, sharedStandard } from "./properties.js";

/** Stands for a value that is not counted, and for a name that is not one of the catalogue's. */
const ANY = "*";
const FILTER = "filter";

/** A pattern of CQL2 with the wildcards of other searches. */
const wildcards = (pattern: string): string =>
  pattern.replace(/\\(.)|%|_/g, (match, escaped: string | undefined) => {
    if (escaped !== undefined) return escaped;
    return match === "%" ? "*" : "?";
  });

/** The standard of a search: that of its collections if they have one, else native names. */
export const flavourOf = ({ collections = [] }: ItemSearchInput): Flavour =>
  sharedStandard(collections) ?? FLAVOURS.native;

/** Values and native names of a search. Periods, regions and free text are counted as given, not what they are. */
export function searchedValues(input: ItemSearchInput): SearchedValue[] {
  const { collections = [], ids = [], q = [], bbox, intersects, datetime } = input;
  const standard = sharedStandard(collections);
  const value = (key: string, text: string, isExcluded = false): SearchedValue => ({
    key,
    value: text,
    isExcluded,
  });
  const keyOf = (name: string): string => {
    const property = propertyOf(name, standard);
    if (property.kind === "text") return property.field;
    if (property.kind === "instant") return "time";
    return property.kind === "id" ? "dataset_id" : FILTER;
  };
  const texts = (name: string, values: readonly unknown[], isExcluded: boolean) => {
    const key = keyOf(name);
    const isText = key !== FILTER && key !== "time";
    return values.map((one) => value(key, isText ? String(one) : ANY, isExcluded));
  };
  const valuesIn = (expression: Expression, isExcluded: boolean): SearchedValue[] => {
    switch (expression.kind) {
      case "all":
      case "any":
        return expression.of.flatMap((one) => valuesIn(one, isExcluded));
      case "not":
        return valuesIn(expression.of, !isExcluded);
      case "constant":
        return [];
      case "null":
        return [value(keyOf(expression.name), ANY, !isExcluded)];
      case "compare": {
        const isOther = (expression.comparator === "<>") !== isExcluded;
        const isEqual = expression.comparator === "=" || expression.comparator === "<>";
        const { property } = expression.name;
        return isEqual
          ? texts(property, [expression.value], isOther)
          : [value(keyOf(property), ANY, isExcluded)];
      }
      case "between":
        return [value(keyOf(expression.name.property), ANY, isExcluded)];
      case "in":
        return texts(expression.name.property, expression.values, isExcluded);
      case "like":
        return texts(expression.name.property, [wildcards(expression.pattern)], isExcluded);
      case "array":
        return texts(expression.name, expression.values, isExcluded);
      case "spatial":
        return [value("bbox", ANY, isExcluded)];
      case "temporal":
        return [value("time", ANY, isExcluded)];
    }
  };
  return [
    ...collections.map((one) => value("project", one)),
    ...ids.map((one) => value("dataset_id", one)),
    ...q.map(() => value("q", ANY)),
    ...(bbox === undefined && intersects === undefined ? [] : [value("bbox", ANY)]),
    ...(datetime === undefined ? [] : [value("time", ANY)]),
    ...[input.filter, input.query].flatMap((one) =>
      one === undefined ? [] : valuesIn(one, false),
    ),
  ];
}
