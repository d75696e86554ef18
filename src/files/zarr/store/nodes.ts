/**
 * Finds the groups and arrays of a zarr store, and the chunk keys of its arrays.
 *
 * Sources: zarr v2 specification, "Chunks" and "dimension_separator"; zarr v3 core specification, "Regular grids" and
 * "Chunk key encoding".
 */
import { isObject, type JsonObject as Json } from "../../../domain/text/json-object.js";
import { chunkGrid } from "../../netcdf/chunk-table.js";
import { DamagedFile } from "../../netcdf/errors.js";
import { joinKey, parentOf } from "../metadata/keys.js";
import type { StoreFormat } from "./format.js";
import { parseObject, type StoreFiles } from "./metadata.js";

interface GroupNode {
  readonly kind: "group";
  /** Whether its own document includes consolidated metadata (v3). */
  readonly isConsolidated: boolean;
}

interface ArrayNode {
  readonly kind: "array";
  readonly dimensions: number;
  /** Number of chunks along each dimension; undefined for irregular grids. */
  readonly grid: readonly number[] | undefined;
  /** Prefix of chunk keys: "c" (v3, "default"). */
  readonly prefix: string;
  /** Undefined for unknown key encodings, whose chunks are not served. */
  readonly separator: "." | "/" | undefined;
}

export type StoreNode = GroupNode | ArrayNode;

const isCount = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 0;

function gridOf(key: string, shape: unknown, chunks: unknown): number[] | undefined {
  if (!Array.isArray(shape) || !shape.every(isCount)) {
    throw new DamagedFile(`The store's document ${key} has no shape.`);
  }
  if (chunks === undefined) return undefined;
  const fits = Array.isArray(chunks) && chunks.length === shape.length && chunks.every(isCount);
  if (!fits) throw new DamagedFile(`The store's document ${key} has no chunks.`);
  return chunkGrid(shape, chunks as number[]);
}

const separatorOf = (value: unknown, otherwise: "." | "/"): "." | "/" | undefined => {
  if (value === undefined || value === null) return otherwise;
  return value === "." || value === "/" ? value : undefined;
};

function arrayOfVersion2(key: string, document: Json): ArrayNode {
  const { shape, chunks, dimension_separator: separator } = document;
  const grid = gridOf(key, shape, chunks ?? null);
  return {
    kind: "array",
    dimensions: (shape as unknown[]).length,
    grid,
    prefix: "",
    separator: separatorOf(separator, "."),
  };
}

function nodeOfVersion3(key: string, document: Json): StoreNode {
  if (document.node_type !== "array") {
    return { kind: "group", isConsolidated: (document.consolidated_metadata ?? null) !== null };
  }
  const { shape, chunk_grid: chunkGridOf, chunk_key_encoding: encoding } = document;
  const regular =
    isObject(chunkGridOf) && chunkGridOf.name === "regular" && isObject(chunkGridOf.configuration)
      ? chunkGridOf.configuration.chunk_shape
      : undefined;
  const name = isObject(encoding) ? encoding.name : encoding;
  const options =
    isObject(encoding) && isObject(encoding.configuration) ? encoding.configuration : {};
  const isDefault = name === "default";
  return {
    kind: "array",
    dimensions: Array.isArray(shape) ? shape.length : 0,
    grid: gridOf(key, shape, regular),
    prefix: isDefault ? "c" : "",
    separator:
      isDefault || name === "v2"
        ? separatorOf(options.separator, isDefault ? "/" : ".")
        : undefined,
  };
}

/** A node with the documents that describe it. */
interface DescribedNode {
  readonly node: StoreNode;
  /** `.zarray`, or `zarr.json`; empty for a group of zarr v2. */
  readonly document: Json;
  /** Reads the attributes of an array. */
  readonly attributes: () => Promise<Json>;
}

const objectIn = (value: unknown): Json => (isObject(value) ? value : {});

/** @param readGroup decides whether zarr v2 has a group there, if it is no array */
async function describedBy(
  format: StoreFormat,
  keyOf: (name: string) => string,
  read: (name: string) => Promise<Json | undefined>,
  readGroup: () => Promise<GroupNode | undefined>,
): Promise<DescribedNode | undefined> {
  if (format === "zarr v3") {
    const document = await read("zarr.json");
    if (document === undefined) return undefined;
    const node = nodeOfVersion3(keyOf("zarr.json"), document);
    return { node, document, attributes: async () => objectIn(document.attributes) };
  }
  const document = await read(".zarray");
  const attributes = async (): Promise<Json> => (await read(".zattrs")) ?? {};
  if (document !== undefined) {
    return { node: arrayOfVersion2(keyOf(".zarray"), document), document, attributes };
  }
  const node = await readGroup();
  return node && { node, document: {}, attributes };
}

