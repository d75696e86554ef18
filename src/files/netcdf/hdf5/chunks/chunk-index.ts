/**
 * Reads chunk indexes of every kind (specification, III.A and appendix C).
 *
 * HDF5's own query is not used: it is wrong for extensible arrays whose unlimited dimension is not the first, and
 * reports mask 0 for edge chunks stored without filters.
 */

import {
  type ChunkTable,
  ChunkTableBuilder,
  chunkGrid,
  chunkPlace,
  EMPTY_TABLE,
  firstAbove,
} from "../../chunk-table.js";
import { DamagedFile } from "../../errors.js";
import { elementCount } from "../../shape.js";
import type { Cursor } from "../../source/cursor.js";
import { type Hdf5File, SHORTEST_SUPERBLOCK, UNDEFINED } from "../file.js";
import { walkBTree1 } from "../structures/b-tree-1.js";
import { readBTree2 } from "../structures/b-tree-2.js";
import { readExtensibleArray, readFixedArray } from "./chunk-arrays.js";
import { type ChunkedStorage, type ChunkIndexKind, chunkBytes } from "./chunked-storage.js";

export function readChunkIndex(file: Hdf5File, storage: ChunkedStorage): ChunkTable {
  const { address, shape, chunk } = storage;
  if (address === UNDEFINED || shape.includes(0)) return EMPTY_TABLE;
  const grid = chunkGrid(shape, chunk);
  const builder = new ChunkTableBuilder(grid, file.reader.size);
  const allFilters = 2 ** storage.filterCount - 1;
  const add: AddChunk = (place, at, size, mask) => {
    const isPlain = storage.plainEdges && reachesOver(storage, place);
    const filtered = isPlain ? allFilters : mask;
    builder.add(place, file.base + at, size ?? chunkBytes(storage), filtered);
  };
  READERS[storage.index.kind](file, storage, add);
  const table = builder.finish();
  checkPlaces(file, table, storage.taken);
  return table;
}

/** Checks that chunks lie within the file and overlap nothing else. */
function checkPlaces(
  file: Hdf5File,
  { offsets, sizes }: ChunkTable,
  taken: readonly number[] = [0, SHORTEST_SUPERBLOCK],
): void {
  const { base } = file;
  let gap = { from: 0, to: 0 };
  let isSorted = true;
  let before = 0;
  for (let i = 0; i < offsets.length; i++) {
    const start = (offsets[i] ?? 0) - base;
    const end = start + (sizes[i] ?? 0);
    // Most chunks lie in the same gap as the previous one.
    if (start < gap.from || end > gap.to) gap = gapAround(file, start, taken);
    if (end > gap.to || end === start) throw misplaced();
    if (start < before) isSorted = false;
    before = end;
  }
  if (!isSorted) checkApart({ offsets, sizes });
}

/** The free gap around a position, which must not be occupied. */
function gapAround(
  file: Hdf5File,
  at: number,
  taken: readonly number[],
): { readonly from: number; readonly to: number } {
  const next = firstAbove(taken, at);
  // After an odd number of bounds, the position is inside an occupied place.
  if (at < 0 || next % 2 === 1) throw misplaced();
  return { from: taken[next - 1] ?? 0, to: taken[next] ?? file.reader.size - file.base };
}

function checkApart({ offsets, sizes }: Pick<ChunkTable, "offsets" | "sizes">): void {
  const starts = offsets.slice().sort();
  const ends = offsets.map((offset, i) => offset + (sizes[i] ?? 0)).sort();
  for (let i = 1; i < starts.length; i++) {
    if ((starts[i] ?? 0) < (ends[i - 1] ?? 0)) {
      throw new DamagedFile("Two chunks of the file overlap.");
    }
  }
}

/** @param size bytes; undefined if chunks are unfiltered and of equal size */
type AddChunk = (
  place: readonly number[],
  address: number,
  size: number | undefined,
  mask: number,
) => void;

/** Passes all chunks to `add`. */
type IndexReader = (file: Hdf5File, storage: ChunkedStorage, add: AddChunk) => void;

const READERS: Record<ChunkIndexKind["kind"], IndexReader> = {
  "b-tree-1": readBTree1,
  "b-tree-2": readChunkBTree2,
  single: readSingle,
  implicit: readImplicit,
  "fixed-array": (file, storage, add) => {
    const placeOf = placesInMaxGrid(storage);
    readFixedArray(file, storage, (number, ...chunk) => add(placeOf(number), ...chunk));
  },
  "extensible-array": (file, storage, add) => {
    const placeOf = placesUnlimitedFirst(storage);
    readExtensibleArray(file, storage, (number, ...chunk) => add(placeOf(number), ...chunk));
  },
};

function reachesOver({ shape, chunk }: ChunkedStorage, place: readonly number[]): boolean {
  return shape.some((length, d) => ((place[d] ?? 0) + 1) * (chunk[d] ?? 1) > length);
}

