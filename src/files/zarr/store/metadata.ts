/** Builds consolidated metadata for stores without them. HTTP has no listing, so clients would see an empty store. */

import { isObject } from "../../../domain/text/json-object.js";
import { DamagedFile, ReadingTimeout, TooLarge } from "../../netcdf/errors.js";
import { memberTexts, objectText } from "../metadata/json-text.js";
import { joinKey } from "../metadata/keys.js";
import { strictJson } from "../metadata/strict-json.js";

export interface Folder {
  readonly name: string;
  /** The path with links resolved. */
  readonly real: string;
}

/** Access to a store; keys are relative to its root. */
export interface StoreFiles {
  /** The text of a document; undefined if it does not exist. */
  text(key: string): Promise<string | undefined>;
  /** The folders in a folder, without those that links lead out to. */
  folders(key: string): Promise<Folder[]>;
}

/** Limits on the number of documents and on their characters. */
const MAX_DOCUMENTS = 10_000;
const MAX_LENGTH = 64 << 20;
const MAX_DEPTH = 32;
/** Milliseconds. */
const TIME = 10_000;
/** Folders read concurrently. */
const MAX_AT_ONCE = 16;

/** A folder to read. */
interface Place {
  /** Relative to the group whose metadata are built. */
  readonly path: string;
  /** Real paths of the folders above. If one occurs again, there is a loop. */
  readonly way: readonly string[];
}

interface Node {
  readonly isGroup: boolean;
  readonly documents: readonly (readonly [string, string])[];
}

/** Parses a document as an object. */
export function parseObject(key: string, text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(strictJson(text));
    if (isObject(value)) return value;
  } catch (cause) {
    throw new DamagedFile(`The store's document ${key} is not JSON.`, { cause });
  }
  throw new DamagedFile(`The store's document ${key} is not an object.`);
}

/** The documents of a node, those that say what it is first. */
const NAMES = { 2: [".zarray", ".zgroup", ".zattrs"], 3: ["zarr.json"] } as const;

/** The documents in a folder; undefined if it is neither a group nor an array. */
async function nodeAt(files: StoreFiles, path: string, version: 2 | 3): Promise<Node | undefined> {
  const names: readonly string[] = NAMES[version];
  const texts = await Promise.all(names.map((name) => files.text(joinKey(path, name))));
  const documents = names.flatMap((name, i): [string, string][] => {
    const text = texts[i];
    return text === undefined ? [] : [[name, text]];
  });
  const parsed = documents.map(([name, text]) => parseObject(joinKey(path, name), text));
  const name = documents[0]?.[0] ?? ".zattrs";
  if (name === ".zattrs") return undefined;
  const isArray = version === 2 ? name === ".zarray" : parsed[0]?.node_type === "array";
  return { isGroup: !isArray, documents };
}

/**
 * The documents of a group and everything below, by keys relative to the group.
 *
 * Returns all or throws: a part would look like the whole store.
 */
export async function documentsBelow(
  files: StoreFiles,
  group: string,
  version: 2 | 3,
): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const end = performance.now() + TIME;
  let length = 0;
  const put = (key: string, text: string): void => {
    found.set(key, text);
    length += text.length;
    if (found.size > MAX_DOCUMENTS || length > MAX_LENGTH) {
      throw new TooLarge("The store has more metadata than are gathered; consolidate them.");
    }
  };
  const look = async ({ path, way }: Place): Promise<Place[]> => {
    if (performance.now() > end) throw new ReadingTimeout("Listing this store takes too long.");
    const node = await nodeAt(files, joinKey(group, path), version);
    for (const [name, text] of node?.documents ?? []) put(joinKey(path, name), text);
    // Below an array there are only chunks, possibly very many.
    if (node?.isGroup !== true) return [];
    if (way.length > MAX_DEPTH) throw new TooLarge("The store's groups are nested too deep.");
    return (await files.folders(joinKey(group, path)))
      .filter(({ real }) => !way.includes(real))
      .map(({ name, real }) => ({ path: joinKey(path, name), way: [...way, real] }));
  };
  const places: Place[] = [{ path: "", way: [] }];
  while (places.length > 0) {
    const next = await Promise.all(places.splice(0, MAX_AT_ONCE).map(look));
    // Too many for the arguments of one call.
    for (const place of next.flat()) places.push(place);
  }
  return new Map([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Consolidated metadata as zarr-python 3 writes them. */
export const inline = (members: Iterable<readonly [string, string]>): string =>
  `{"kind":"inline","must_understand":false,"metadata":${objectText(members)}}`;

/** A group's `zarr.json` with its consolidated metadata replaced. */
function withConsolidated(text: string, metadata: string): string {
  const own = memberTexts(text).filter(([name]) => name !== "consolidated_metadata");
  return objectText([...own, ["consolidated_metadata", metadata]]);
}

/**
 * `zarr.json` of a zarr v3 group with its content consolidated as zarr-python 3 does: flat, by path, without
 * consolidated metadata in inner groups.
 *
 * @returns undefined for arrays, and for groups that have consolidated metadata: they stay unchanged
 */
export async function consolidatedVersion3(
  files: StoreFiles,
  group: string,
): Promise<string | undefined> {
  const own = await files.text(joinKey(group, "zarr.json"));
  if (own === undefined) return undefined;
  const node = parseObject(joinKey(group, "zarr.json"), own);
  if (node.node_type !== "group" || (node.consolidated_metadata ?? null) !== null) return undefined;
  const members: [string, string][] = [];
  for (const [key, text] of await documentsBelow(files, group, 3)) {
    if (key === "zarr.json") continue;
    const isGroup = parseObject(key, text).node_type === "group";
    const path = key.slice(0, -"/zarr.json".length);
    members.push([path, isGroup ? withConsolidated(text, inline([])) : text]);
  }
  return withConsolidated(own, inline(members));
}
