import { DamagedFile, TooLarge } from "./errors.js";
import { elementCount } from "./shape.js";

export interface StoredChunk {
  /** Position in the file. */
  readonly offset: number;
  /** Bytes. */
  readonly size: number;
  /** Bit n is set if filter n was not applied (HDF5 specification, III.A.1, type 1 keys). */
  readonly mask: number;
}

/** The locations of an array's chunks, in about 12 bytes per chunk. Plain data that can be sent between processes. */
export interface ChunkTable {
  /** Ascending indexes of the chunks in the grid; undefined if all chunks exist. */
  readonly ids: Float64Array | undefined;
  readonly offsets: Float64Array;
  readonly sizes: Uint32Array;
  /** Undefined if no chunk has a mask. */
  readonly masks: Uint32Array | undefined;
}

export const EMPTY_TABLE: ChunkTable = {
  ids: new Float64Array(0),
  offsets: new Float64Array(0),
  sizes: new Uint32Array(0),
  masks: undefined,
};

/** Size of a table in bytes. */
export function tableBytes({ ids, offsets, sizes, masks }: ChunkTable): number {
  return (
    (ids?.byteLength ?? 0) + offsets.byteLength + sizes.byteLength + (masks?.byteLength ?? 0) + 200
  );
}

/** The chunk at a row-major index of the grid; undefined if it is unwritten. */
export function findChunk(table: ChunkTable, id: number): StoredChunk | undefined {
  const at = table.ids === undefined ? id : firstAbove(table.ids, id) - 1;
  const offset = table.offsets[at];
  const size = table.sizes[at];
  const isThere = table.ids === undefined || table.ids[at] === id;
  if (!isThere || offset === undefined || size === undefined) return undefined;
  return { offset, size, mask: table.masks?.[at] ?? 0 };
}

/** The index of the first value above a limit, in ascending values. */
export function firstAbove(values: ArrayLike<number>, limit: number): number {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((values[middle] ?? 0) > limit) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The grid of chunks: their number along each dimension. */
export function chunkGrid(shape: readonly number[], chunk: readonly number[]): number[] {
  return shape.map((length, d) => Math.ceil(length / (chunk[d] ?? 1)));
}

/** The row-major index of a chunk in its grid. */
export function chunkNumber(place: readonly number[], grid: readonly number[]): number {
  return place.reduce((number, index, d) => number * (grid[d] ?? 1) + index, 0);
}

/** The place of a chunk in its grid by its row-major index. Indexes beyond the grid go on along the first dimension. */
export function chunkPlace(number: number, grid: readonly number[]): number[] {
  let rest = number;
  const place = grid.map(() => 0);
  for (let d = grid.length - 1; d > 0; d--) {
    const length = grid[d] ?? 1;
    place[d] = rest % length;
    rest = Math.floor(rest / length);
  }
  if (grid.length > 0) place[0] = rest;
  return place;
}

/**
 * Maximum chunks of an index in memory: 120 MB, and half as much again while it is built. A file of a few kB can list
 * any number.
 */
const MAX_CHUNKS = 6_000_000;

export class ChunkTableBuilder {
  #ids = new Float64Array(64);
  #offsets = new Float64Array(64);
  #sizes = new Uint32Array(64);
  #masks: Uint32Array | undefined;
  #count = 0;
  #isSorted = true;
  readonly #total: number;
  readonly #grid: readonly number[];
  readonly #max: number;

  /** @param max chunks that the file can list; those outside the grid are ignored */
  constructor(grid: readonly number[], max = MAX_CHUNKS) {
    this.#grid = grid;
    this.#max = max;
    this.#total = elementCount(grid);
    if (this.#total > Number.MAX_SAFE_INTEGER) {
      throw new DamagedFile("A dataset of the file has more chunks than can be counted.");
    }
  }

  add(place: readonly number[], offset: number, size: number, mask: number): void {
    let id = 0;
    for (let d = 0; d < this.#grid.length; d++) {
      const length = this.#grid[d] ?? 1;
      const index = place[d] ?? 0;
      // A dataset that was shrunk may leave such chunks behind.
      if (index >= length) return;
      id = id * length + index;
    }
    if (size > 0xffff_ffff) throw new TooLarge("A chunk of the file is larger than 4 GiB.");
    const at = this.#count;
    if (at === this.#ids.length) this.#grow();
    if (at > 0 && id <= (this.#ids[at - 1] ?? 0)) this.#isSorted = false;
    this.#ids[at] = id;
    this.#offsets[at] = offset;
    this.#sizes[at] = size;
    if (mask !== 0) this.#masks ??= new Uint32Array(this.#ids.length);
    if (this.#masks !== undefined) this.#masks[at] = mask;
    this.#count += 1;
  }

  #grow(): void {
    const max = Math.min(this.#max, MAX_CHUNKS);
    if (this.#count >= max) throw new TooLarge("A dataset of the file has too many chunks.");
    const length = Math.min(this.#count * 2, max);
    const longer = <T extends Float64Array | Uint32Array>(from: T, to: T): T => {
      to.set(from);
      return to;
    };
    this.#ids = longer(this.#ids, new Float64Array(length));
    this.#offsets = longer(this.#offsets, new Float64Array(length));
    this.#sizes = longer(this.#sizes, new Uint32Array(length));
    if (this.#masks !== undefined) this.#masks = longer(this.#masks, new Uint32Array(length));
  }

  finish(): ChunkTable {
    const count = this.#count;
    const ids = this.#ids;
    const order = this.#isSorted ? undefined : new Uint32Array(count).map((_, i) => i);
    order?.sort((a, b) => (ids[a] ?? 0) - (ids[b] ?? 0));
    const inOrder = <T extends Float64Array | Uint32Array>(values: T): T => {
      if (order === undefined) return values.slice(0, count) as T;
      return values.subarray(0, count).map((_, i) => values[order[i] ?? 0] ?? 0) as T;
    };
    const sorted = inOrder(ids);
    for (let i = 1; i < count; i++) {
      if (sorted[i] === sorted[i - 1]) throw new DamagedFile("A chunk is twice in the file.");
    }
    return {
      ids: count === this.#total ? undefined : sorted,
      offsets: inOrder(this.#offsets),
      sizes: inOrder(this.#sizes),
      masks: this.#masks && inOrder(this.#masks),
    };
  }
}
