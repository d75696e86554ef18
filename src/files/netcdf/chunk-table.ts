import { DamagedFile, TooLarge } from "./errors.js";
import { elementCount } from "./shape.js";

/** Where one stored chunk lies. */
export interface StoredChunk {
  /** Byte of the file. */
  readonly offset: number;
  /** Bytes. */
  readonly size: number;
  /** Bit n set: filter n was not applied (HDF5 specification, III.A.1, type 1 keys). */
  readonly mask: number;
}

/**
 * Where all chunks of an array lie, in about 12 bytes a chunk; plain data, so that it can be handed
 * from process to process.
 */
export interface ChunkTable {
  /** Numbers of the chunks in the grid, ascending; undefined when every chunk of the grid is there. */
  readonly ids: Float64Array | undefined;
  readonly offsets: Float64Array;
  readonly sizes: Uint32Array;
  /** Undefined when no chunk has a mask. */
  readonly masks: Uint32Array | undefined;
}

export const EMPTY_TABLE: ChunkTable = {
  ids: new Float64Array(0),
  offsets: new Float64Array(0),
  sizes: new Uint32Array(0),
  masks: undefined,
};

/** Bytes that a table takes. */
export function tableBytes({ ids, offsets, sizes, masks }: ChunkTable): number {
  return (
    (ids?.byteLength ?? 0) + offsets.byteLength + sizes.byteLength + (masks?.byteLength ?? 0) + 200
  );
}

/** The chunk of a number in the grid (row-major), or undefined where it was never written. */
export function findChunk(table: ChunkTable, id: number): StoredChunk | undefined {
  const at = table.ids === undefined ? id : search(table.ids, id);
  const offset = at < 0 ? undefined : table.offsets[at];
  const size = at < 0 ? undefined : table.sizes[at];
  if (offset === undefined || size === undefined) return undefined;
  return { offset, size, mask: table.masks?.[at] ?? 0 };
}

/** The place of a value in an ascending array, or -1. */
function search(values: Float64Array, wanted: number): number {
  let low = 0;
  let high = values.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const value = values[middle] ?? 0;
    if (value === wanted) return middle;
    if (value < wanted) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}

/** Numbers of the chunks of a grid: how many there are along each dimension. */
export function chunkGrid(shape: readonly number[], chunk: readonly number[]): number[] {
  return shape.map((length, d) => Math.ceil(length / (chunk[d] ?? 1)));
}

/** The number of a chunk in its grid, row by row. */
export function chunkNumber(place: readonly number[], grid: readonly number[]): number {
  return place.reduce((number, index, d) => number * (grid[d] ?? 1) + index, 0);
}

/**
 * More chunks than an index in memory may have: these take 120 MB, and half as much again while they are gathered. A file
 * of a few kB on disk may list any number of them.
 */
const MAX_CHUNKS = 6_000_000;

/** Gathers the chunks of one array in whatever order a file lists them. */
export class ChunkTableBuilder {
  #ids = new Float64Array(64);
  #offsets = new Float64Array(64);
  #sizes = new Uint32Array(64);
  #masks: Uint32Array | undefined;
  #count = 0;
  #isSorted = true;
  readonly #total: number;
  readonly #grid: readonly number[];
  readonly #most: number;

  /**
   * @param grid numbers of chunks along each dimension; chunks outside are left out
   * @param most chunks the file can list at most
   */
  constructor(grid: readonly number[], most = MAX_CHUNKS) {
    this.#grid = grid;
    this.#most = most;
    this.#total = elementCount(grid);
    if (this.#total > Number.MAX_SAFE_INTEGER) {
      throw new DamagedFile("A dataset of the file has more chunks than can be counted.");
    }
  }

  /** @param place numbers of the chunk along each dimension */
  add(place: readonly number[], offset: number, size: number, mask: number): void {
    let id = 0;
    for (let d = 0; d < this.#grid.length; d++) {
      const length = this.#grid[d] ?? 1;
      const index = place[d] ?? 0;
      // A dataset that was made smaller may leave such chunks behind.
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
    const most = Math.min(this.#most, MAX_CHUNKS);
    if (this.#count >= most) throw new TooLarge("A dataset of the file has too many chunks.");
    const length = Math.min(this.#count * 2, most);
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
    let ids = this.#ids.slice(0, count);
    let offsets = this.#offsets.slice(0, count);
    let sizes = this.#sizes.slice(0, count);
    let masks = this.#masks?.slice(0, count);
    if (!this.#isSorted) {
      const order = new Uint32Array(count).map((_, i) => i);
      const unsorted = ids;
      order.sort((a, b) => (unsorted[a] ?? 0) - (unsorted[b] ?? 0));
      const pick = <T extends Float64Array | Uint32Array>(values: T): T =>
        values.map((_, i) => values[order[i] ?? 0] ?? 0) as T;
      ids = pick(ids);
      offsets = pick(offsets);
      sizes = pick(sizes);
      masks = masks === undefined ? undefined : pick(masks);
    }
    for (let i = 1; i < count; i++) {
      if (ids[i] === ids[i - 1]) throw new DamagedFile("A chunk is twice in the file.");
    }
    return { ids: count === this.#total ? undefined : ids, offsets, sizes, masks };
  }
}
