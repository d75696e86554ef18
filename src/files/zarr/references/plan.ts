/** Plans references to the chunks of a data set: which arrays, which chunks are in the references themselves. */
import { TimeSlice } from "../../../platform/concurrency/time-slices.js";
import { groupBy } from "../../../platform/group-by.js";
import { chunkGrid, chunkPlace } from "../../netcdf/chunk-table.js";
import { isLasting, TooLarge } from "../../netcdf/errors.js";
import { elementCount } from "../../netcdf/shape.js";
import type { ReferableDataset } from "../dataset/dataset.js";
import { consolidated } from "../metadata/documents.js";
import { numbersIn, parseDocument } from "../metadata/json-object.js";
import { withLeftOut } from "../metadata/json-text.js";
import { joinKey, nameOf, parentOf } from "../metadata/keys.js";
import type { ReadingClient } from "../worker/client.js";

export interface ReferencedArray {
  readonly path: string;
  /** Number of chunks along each dimension. */
  readonly grid: readonly number[];
  /** Chunks that are in the references themselves, by their row-major number. */
  readonly inlined: ReadonlyMap<number, Uint8Array>;
}

export interface ReferencePlan {
  readonly dataset: ReferableDataset;
  /** Documents of zarr v2, without `.zmetadata`. */
  readonly documents: ReadonlyMap<string, string>;
  /** `.zmetadata` of the groups below the root, by their paths: zarr 3 does not list the members of such groups. */
  readonly consolidated: ReadonlyMap<string, string>;
  readonly arrays: readonly ReferencedArray[];
}

/** Bytes of all chunks that are in the references themselves. */
const MAX_INLINED = 8 << 20;
/** Bytes of all chunks of an array that are decoded for that. */
const MAX_DECODED = 64 << 20;
/** Characters of all documents, as often as they are in the references. */
const MAX_METADATA = 16 << 20;

const REASON = "its values have to be decoded, and are too many for references";

/** The key of a chunk by its row-major number in the grid. */
export function chunkKey({ path, grid }: Pick<ReferencedArray, "path" | "grid">, number: number) {
  return joinKey(path, grid.length === 0 ? "0" : chunkPlace(number, grid).join("."));
}

/**
 * The plan of the references to a data set. An array whose chunks cannot be referenced, and are too long to be in the
 * references, is left out, and named in the attributes of its group.
 *
 * @param maxChunks of all arrays together
 */
export async function planReferences(
  dataset: ReferableDataset,
  maxChunks: number,
  client: ReadingClient | undefined,
  signal: AbortSignal,
): Promise<ReferencePlan> {
  const documents = await documentsOf(dataset);
  const found = [...documents].flatMap(([key, text]) =>
    nameOf(key) === ".zarray" ? [{ path: parentOf(key), document: parseDocument(text) }] : [],
  );
  const sized = found.map(({ path, document }) => {
    const chunks = numbersIn(document.chunks);
    const grid = chunkGrid(numbersIn(document.shape), chunks);
    return { path, grid, bytes: elementCount(chunks) * elementBytes(document.dtype) };
  });
  const count = sized.reduce((sum, { grid }) => sum + elementCount(grid), 0);
  if (count > maxChunks) {
    throw new TooLarge(
      `These data have ${count} chunks; these references hold up to ${maxChunks}.`,
    );
  }
  const arrays: ReferencedArray[] = [];
  const leftOut: { path: string; reason: string }[] = [];
  const slice = new TimeSlice();
  let left = MAX_INLINED;
  for (const array of sized) {
    const inlined = await inlinedChunks(dataset, array, left, { client, signal, slice });
    if (typeof inlined === "string") leftOut.push({ path: array.path, reason: inlined });
    else {
      for (const { byteLength } of inlined.values()) left -= byteLength;
      arrays.push({ path: array.path, grid: array.grid, inlined });
    }
  }
  leaveOut(documents, leftOut);
  const groups = [...documents.keys()].filter((key) => nameOf(key) === ".zgroup").map(parentOf);
  const below = groups.filter((group) => group !== "");
  const texts = below.map((path) => [path, consolidated(documents, path)] as const);
  return { dataset, documents, consolidated: new Map(texts), arrays };
}

async function documentsOf(dataset: ReferableDataset): Promise<Map<string, string>> {
  const documents = new Map(await dataset.documents());
  let length = 0;
  for (const [key, text] of documents) {
    // It is consolidated in each group above.
    length += text.length * key.split("/").length;
    if (length > MAX_METADATA) throw new TooLarge("The metadata are too long for references.");
  }
  return documents;
}

/** Bytes of an element; 1 for texts, which have any length. */
function elementBytes(dtype: unknown): number {
  if (Array.isArray(dtype)) {
    return dtype.reduce((sum: number, field) => sum + elementBytes(field?.[1]), 0);
  }
  const [, kind, size] = /^[<>|]([a-zA-Z])(\d+)/.exec(String(dtype)) ?? [];
  return Number(size ?? 1) * (kind === "U" ? 4 : 1);
}

interface Work {
  readonly client: ReadingClient | undefined;
  readonly signal: AbortSignal;
  readonly slice: TimeSlice;
}

/**
 * The chunks of an array that have no range of bytes in the file; the reason, if it must be left out.
 *
 * @param left bytes that the references can take
 */
async function inlinedChunks(
  dataset: ReferableDataset,
  array: { readonly path: string; readonly grid: readonly number[]; readonly bytes: number },
  left: number,
  { client, signal, slice }: Work,
): Promise<Map<number, Uint8Array> | string> {
  const decoded: number[] = [];
  const inlined = new Map<number, Uint8Array>();
  const count = elementCount(array.grid);
  try {
    for (let number = 0; number < count; number++) {
      const place = await dataset.locate(chunkKey(array, number), client);
      if (place === "decoded") decoded.push(number);
      if (decoded.length * array.bytes > MAX_DECODED) return REASON;
      if (slice.isOver) await slice.next();
      signal.throwIfAborted();
    }
    let sum = 0;
    for (const number of decoded) {
      const content = await dataset.content(chunkKey(array, number), client);
      if (content.kind !== "bytes") continue;
      sum += content.data.byteLength;
      if (sum > left) return REASON;
      inlined.set(number, content.data);
      signal.throwIfAborted();
    }
    return inlined;
  } catch (error) {
    if (isLasting(error)) return error.message;
    throw error;
  }
}

function leaveOut(
  documents: Map<string, string>,
  arrays: readonly { readonly path: string; readonly reason: string }[],
): void {
  for (const [group, own] of groupBy(arrays, ({ path }) => parentOf(path))) {
    for (const { path } of own)
      for (const name of [".zarray", ".zattrs"]) documents.delete(joinKey(path, name));
    const key = joinKey(group, ".zattrs");
    const sentences = own.map(({ path, reason }) => `${nameOf(path)}: ${reason}`);
    documents.set(key, withLeftOut(documents.get(key) ?? "{}", sentences));
  }
}
