/** The header of a file in terms of the CF conventions, for any file format. */

import { doubleIn } from "../netcdf/numbers.js";

/** A text, several texts, or numbers; a single number is a list of one. */
export type AttributeValue = string | readonly string[] | readonly number[];

/** By name, in file order. A map, since an attribute may have any name. */
type Attributes = ReadonlyMap<string, AttributeValue>;

export interface Variable {
  /** Groups and name, joined by "/". */
  readonly path: string;
  readonly name: string;
  /** Names, slowest first. */
  readonly dimensions: readonly string[];
  readonly shape: readonly number[];
  /** As zarr names it, such as `<f4` or `float32`. */
  readonly type: string;
  readonly attributes: Attributes;
}

export interface Header {
  /** Global attributes. */
  readonly attributes: Attributes;
  /** Variables of all groups. References between them use the name alone, as names are rarely repeated. */
  readonly variables: readonly Variable[];
}

/** A fact from a header, or why it is unknown, as a predicate of the file. */
export type Finding<T> = { readonly value: T } | { readonly reason: string };

/** A fact about a file cannot be determined. The message is a predicate of the file. */
export class Unclear extends Error {
  override readonly name = "Unclear";
}

/** An attribute as trimmed text, several values joined by spaces; "" if it is missing. */
export function textOf(of: Pick<Header, "attributes">, attribute: string): string {
  const value = of.attributes.get(attribute) ?? "";
  return (typeof value === "string" ? value : value.join(" ")).trim();
}

export function numbersOf(of: Pick<Header, "attributes">, attribute: string): number[] {
  const value = of.attributes.get(attribute) ?? [];
  const parts = typeof value === "string" ? value.split(",") : value;
  return parts.flatMap((part) => {
    if (typeof part === "number") return [part];
    const text = part.trim();
    if (text === "") return [];
    return [doubleIn(text) ?? Number(text)];
  });
}

/** The names in an attribute such as `coordinates`, without the keys in `area: areacella`. */
export function namesIn(of: Pick<Header, "attributes">, attribute: string): string[] {
  const words = textOf(of, attribute).split(/[\s,]+/);
  return words.filter((word) => word !== "" && !word.endsWith(":"));
}

/** The standard name in lower case, for comparison; "" if it is missing (CF, 3.3). */
export function standardName(variable: Variable): string {
  return textOf(variable, "standard_name").toLowerCase();
}

/** Whether a variable has a single dimension of its own name (CF, 1.2). */
export function isCoordinateVariable({ name, dimensions }: Variable): boolean {
  return dimensions.length === 1 && dimensions[0] === name;
}

export function isNumeric({ type }: Variable): boolean {
  return /^(?:[<>|=]?[fiu]\d+|(?:float|u?int)\d+)$/.test(type);
}
