/** Builds a CF header from zarr documents, whatever the data are stored in. */
import type { AttributeValue, Header } from "../../cf/header.js";
import { numbersIn, textsIn } from "./json-object.js";
import { LEFT_OUT } from "./keys.js";
import { readGroups, visibleAttributes } from "./stored-groups.js";

export interface DatasetHeader extends Header {
  /** Omitted members of all groups with the reason, one sentence each. */
  readonly leftOut: readonly string[];
}

/** Parts of a file that cannot be read, as sentences. Types that zarr lacks are left out too, with a phrase for a reason. */
export const brokenParts = ({ leftOut }: DatasetHeader): string[] =>
  leftOut.filter((sentence) => sentence.endsWith("."));

/** @param documents keys -> JSON text of zarr v2 */
export function readHeader(documents: ReadonlyMap<string, string>): DatasetHeader {
  const groups = readGroups(documents);
  const root = groups.find(({ path }) => path === "");
  return {
    attributes: attributesOf(root?.attributes ?? {}),
    variables: groups.flatMap(({ arrays }) =>
      arrays.map(({ path, name, dimensions, array, attributes }) => ({
        path,
        name,
        dimensions,
        shape: numbersIn(array.shape),
        type: typeof array.dtype === "string" ? array.dtype : JSON.stringify(array.dtype),
        attributes: attributesOf(attributes),
      })),
    ),
    leftOut: groups.flatMap(({ attributes }) => textsIn(attributes[LEFT_OUT])),
  };
}

/** Attributes as CF has them: texts or lists of numbers. */
export const attributesOf = (
  attributes: Readonly<Record<string, unknown>>,
): ReadonlyMap<string, AttributeValue> =>
  new Map(visibleAttributes(attributes).map(([name, value]) => [name, typed(value)]));

/** Makes a single number a list, as netCDF does not distinguish them. Other values stay JSON text. */
function typed(value: unknown): AttributeValue {
  if (typeof value === "string") return value;
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  // JSON stores NaN as text.
  const isNumber = (one: unknown): boolean => typeof one === "number" || one === "NaN";
  if (list.length > 0 && list.some((one) => typeof one === "number") && list.every(isNumber)) {
    return list.map(Number);
  }
  if (list.every((one) => typeof one === "string")) return list;
  return JSON.stringify(value);
}
