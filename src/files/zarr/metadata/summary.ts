/** Summarises a data set for the web page, from its zarr documents. */
import { isObject } from "../../../domain/text/json-object.js";
import { elementCount } from "../../netcdf/shape.js";
import { type Json, numbersIn, textsIn } from "./json-object.js";
import { LEFT_OUT } from "./keys.js";
import { readGroups, type StoredArray, visibleAttributes } from "./stored-groups.js";

export interface AttributeSummary {
  readonly name: string;
  /** The value as JSON; text without its quotes. */
  readonly text: string;
}

export interface VariableSummary {
  readonly name: string;
  readonly dimensions: readonly string[];
  readonly shape: readonly number[];
  readonly chunks: readonly number[];
  readonly type: string;
  /** Ids of the codecs that clients decode, in order of encoding. */
  readonly codecs: readonly string[];
  /** Uncompressed size in bytes; undefined for text. */
  readonly bytes: number | undefined;
  readonly chunkBytes: number | undefined;
  readonly attributes: readonly AttributeSummary[];
}

export interface GroupSummary {
  /** "" for the root. */
  readonly path: string;
  readonly dimensions: readonly { readonly name: string; readonly length: number }[];
  readonly variables: readonly VariableSummary[];
  readonly attributes: readonly AttributeSummary[];
  /** Omitted members with the reason, one sentence each. */
  readonly leftOut: readonly string[];
}

export interface Summary {
  readonly format: string;
  /** Size of the file in bytes; undefined for a store. */
  readonly fileBytes: number | undefined;
  readonly groups: readonly GroupSummary[];
}

function attributesOf(document: Json): AttributeSummary[] {
  return visibleAttributes(document).map(([name, value]) => ({
    name,
    text: typeof value === "string" ? value : JSON.stringify(value, infinityAsText),
  }));
}

function infinityAsText(_name: string, value: unknown): unknown {
  return typeof value === "number" && !Number.isFinite(value) ? String(value) : value;
}

/** A summary of bounded length, which says where it was cut. @param documents keys -> JSON text of zarr v2 */
export function summarize(
  format: string,
  fileBytes: number | undefined,
  documents: ReadonlyMap<string, string>,
): Summary {
  const groups = readGroups(documents).map(({ path, attributes, arrays }): GroupSummary => {
    const variables = arrays.map(summarizeArray);
    return {
      path,
      variables,
      dimensions: dimensionsOf(variables),
      attributes: attributesOf(attributes),
      leftOut: textsIn(attributes[LEFT_OUT]),
    };
  });
  return abridged({ format, fileBytes, groups });
}

/** Characters of a summary: more than anybody reads. */
const MAX_LENGTH = 2 << 20;
const MAX_SHOWN = 10_000;

function abridged(summary: Summary): Summary {
  let left = MAX_LENGTH;
  let leftOut = 0;
  const attributes = (all: readonly AttributeSummary[]): AttributeSummary[] =>
    all.flatMap(({ name, text }) => {
      const shown = text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
      left -= name.length + shown.length + 40;
      return left > 0 ? [{ name, text: shown }] : [];
    });
  const groups = summary.groups.flatMap((group): GroupSummary[] => {
    if (left <= 0) {
      leftOut += 1 + group.variables.length;
      return [];
    }
    const own = attributes(group.attributes);
    const variables = group.variables.flatMap((variable): VariableSummary[] => {
      left -= JSON.stringify({ ...variable, attributes: undefined }).length;
      if (left > 0) return [{ ...variable, attributes: attributes(variable.attributes) }];
      leftOut += 1;
      return [];
    });
    const dimensions = left > 0 ? group.dimensions : [];
    const notRead = group.leftOut.filter((note) => {
      left -= note.length + 20;
      return left > 0;
    });
    return [{ ...group, variables, dimensions, attributes: own, leftOut: notRead }];
  });
  if (left > 0) return { ...summary, groups };
  const [first, ...others] = groups;
  const note = {
    name: "…",
    text: `${leftOut} variables and groups, and some attributes, are not shown.`,
  };
  if (first === undefined) return { ...summary, groups };
  const root = { ...first, attributes: [...first.attributes, note] };
  return { ...summary, groups: [root, ...others] };
}

/** The dimensions of variables, each once. */
export function dimensionsOf(
  variables: readonly Pick<VariableSummary, "dimensions" | "shape">[],
): GroupSummary["dimensions"] {
  const lengths = new Map<string, number>();
  for (const { dimensions, shape } of variables) {
    for (const [d, name] of dimensions.entries()) lengths.set(name, shape[d] ?? 0);
  }
  return [...lengths].map(([name, length]) => ({ name, length }));
}

function summarizeArray({ name, array, attributes, dimensions }: StoredArray): VariableSummary {
  const shape = numbersIn(array.shape);
  const chunks = numbersIn(array.chunks);
  const type = typeof array.dtype === "string" ? array.dtype : JSON.stringify(array.dtype);
  const size = type === "|O" ? undefined : Number(/^[<>|][a-zA-Z](\d+)$/.exec(type)?.[1]);
  const filters = Array.isArray(array.filters) ? array.filters : [];
  const count = (lengths: readonly number[]): number | undefined =>
    size === undefined || Number.isNaN(size) ? undefined : elementCount(lengths) * size;
  return {
    name,
    dimensions,
    shape,
    chunks,
    type,
    codecs: [...filters, array.compressor].flatMap((codec) =>
      isObject(codec) && typeof codec.id === "string" ? [codec.id] : [],
    ),
    bytes: count(shape),
    chunkBytes: count(chunks),
    attributes: attributesOf(attributes),
  };
}
