/** Plans how a variable is served as a zarr v2 array: its chunks, codecs and fill value. */

import { chunkBytes } from "../../netcdf/hdf5/chunks/chunked-storage.js";
import type { Storage, Variable } from "../../netcdf/model.js";
import { decodeNumber, encodeFillNumber } from "../../netcdf/numbers.js";
import { elementCount } from "../../netcdf/shape.js";
import { compareBytes } from "../../netcdf/source/cursor.js";
import { blockShape, PIECE_BYTES, recordChunks, recordsPerChunk, SMALL } from "./chunk-shape.js";
import { type Codec, codecsOf } from "./codecs.js";

/** Elements of a chunk of text. */
const TEXTS_PER_CHUNK = 1 << 16;
/** One-dimensional chunks of fewer bytes are joined. */
const TINY = 1 << 16;

export interface ArrayPlan {
  /** Names from the root, joined by "/". */
  readonly path: string;
  readonly variable: Variable;
  /** Shape of a zarr chunk. */
  readonly chunks: readonly number[];
  /** Codecs that the client decodes. */
  readonly codecs: readonly Codec[];
  /** Whether a zarr chunk is a stored chunk that can be sent unchanged. */
  readonly isStoredChunk: boolean;
  /** Whether stored chunks end in a checksum, which is verified and removed. */
  readonly isChecked: boolean;
  /** The fill value: its text for `.zarray`, and the element that it means. */
  readonly fill: ServedFill | undefined;
}

export interface ServedFill {
  readonly text: number | bigint | string;
  readonly bytes: Uint8Array;
  /**
   * Whether all clients derive this element from the text, so that missing chunks can be left to them: JavaScript reads
   * integers as doubles, and zarrita takes the base64 of a character for text.
   */
  readonly isCommon: boolean;
}

type Chunking = Pick<ArrayPlan, "chunks" | "codecs" | "isStoredChunk" | "isChecked">;

export function planArray(path: string, variable: Variable): ArrayPlan {
  return { path, variable, ...planChunks(variable), fill: servedFill(variable) };
}

const atLeastOne = (shape: readonly number[]): number[] =>
  shape.map((length) => Math.max(1, length));

/** Chunks built from stored values and sent without codecs. */
export const decoded = (chunks: readonly number[]): Chunking => ({
  chunks,
  codecs: [],
  isStoredChunk: false,
  isChecked: false,
});

function planChunks(variable: Variable): Chunking {
  const { shape, storage, stored } = variable;
  const whole = decoded(atLeastOne(shape));
  const bytes = elementCount(shape) * stored.size;
  if (storage.kind === "chunked") return planStored(variable, storage, bytes);
  if (bytes <= SMALL || storage.kind === "compact") return whole;
  if (storage.kind === "records") {
    const records = recordsPerChunk(shape, stored.size);
    return { ...whole, chunks: recordChunks(shape, stored.size, records) };
  }
  const wanted =
    stored.kind === "vlen-text" ? TEXTS_PER_CHUNK : Math.floor(PIECE_BYTES / stored.size);
  return { ...whole, chunks: blockShape(shape, Math.max(1, wanted)) };
}

function planStored(
  variable: Variable,
  storage: Extract<Storage, { kind: "chunked" }>,
  bytes: number,
): Chunking {
  const { shape, type, stored } = variable;
  const { chunk } = storage.chunks;
  const isOne = shape.every((length, d) => length <= (chunk[d] ?? 1));
  const passing = storedChunking(variable, storage);
  if (bytes <= SMALL && !(isOne && passing !== undefined)) return decoded(atLeastOne(shape));
  const [only = 1, ...others] = chunk;
  if (others.length === 0 && only * stored.size < TINY && !isOne) {
    const size = type.kind === "text" ? SMALL / TEXTS_PER_CHUNK : stored.size;
    return decoded([only * Math.max(1, Math.floor(SMALL / (only * size)))]);
  }
  return passing ?? decoded(chunk);
}

/** The stored chunks; undefined if clients cannot decode them. */
export function storedChunking(
  { stored }: Variable,
  { chunks, filters }: Extract<Storage, { kind: "chunked" }>,
): Chunking | undefined {
  const passing =
    stored.kind === "as-is" ? codecsOf(filters, stored.size, chunkBytes(chunks)) : undefined;
  return passing && { chunks: chunks.chunk, isStoredChunk: true, ...passing };
}

/**
 * The fill value for `.zarray`. xarray reads it as `_FillValue`, so it is that attribute or none. None also if
 * unwritten stored values have another value.
 */
function servedFill(variable: Variable): ServedFill | undefined {
  const { type, storage, fill } = variable;
  const value = encodeFill(variable);
  if (value === undefined || storage.kind !== "chunked" || type.kind !== "plain") return value;
  const unwritten = fill ?? new Uint8Array(value.bytes.length);
  return sameElement(type.dtype, unwritten, value.bytes) ? value : undefined;
}

/** The fill value of the attribute `_FillValue`; undefined without it, or if the type cannot represent it. */
export function encodeFill({
  attributes,
  type,
}: Pick<Variable, "attributes" | "type">): ServedFill | undefined {
  const attribute = (name: string) => attributes.find((one) => one.name === name)?.value;
  const value = attribute("_FillValue");
  if (value === undefined || type.kind !== "plain") return undefined;
  if (type.dtype === "|S1" && value.kind === "text") {
    const bytes = new TextEncoder().encode(value.value);
    if (bytes.length > 1) return undefined;
    const byte = Uint8Array.of(bytes[0] ?? 0);
    return { text: btoa(String.fromCharCode(...byte)), bytes: byte, isCommon: false };
  }
  if (value.kind !== "numbers" || value.values.length !== 1) return undefined;
  const [number = 0] = value.values;
  const isFloat = type.dtype[1] === "f";
  if (value.isFloat !== isFloat) return undefined;
  const unsigned = attribute("_Unsigned");
  const sign = unsigned?.kind === "text" ? unsigned.value : undefined;
  const bytes = encodeFillNumber(type.dtype, number, sign);
  if (bytes === undefined) return undefined;
  const text = decodeNumber(type.dtype, bytes);
  return { text, bytes, isCommon: isFloat || Number.isSafeInteger(Number(text)) };
}

/** Whether two elements are the same value. All NaNs are equal. */
export function sameElement(dtype: string, a: Uint8Array, b: Uint8Array): boolean {
  if (compareBytes(a, b) === 0) return true;
  if (dtype[1] !== "f" || a.length !== b.length) return false;
  return Number.isNaN(decodeNumber(dtype, a)) && Number.isNaN(decodeNumber(dtype, b));
}

/** Whether the part of a chunk that lies in the array is fully stored, without padding. */
export function isWithinStored({ variable, chunks }: ArrayPlan, place: readonly number[]): boolean {
  const { shape, storedShape } = variable;
  return place.every((index, d) => {
    const end = Math.min((index + 1) * (chunks[d] ?? 1), shape[d] ?? 0);
    return end <= (storedShape[d] ?? 0);
  });
}
