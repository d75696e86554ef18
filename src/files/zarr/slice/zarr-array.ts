/** Reads selections of zarr arrays with zarrita, in a reading process or in a browser. */
import {
  type AsyncReadable,
  BoolArray,
  type DataType,
  open,
  type RangeQuery,
  type Array as ZarrArray,
} from "zarrita";
import { DamagedFile, NotReadableFormat, ReadingError } from "../../netcdf/errors.js";
import { elementCount } from "../../netcdf/shape.js";
import type { Json } from "../metadata/json-object.js";
import { copyPart, Parts, type Target } from "./gather.js";
import type { Selection } from "./selection.js";
import type { Unpack } from "./unpack.js";
import { forZarrita } from "./zarrita.js";

interface StoredChunks {
  readonly version: 2 | 3;
  /** `.zarray`, or `zarr.json` of an array. */
  readonly document: Json;
  /** The bytes of a chunk, or a part of them, by its key below the array; undefined if it is unwritten. */
  chunk(key: string, part?: RangeQuery, signal?: AbortSignal): Promise<Uint8Array | undefined>;
}

export type NumberArray = ZarrArray<DataType>;

/** @throws zarrita's errors, for `readingError` */
export async function openArray({ version, document, chunk }: StoredChunks): Promise<NumberArray> {
  const metadata = new TextEncoder().encode(JSON.stringify(forZarrita(version, document)));
  // Rooted at the array, so that zarrita does not interpret its path.
  const store: AsyncReadable = {
    get: async (key, options) => {
      if (/^\/(?:\.zarray|zarr\.json)$/.test(key)) return metadata;
      return chunk(key.slice(1), undefined, options?.signal);
    },
    getRange: (key, part, options) => chunk(key.slice(1), part, options?.signal),
  };
  return version === 3
    ? open.v3(store, { kind: "array" })
    : open.v2(store, { kind: "array", attrs: false });
}

/** The place of the wanted part in a value of `size` bytes; all of it without a query. */
export function placeOfPart(
  size: number,
  part: RangeQuery | undefined,
): { readonly from: number; readonly count: number } {
  if (part === undefined) return { from: 0, count: size };
  const isSuffix = !("offset" in part);
  const from = isSuffix ? Math.max(0, size - part.suffixLength) : part.offset;
  const wanted = isSuffix ? part.suffixLength : part.length;
  return { from, count: Math.max(0, Math.min(size - from, wanted)) };
}

/**
 * An error of zarrita's as one of reading.
 *
 * @param values the subject of its sentence, in the plural
 */
export function readingError(error: unknown, values: string): ReadingError {
  if (error instanceof ReadingError) return error;
  const detail = error instanceof Error ? error.message : String(error);
  const isUnknown =
    error instanceof Error &&
    (/^(?:UnknownCodec|Unsupported)Error$/.test(error.name) ||
      /unsupported dataType/i.test(detail));
  return isUnknown
    ? new NotReadableFormat(`${values} are stored in a way that is not read: ${detail}`)
    : new DamagedFile(`${values} cannot be read: ${detail}`, { cause: error });
}

/** The elements of a chunk, and the distance between indexes along each dimension. */
export interface DecodedChunk {
  readonly data: ArrayLike<number | bigint>;
  readonly bytes: number;
  readonly stride: readonly number[];
}

/** @throws zarrita's errors, and Error if the chunk's length does not fit the array's metadata, or if it has no numbers */
export async function decodedChunk(
  array: NumberArray,
  place: readonly number[],
  signal?: AbortSignal,
): Promise<DecodedChunk> {
  const { data, stride } = await array.getChunk([...place], signal === undefined ? {} : { signal });
  const elements = data instanceof BoolArray ? Uint8Array.from(data, Number) : data;
  const isWhole =
    ArrayBuffer.isView(elements) &&
    "length" in elements &&
    elements.length === elementCount(array.chunks);
  if (!isWhole) throw new Error("a chunk is not as long as its shape says");
  return { data: elements as ArrayLike<number | bigint>, bytes: elements.byteLength, stride };
}

/** Fills a target with a selection, `together` chunks at a time. The steps are those of `copyPart`. */
export async function readSelection(
  array: Pick<NumberArray, "chunks">,
  selection: Selection,
  unpack: Unpack,
  target: Target,
  steps: readonly number[],
  chunkAt: (place: readonly number[]) => Promise<DecodedChunk>,
  together = 1,
): Promise<void> {
  const { chunks } = array;
  const parts = new Parts(selection, chunks)[Symbol.iterator]();
  const work = async (): Promise<void> => {
    for (let next = parts.next(); next.done !== true; next = parts.next()) {
      const { place } = next.value;
      const { data, stride } = await chunkAt(place);
      const start = place.map((index, d) => index * (chunks[d] ?? 1));
      const value = (at: number): number => unpack(data[at] ?? Number.NaN);
      copyPart(selection, next.value, { value, start, steps: stride }, target, steps);
    }
  };
  await Promise.all(Array.from({ length: together }, work));
}