/** The node that a folder's own documents describe. */
function ownNode(
  files: StoreFiles,
  format: StoreFormat,
  path: string,
): Promise<DescribedNode | undefined> {
  const keyOf = (name: string): string => joinKey(path, name);
  const read = async (name: string): Promise<Json | undefined> => {
    const text = await files.text(keyOf(name));
    return text === undefined ? undefined : parseObject(keyOf(name), text);
  };
  return describedBy(format, keyOf, read, async () => {
    const isGroup = Boolean(await files.text(keyOf(".zgroup")));
    return isGroup ? { kind: "group", isConsolidated: false } : undefined;
  });
}

/** The node that the root's consolidated metadata have for a path. */
async function consolidatedNode(
  files: StoreFiles,
  format: StoreFormat,
  path: string,
): Promise<DescribedNode | undefined> {
  const root = await consolidatedMetadata(files, format);
  if (root === undefined) return undefined;
  const { key, members = {} } = root;
  const read = async (name: string): Promise<Json | undefined> => {
    const at = format === "zarr v3" ? path : joinKey(path, name);
    const found = Object.hasOwn(members, at) ? members[at] : undefined;
    return isObject(found) ? found : undefined;
  };
  const keyOf = (): string => `${key}: ${path}`;
  return describedBy(format, keyOf, read, async () => {
    // The consolidated document itself marks the root as a group.
    const isGroup = path === "" || (await read(".zgroup")) !== undefined;
    return isGroup ? { kind: "group", isConsolidated: true } : undefined;
  });
}

/** The root's consolidated metadata, and the document that has them; `members` are its documents or nodes by their keys. */
export async function consolidatedMetadata(
  files: StoreFiles,
  format: StoreFormat,
): Promise<
  { readonly key: string; readonly text: string; readonly members: Json | undefined } | undefined
> {
  const isNew = format === "zarr v3";
  const key = isNew ? "zarr.json" : ".zmetadata";
  const text = await files.text(key);
  if (text === undefined) return undefined;
  const root = parseObject(key, text);
  const { metadata } = objectIn(isNew ? root.consolidated_metadata : root);
  return { key, text, members: isObject(metadata) ? metadata : undefined };
}

/**
 * The node at a path. Nodes are known if groups lead to them from the root, or if the root's consolidated metadata list
 * them. Another store in a subfolder is not part of this one.
 */
export async function describedNode(
  files: StoreFiles,
  format: StoreFormat,
  path: string,
): Promise<DescribedNode | undefined> {
  const own = await ownNode(files, format, path);
  if (own !== undefined && (await isReachable(files, format, path))) return own;
  return consolidatedNode(files, format, path);
}

async function isReachable(files: StoreFiles, format: StoreFormat, path: string): Promise<boolean> {
  for (let at = path; at !== ""; ) {
    at = parentOf(at);
    if ((await ownNode(files, format, at))?.node.kind !== "group") return false;
  }
  return true;
}

/** A chunk index in canonical notation. */
const INDEX = /^(?:0|[1-9]\d{0,15})$/;

/** Maximum dimensions of an array. */
const MAX_DIMENSIONS = 64;

/**
 * The paths of arrays that could have this chunk key, shortest first. Each contains the next, so the search ends at the
 * first array or missing node.
 */
export function arraysOfKey(key: string): string[] {
  const parts = key.split("/");
  const last = parts.pop() ?? "";
  if (last !== "c" && !/^(?:c\.)?\d+(?:\.\d+)*$/.test(last)) return [];
  const candidates = [parts.join("/")];
  while (parts.length > 0 && candidates.length <= MAX_DIMENSIONS) {
    const part = parts.pop() ?? "";
    if (part !== "c" && !INDEX.test(part)) break;
    candidates.push(parts.join("/"));
  }
  return candidates.reverse();
}

/** Whether the rest of a key after the array's path is one of its chunks. */
export function isChunkOf(
  { dimensions, grid, prefix, separator }: ArrayNode,
  rest: string,
): boolean {
  if (separator === undefined) return false;
  // An array without dimensions has one chunk: "c", or "0".
  if (dimensions === 0) return rest === (prefix || "0");
  const parts = rest.split(separator);
  if (prefix !== "" && parts.shift() !== prefix) return false;
  if (parts.length !== dimensions) return false;
  return parts.every(
    (part, d) => INDEX.test(part) && (grid === undefined || Number(part) < (grid[d] ?? 0)),
  );
}
