/**
 * Where the chunks of a dataset lie, for every kind of index (specification, III.A and appendix C).
 *
 * By hand, because HDF5's own query is wrong for extensible arrays whose unlimited dimension is not
 * the first, and reports mask 0 for edge chunks that are stored without filters.
 */
import { type ChunkTable, ChunkTableBuilder, chunkGrid, EMPTY_TABLE } from "../chunk-table.js";
import { DamagedFile } from "../errors.js";
import { readBTree2 } from "./b-tree-2.js";
import { readExtensibleArray, readFixedArray } from "./chunk-arrays.js";
import { type Hdf5File, UNDEFINED } from "./file.js";
import type { ChunkIndexKind } from "./messages.js";

/** What must be known of a dataset to read its chunk index; plain data. */
export interface ChunkedStorage {
  readonly address: number;
  readonly index: ChunkIndexKind;
  /** Lengths that are stored: not those of dimensions that other variables made longer. */
  readonly shape: readonly number[];
  /** Infinity where unlimited. */
  readonly maxShape: readonly number[];
  readonly chunk: readonly number[];
  readonly elementSize: number;
  readonly filterCount: number;
  readonly plainEdges: boolean;
}

export function chunkBytes({ chunk, elementSize }: ChunkedStorage): number {
  return chunk.reduce((product, length) => product * length, elementSize);
}

export function readChunkIndex(file: Hdf5File, storage: ChunkedStorage): ChunkTable {
  const { address, shape, chunk } = storage;
  if (address === UNDEFINED || shape.includes(0)) return EMPTY_TABLE;
  const builder = new ChunkTableBuilder(chunkGrid(shape, chunk), file.reader.size);
  const allFilters = 2 ** storage.filterCount - 1;
  const add: AddChunk = (place, at, size, mask) => {
    const isPlain = storage.plainEdges && reachesOver(storage, place);
    const filtered = isPlain ? allFilters : mask;
    builder.add(place, file.base + at, size ?? chunkBytes(storage), filtered);
  };
  READERS[storage.index.kind](file, storage, add);
  return builder.finish();
}

/** @param size bytes; undefined where chunks are not filtered, and all of one size */
export type AddChunk = (
  place: readonly number[],
  address: number,
  size: number | undefined,
  mask: number,
) => void;

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

function readSingle(_file: Hdf5File, storage: ChunkedStorage, add: AddChunk): void {
  const { index, address } = storage;
  if (index.kind !== "single") return;
  add(
    storage.shape.map(() => 0),
    address,
    index.size,
    index.mask,
  );
}

/** Appendix C.B: all chunks one after the other, without filters. */
function readImplicit(file: Hdf5File, storage: ChunkedStorage, add: AddChunk): void {
  const placeOf = placesInMaxGrid(storage);
  const size = chunkBytes(storage);
  const most = storage.maxShape.map((length, d) => Math.ceil(length / (storage.chunk[d] ?? 1)));
  const total = most.reduce((product, length) => product * length, 1);
  if (!(total * size <= file.reader.size)) {
    throw new DamagedFile("The chunks of a dataset do not fit into the file.");
  }
  for (let number = 0; number < total; number++) {
    add(placeOf(number), storage.address + number * size, undefined, 0);
  }
}

/** Fixed arrays and implicit indexes number the chunks of the greatest shape, row by row. */
function placesInMaxGrid({ maxShape, chunk }: ChunkedStorage): (number: number) => number[] {
  const most = maxShape.map((length, d) => Math.ceil(length / (chunk[d] ?? 1)));
  return (number) => unravel(number, most);
}

function unravel(number: number, grid: readonly number[]): number[] {
  const place = new Array<number>(grid.length).fill(0);
  let rest = number;
  for (let d = grid.length - 1; d > 0; d--) {
    const length = grid[d] ?? 1;
    place[d] = rest % length;
    rest = Math.floor(rest / length);
  }
  place[0] = rest;
  return place;
}

/** Extensible arrays do so with the unlimited dimension moved to the front (appendix C.D). */
function placesUnlimitedFirst(storage: ChunkedStorage): (number: number) => number[] {
  const { maxShape, chunk } = storage;
  const unlimited = Math.max(0, maxShape.indexOf(Number.POSITIVE_INFINITY));
  const most = maxShape.map((length, d) => Math.ceil(length / (chunk[d] ?? 1)));
  const others = most.filter((_, d) => d !== unlimited);
  return (number) => {
    const [first = 0, ...rest] = unravel(number, [Number.POSITIVE_INFINITY, ...others]);
    rest.splice(unlimited, 0, first);
    return rest;
  };
}

/** III.A.1, node type 1. */
function readBTree1(file: Hdf5File, storage: ChunkedStorage, add: AddChunk): void {
  const rank = storage.chunk.length;
  const keySize = 8 + 8 * (rank + 1);
  const isFiltered = storage.filterCount > 0;
  const visited = new Set<number>();
  const place = new Array<number>(rank).fill(0);
  const headSize = 8 + 2 * file.offsetSize;
  const walk = (at: number, parentLevel: number): void => {
    file.reader.tick();
    if (visited.has(at)) throw new DamagedFile("A chunk index of the file refers to itself.");
    visited.add(at);
    const head = file.cursor(at, headSize);
    head.signature("TREE");
    const type = head.u8();
    const level = head.u8();
    const used = head.u16();
    if (type !== 1 || level >= parentLevel) {
      throw new DamagedFile("A chunk index of the file has a node that is not possible.");
    }
    const body = file.cursor(at + headSize, used * (keySize + file.offsetSize));
    for (let i = 0; i < used; i++) {
      const size = body.u32();
      const mask = body.u32();
      for (let d = 0; d < rank; d++) place[d] = Math.floor(body.u64() / (storage.chunk[d] ?? 1));
      body.skip(8);
      const child = file.defined(file.address(body));
      if (level > 0) walk(child, level);
      else add(place, child, isFiltered ? size : undefined, mask);
    }
  };
  walk(storage.address, 256);
}

/** III.A.2, record types 10 and 11. */
function readChunkBTree2(file: Hdf5File, storage: ChunkedStorage, add: AddChunk): void {
  const rank = storage.chunk.length;
  const place = new Array<number>(rank).fill(0);
  readBTree2(file, storage.address, (record, type, recordSize) => {
    if (type !== 10 && type !== 11) throw new DamagedFile("A chunk index is of another kind.");
    const at = file.defined(file.address(record));
    const sizeBytes = recordSize - file.offsetSize - 4 - 8 * rank;
    const isFiltered = type === 11;
    const size = isFiltered ? record.uint(sizeBytes) : undefined;
    const mask = isFiltered ? record.u32() : 0;
    for (let d = 0; d < rank; d++) place[d] = record.u64();
    add(place, at, size, mask);
  });
}
