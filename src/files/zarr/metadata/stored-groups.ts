/** Reads groups and arrays from zarr v2 documents. */
import { type Json, parseDocument, textsIn } from "./json-object.js";
import { DIMENSIONS, joinKey, LEFT_OUT, nameOf, parentOf } from "./keys.js";

export interface StoredArray {
  readonly path: string;
  readonly name: string;
  readonly dimensions: readonly string[];
  /** `.zarray`. */
  readonly array: Json;
  readonly attributes: Json;
}

interface StoredGroup {
  /** "" for the root. */
  readonly path: string;
  readonly attributes: Json;
  readonly arrays: readonly StoredArray[];
}

/** @param documents keys -> JSON text */
export function readGroups(documents: ReadonlyMap<string, string>): StoredGroup[] {
  const groups = new Map<string, StoredArray[]>();
  const read = (key: string): Json => {
    const text = documents.get(key);
    return text === undefined ? {} : parseDocument(text);
  };
  const attributesAt = (path: string): Json => read(joinKey(path, ".zattrs"));
  const membersOf = (path: string): StoredArray[] => {
    const members = groups.get(path) ?? [];
    groups.set(path, members);
    return members;
  };
  for (const key of documents.keys()) {
    const path = parentOf(key);
    if (nameOf(key) === ".zgroup") membersOf(path);
    if (nameOf(key) !== ".zarray") continue;
    const attributes = attributesAt(path);
    const dimensions = textsIn(attributes[DIMENSIONS]);
    const array = { path, name: nameOf(path), dimensions, array: read(key), attributes };
    membersOf(parentOf(path)).push(array);
  }
  return [...groups].map(([path, arrays]) => ({ path, attributes: attributesAt(path), arrays }));
}

/** The attributes without those that zarr and xarray reserve. */
export function visibleAttributes(attributes: Json): [name: string, value: unknown][] {
  return Object.entries(attributes).filter(([name]) => name !== DIMENSIONS && name !== LEFT_OUT);
}