function readSingle(_file: Hdf5File, { index, address, shape }: ChunkedStorage, add: AddChunk) {
  const place = shape.map(() => 0);
  if (index.kind === "single") add(place, address, index.size, index.mask);
}

/** Appendix C.B: contiguous chunks without filters. */
function readImplicit(file: Hdf5File, storage: ChunkedStorage, add: AddChunk): void {
  const placeOf = placesInMaxGrid(storage);
  const size = chunkBytes(storage);
  const total = elementCount(chunkGrid(storage.maxShape, storage.chunk));
  if (!(total * size <= file.reader.size)) {
    throw new DamagedFile("The chunks of a dataset do not fit into the file.");
  }
  for (let number = 0; number < total; number++) {
    add(placeOf(number), storage.address + number * size, undefined, 0);
  }
}

/** Fixed arrays and implicit indexes number the chunks of the maximum shape in row-major order. */
function placesInMaxGrid({ maxShape, chunk }: ChunkedStorage): (number: number) => number[] {
  const maxChunks = chunkGrid(maxShape, chunk);
  return (number) => chunkPlace(number, maxChunks);
}

/** Extensible arrays do so with the unlimited dimension moved to the front (appendix C.D). */
function placesUnlimitedFirst(storage: ChunkedStorage): (number: number) => number[] {
  const { maxShape, chunk } = storage;
  const unlimited = Math.max(0, maxShape.indexOf(Number.POSITIVE_INFINITY));
  const others = chunkGrid(maxShape, chunk).filter((_, d) => d !== unlimited);
  return (number) => {
    const [first = 0, ...rest] = chunkPlace(number, [Number.POSITIVE_INFINITY, ...others]);
    rest.splice(unlimited, 0, first);
    return rest;
  };
}

/**
 * III.A.1, node type 1: a key has the chunk's size in bytes, its filter mask, and its first element's index.
 *
 * HDF5 finds a chunk by comparing it with the keys from the root down (H5Dbtree.c). Keys out of order would hide it there,
 * and are an error here.
 */
function readBTree1(file: Hdf5File, storage: ChunkedStorage, add: AddChunk): void {
  const { chunk, filterCount } = storage;
  const rank = chunk.length;
  const kind = { type: 1, keySize: 8 + 8 * (rank + 1), rank: file.ranks.chunkTree };
  const bytes = chunkBytes(storage);
  const masks = 2 ** filterCount;
  /** No key may be before this one. */
  let low = new Array<number>(rank + 1).fill(0);
  /** Reads a key as the place of a chunk, and the offset within an element, in elements. */
  const readKey = (body: Cursor): { size: number; mask: number; place: number[] } => {
    const [size, mask] = [body.u32(), body.u32()];
    const place = [...chunk, storage.elementSize].map((length) => body.u64() / length);
    return { size, mask, place };
  };
  walkBTree1(file, storage.address, kind, (body, used, level, descend) => {
    let key = used === 0 ? undefined : readKey(body);
    for (let i = 0; i < used && key !== undefined; i++) {
      const { size, mask, place } = key;
      if (isBefore(place, low)) throw misplaced();
      low = place;
      const child = file.defined(file.address(body));
      key = readKey(body);
      if (level > 0) descend(child);
      else {
        const index = place.slice(0, rank);
        if (!index.every(Number.isInteger) || place[rank] !== 0) throw misplaced();
        // Bits beyond the filters have no meaning. Without filters the size is known.
        const applied = mask % masks;
        if (size < 1 || (applied === masks - 1 && size !== bytes)) throw misplaced();
        add(index, child, filterCount > 0 ? size : undefined, applied);
        // The next key is that of another chunk.
        low = [...index, 1];
      }
      if (isBefore(key.place, low)) throw misplaced();
    }
  });
}

const misplaced = (): DamagedFile =>
  new DamagedFile("A chunk index of the file has an entry that is not possible.");

/** Whether one place comes before another in row-major order. Fractions of a chunk do not count. */
function isBefore(place: readonly number[], other: readonly number[]): boolean {
  for (let d = 0; d < place.length; d++) {
    const difference = Math.floor(place[d] ?? 0) - Math.floor(other[d] ?? 0);
    if (difference !== 0) return difference < 0;
  }
  return false;
}

/** III.A.2, record types 10 and 11. */
function readChunkBTree2(file: Hdf5File, storage: ChunkedStorage, add: AddChunk): void {
  const rank = storage.chunk.length;
  const place = new Array<number>(rank).fill(0);
  readBTree2(file, storage.address, (record, type, recordSize) => {
    if (type !== 10 && type !== 11) throw new DamagedFile("A chunk index is of another kind.");
    if ((type === 11) !== storage.filterCount > 0) throw misplaced();
    const at = file.defined(file.address(record));
    const sizeBytes = recordSize - file.offsetSize - 4 - 8 * rank;
    const isFiltered = type === 11;
    const size = isFiltered ? record.uint(sizeBytes) : undefined;
    const mask = isFiltered ? record.u32() : 0;
    for (let d = 0; d < rank; d++) place[d] = record.u64();
    add(place, at, size, mask);
  });
}
