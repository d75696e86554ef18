/** The header of a file in the words of the CF conventions, whatever the file's format. */

import { doubleIn } from "../netcdf/numbers.js";

/** An attribute is a text, several texts, or numbers; one number is a list of one. */
export type AttributeValue = string | readonly string[] | readonly number[];

type Attributes = ReadonlyMap<string, AttributeValue>;

export interface Variable {
  /** Groups and name, joined by "/". */
  readonly path: string;
  readonly name: string;
  readonly dimensions: readonly string[];
  readonly shape: readonly number[];
  /** As zarr names it, such as `<f4` or `float32`. */
  readonly type: string;
  readonly attributes: Attributes;
}

export interface Header {
  /** Of the file as a whole. */
  readonly attributes: Attributes;
  /** Of all groups. References between them go by name alone, as names are seldom given twice. */
  readonly variables: readonly Variable[];
}

/** What a header says of one thing, or why it does not: a predicate of the file. */
export type Told<T> = { readonly value: T } | { readonly reason: string };

/** Why something cannot be told of a file; the message is a predicate of it. */
export class Unclear extends Error {
  override readonly name = "Unclear";
}

/** An attribute as text without space around it, several values with a space between them; "" where there is none. */
export function textOf(of: Pick<Header, "attributes">, attribute: string): string {
  const value = of.attributes.get(attribute) ?? "";
  return (typeof value === "string" ? value : value.join(" ")).trim();
}

/** An attribute as numbers, as far as it is any. */
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

/** The names in an attribute such as `coordinates`; without the keys of `area: areacella`. */
export function namesIn(of: Pick<Header, "attributes">, attribute: string): string[] {
  const words = textOf(of, attribute).split(/[\s,]+/);
  return words.filter((word) => word !== "" && !word.endsWith(":"));
}

/** In small letters, as names are compared; "" where there is none (CF, 3.3). */
export function standardName(variable: Variable): string {
  return textOf(variable, "standard_name").toLowerCase();
}

/** Whether it is a coordinate variable: one dimension, of its own name (CF, 1.2). */
export function isCoordinateVariable({ name, dimensions }: Variable): boolean {
  return dimensions.length === 1 && dimensions[0] === name;
}

export function isNumeric({ type }: Variable): boolean {
  return /^(?:[<>|=]?[fiu]\d+|(?:float|u?int)\d+)$/.test(type);
}
