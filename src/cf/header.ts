/** The header of a file in the words of the CF conventions, whatever the file's format. */
import type { Summary } from "../zarr/summary.js";

export interface Variable {
  /** Groups and name, joined by "/". */
  readonly path: string;
  readonly name: string;
  readonly dimensions: readonly string[];
  readonly shape: readonly number[];
  /** As zarr names it, such as `<f4` or `float32`. */
  readonly type: string;
  /** Text as it is, anything else as JSON. */
  readonly attributes: ReadonlyMap<string, string>;
}

export interface Header {
  /** Of the file as a whole. */
  readonly attributes: ReadonlyMap<string, string>;
  /** Of all groups. References between them go by name alone, as names are seldom given twice. */
  readonly variables: readonly Variable[];
}

/** What a header says of one thing, or why it does not: a predicate of the file. */
export type Told<T> = { readonly value: T } | { readonly reason: string };

/** Why something cannot be told of a file; the message is a predicate of it. */
export class Unclear extends Error {
  override readonly name = "Unclear";
}

const attributesOf = (list: readonly { readonly name: string; readonly text: string }[]) =>
  new Map(list.map(({ name, text }) => [name, text]));

export function headerOf({ groups }: Summary): Header {
  const root = groups.find(({ path }) => path === "");
  return {
    attributes: attributesOf(root?.attributes ?? []),
    variables: groups.flatMap(({ path, variables }) =>
      variables.map(({ name, dimensions, shape, type, attributes }) => ({
        path: path === "" ? name : `${path}/${name}`,
        name,
        dimensions,
        shape,
        type,
        attributes: attributesOf(attributes),
      })),
    ),
  };
}

/** An attribute's text without space around it; "" where there is none. */
export function textOf(of: Pick<Header, "attributes">, attribute: string): string {
  return of.attributes.get(attribute)?.trim() ?? "";
}

/** The names in an attribute such as `coordinates`; without the keys of `area: areacella`. */
export function namesIn(of: Pick<Header, "attributes">, attribute: string): string[] {
  const words = textOf(of, attribute).split(/[\s,"[\]]+/);
  return words.filter((word) => word !== "" && !word.endsWith(":"));
}

/** Whether it is a coordinate variable: one dimension, of its own name (CF, 1.2). */
export function isCoordinateVariable({ name, dimensions }: Variable): boolean {
  return dimensions.length === 1 && dimensions[0] === name;
}

export function isNumeric({ type }: Variable): boolean {
  return /^(?:[<>|=]?[fiu]\d+|(?:float|u?int)\d+)$/.test(type);
}

export function elementsOf({ shape }: Variable): number {
  return shape.reduce((product, length) => product * length, 1);
}
