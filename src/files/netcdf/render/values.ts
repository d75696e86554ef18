/** Reads the values of a part of a variable, from any kind of storage. */

import {
  type ChunkTable,
  chunkGrid,
  chunkNumber,
  chunkPlace,
  findChunk,
  type StoredChunk,
} from "../chunk-table.js";
import { DamagedFile, TooLarge } from "../errors.js";
import { chunkBytes } from "../hdf5/chunks/chunked-storage.js";
import type { Storage, Variable } from "../model.js";
import { elementCount } from "../shape.js";
import type { ByteSource as Source } from "../source/byte-source.js";
import type { Hdf5Decoder } from "./capsule.js";
import { convert } from "./convert.js";
import { appliedFilters, checkCompressors, isNative, undoFilters } from "./filters.js";
import { type Box, eachRun, fillWith, intersect } from "./region.js";

/** Maximum bytes of a decoded or joined chunk. */
const MAX_DECODED = 128 << 20;

/** @throws TooLarge */
export function checkSize(bytes: number): void {
  if (bytes <= MAX_DECODED) return;
  throw new TooLarge(
    `A chunk of this variable has ${Math.ceil(bytes / 2 ** 20)} MiB once it is decoded; those above ${MAX_DECODED / 2 ** 20} MiB are not decoded here.`,
  );
}

export interface RenderTools {
  /** The locations of the variable's chunks. */
  readonly table: ChunkTable;
  /** Undefined if it is not loaded. Chunks that need it are then refused. */
  readonly decoder: Hdf5Decoder | undefined;
}

/**
 * The decoded values of a box of a variable, as row-major elements of its type. Texts are encoded as numcodecs'
 * vlen-utf8. Elements beyond the stored shape are padding.
 *
 * @param target may exceed the variable's shape
 */
export function readValues(
  source: Source,
  variable: Variable,
  target: Box,
  tools: RenderTools,
): Uint8Array {
  const { stored, storedShape, padding } = variable;
  const bytes = elementCount(target.shape) * stored.size;
  checkSize(bytes);
  const values = new Uint8Array(bytes);
  if (padding?.length === stored.size) fillWith(values, padding);
  const whole: Box = { start: storedShape.map(() => 0), shape: storedShape };
  const box = storedShape.length === 0 ? target : intersect(target, whole);
  if (box !== undefined) {
    READERS[variable.storage.kind](source, variable, { box, target, values }, tools);
  }
  const heaps = stored.kind === "vlen-text" ? source.heaps() : undefined;
  return convert(values, variable, heaps);
}

interface Wanted {
  /** The stored part of the target. */
  readonly box: Box;
  readonly target: Box;
  readonly values: Uint8Array;
}

type StorageReader = (
  source: Source,
  variable: Variable,
  wanted: Wanted,
  tools: RenderTools,
) => void;

const READERS: Record<Storage["kind"], StorageReader> = {
  absent: (_source, variable, wanted) => fillBox(variable, wanted),
  compact: readPieces,
  contiguous: readPieces,
  records: readPieces,
  chunked: readChunks,
};

function fillBox({ fill, stored }: Variable, { box, target, values }: Wanted): void {
  let filled: Uint8Array | undefined;
  // All runs of a box are of the same length.
  eachRun(box, box, target, stored.size, (_from, to, length) => {
    if (filled === undefined) {
      filled = new Uint8Array(length);
      fillWith(filled, fill);
    }
    values.set(filled, to);
  });
}

/** Reads row-major values from one piece, or from one per record. */
function readPieces(source: Source, variable: Variable, { box, target, values }: Wanted): void {
  const { storage, storedShape, stored } = variable;
  const { reader } = source;
  const whole: Box = { start: storedShape.map(() => 0), shape: storedShape };
  const recordBytes = elementCount(storedShape.slice(1)) * stored.size;
  eachRun(box, whole, target, stored.size, (from, to, length) => {
    if (storage.kind === "compact") values.set(storage.bytes.subarray(from, from + length), to);
    if (storage.kind === "contiguous") values.set(reader.read(storage.offset + from, length), to);
    if (storage.kind !== "records") return;
    for (let done = 0; done < length; ) {
      const within = (from + done) % recordBytes;
      const record = (from + done - within) / recordBytes;
      const count = Math.min(length - done, recordBytes - within);
      const at = storage.offset + record * storage.stride + within;
      values.set(reader.read(at, count), to + done);
      done += count;
    }
  });
}

function readChunks(source: Source, variable: Variable, wanted: Wanted, tools: RenderTools): void {
  const { storage, stored } = variable;
  if (storage.kind !== "chunked") return;
  const { chunk, shape } = storage.chunks;
  const { box, target, values } = wanted;
  const grid = chunkGrid(shape, chunk);
  const first = box.start.map((from, d) => Math.floor(from / (chunk[d] ?? 1)));
  const counts = box.start.map((from, d) => {
    const end = from + (box.shape[d] ?? 1);
    return Math.ceil(end / (chunk[d] ?? 1)) - (first[d] ?? 0);
  });
  for (let n = 0; n < elementCount(counts); n++) {
    const place = chunkPlace(n, counts).map((index, d) => (first[d] ?? 0) + index);
    source.reader.tick();
    const own: Box = { start: place.map((index, d) => index * (chunk[d] ?? 1)), shape: chunk };
    const common = intersect(box, own);
    if (common === undefined) continue;
    const found = findChunk(tools.table, chunkNumber(place, grid));
    if (found === undefined) {
      fillBox(variable, { box: common, target, values });
      continue;
    }
    const data = decodeChunk(source, storage, found, tools.decoder);
    eachRun(common, own, target, stored.size, (from, to, length) =>
      values.set(data.subarray(from, from + length), to),
    );
  }
}

/** The elements of one stored chunk, filters undone. */
function decodeChunk(
  source: Source,
  storage: Extract<Storage, { kind: "chunked" }>,
  { offset, size, mask }: StoredChunk,
  decoder: Hdf5Decoder | undefined,
): Uint8Array {
  const bytes = chunkBytes(storage.chunks);
  checkSize(bytes);
  const stored = source.reader.read(offset, size);
  const applied = appliedFilters(storage.filters, mask);
  checkCompressors(applied);
  let data: Uint8Array;
  if (isNative(applied)) data = undoFilters(stored, applied, bytes);
  else if (decoder !== undefined) {
    const { filters, chunks } = storage;
    const { chunk, elementSize } = chunks;
    data = decoder.decode({ stored, mask, chunk, elementSize, filters });
  } else throw new TooLarge("There is nothing at hand to decode a chunk with.");
  if (data.length !== bytes) {
    throw new DamagedFile("A chunk of the file is not as long as its shape says.");
  }
  return data;
}
