/** What a person wants to see of a data set; made of its documents, whatever it is stored in. */

import { strictJson } from "./json-text.js";
import { joinKey, LEFT_OUT, nameOf, parentOf } from "./keys.js";

export interface AttributeSummary {
  readonly name: string;
  /** The value as JSON, text without its quotes. */
  readonly text: string;
}

export interface VariableSummary {
  readonly name: string;
  readonly dimensions: readonly string[];
  readonly shape: readonly number[];
  readonly chunks: readonly number[];
  readonly type: string;
  /** Ids of the codecs that a client undoes, in the order in which they were applied. */
  readonly codecs: readonly string[];
  /** Bytes of all values, uncompressed; undefined for text. */
  readonly bytes: number | undefined;
  readonly chunkBytes: number | undefined;
  readonly attributes: readonly AttributeSummary[];
}

export interface GroupSummary {
  /** The root's is "". */
  readonly path: string;
  readonly dimensions: readonly { readonly name: string; readonly length: number }[];
  readonly variables: readonly VariableSummary[];
  readonly attributes: readonly AttributeSummary[];
  /** What of it is not served, and why; one sentence each. */
  readonly leftOut: readonly string[];
}

export interface Summary {
  readonly format: string;
  /** Bytes of the file; undefined for a store of many. */
  readonly fileBytes: number | undefined;
  readonly groups: readonly GroupSummary[];
}

type Json = Readonly<Record<string, unknown>>;

/** Attributes may hold the bare tokens NaN and Infinity, which JSON.parse does not know. */
export function parseDocument(text: string): Json {
  const value: unknown = JSON.parse(strictJson(text));
  return isObject(value) ? value : {};
}

export function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const numbers = (value: unknown): number[] =>
  Array.isArray(value) ? value.filter((item): item is number => typeof item === "number") : [];

const texts = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((item): item is string => typeof item === "string") : [];

function attributesOf(document: Json): AttributeSummary[] {
  return Object.entries(document)
    .filter(([name]) => name !== "_ARRAY_DIMENSIONS" && name !== LEFT_OUT)
    .map(([name, value]) => ({
      name,
      text: typeof value === "string" ? value : JSON.stringify(value, infinityAsText),
    }));
}

function infinityAsText(_name: string, value: unknown): unknown {
  return typeof value === "number" && !Number.isFinite(value) ? String(value) : value;
}

/** @param documents keys -> JSON text of zarr v2 */
export function summarize(
  format: string,
  fileBytes: number | undefined,
  documents: ReadonlyMap<string, string>,
): Summary {
  const groups = new Map<string, VariableSummary[]>();
  const read = (key: string): Json => {
    const text = documents.get(key);
    return text === undefined ? {} : parseDocument(text);
  };
  for (const key of documents.keys()) {
    if (nameOf(key) === ".zgroup") groups.set(parentOf(key), groups.get(parentOf(key)) ?? []);
    if (nameOf(key) !== ".zarray") continue;
    const path = parentOf(key);
    const variable = summarizeArray(nameOf(path), read(key), read(joinKey(path, ".zattrs")));
    const siblings = groups.get(parentOf(path)) ?? [];
    siblings.push(variable);
    groups.set(parentOf(path), siblings);
  }
  return {
    format,
    fileBytes,
    groups: [...groups].map(([path, variables]) => {
      const attributes = read(joinKey(path, ".zattrs"));
      return {
        path,
        variables,
        dimensions: dimensionsOf(variables),
        attributes: attributesOf(attributes),
        leftOut: texts(attributes[LEFT_OUT]),
      };
    }),
  };
}

function dimensionsOf(variables: readonly VariableSummary[]): GroupSummary["dimensions"] {
  const lengths = new Map<string, number>();
  for (const { dimensions, shape } of variables) {
    for (const [d, name] of dimensions.entries()) lengths.set(name, shape[d] ?? 0);
  }
  return [...lengths].map(([name, length]) => ({ name, length }));
}

function summarizeArray(name: string, array: Json, attributes: Json): VariableSummary {
  const shape = numbers(array.shape);
  const chunks = numbers(array.chunks);
  const type = typeof array.dtype === "string" ? array.dtype : JSON.stringify(array.dtype);
  const size = type === "|O" ? undefined : Number(/^[<>|][a-zA-Z](\d+)$/.exec(type)?.[1]);
  const filters = Array.isArray(array.filters) ? array.filters : [];
  const count = (lengths: readonly number[]): number | undefined =>
    size === undefined || Number.isNaN(size) ? undefined : lengths.reduce((a, b) => a * b, size);
  return {
    name,
    dimensions: texts(attributes._ARRAY_DIMENSIONS),
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
