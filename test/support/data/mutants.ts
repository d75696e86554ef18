/** Files with damage at random places, and what a reader of them may see. */
import { chunkGrid } from "../../../src/files/netcdf/chunk-table.js";
import { FILTER } from "../../../src/files/netcdf/render/filter-ids.js";
import type { Hdf5Decoder } from "../../../src/files/netcdf/render/hdf5-decoder.js";
import { Source } from "../../../src/files/netcdf/source/source.js";
import { renderChunk } from "../../../src/files/zarr/body/render.js";
import { indexFile } from "../../../src/files/zarr/worker/operations.js";

/** A range of bytes of a file; the end is exclusive. */
export type Range = readonly [from: number, to: number];

export interface Mutant {
  readonly bytes: Uint8Array;
  /** What is not as it was. */
  readonly touched: readonly Range[];
  readonly how: string;
}

const whole = (random: () => number, below: number): number => Math.floor(random() * below);

/** The bytes of a file that lie in none of the ranges. */
export function outside(size: number, ranges: readonly Range[]): Range[] {
  const rest: Range[] = [];
  let at = 0;
  for (const [from, to] of [...ranges].sort((a, b) => a[0] - b[0])) {
    if (from > at) rest.push([at, from]);
    at = Math.max(at, to);
  }
  if (at < size) rest.push([at, size]);
  return rest;
}

type Damage = (bytes: Uint8Array, at: number, random: () => number) => Range[];

/** Sets bytes, and says which are others now. */
function put(bytes: Uint8Array, at: number, values: readonly number[]): Range[] {
  const touched: Range[] = [];
  for (const [i, value] of values.entries()) {
    if (at + i >= bytes.length || bytes[at + i] === (value & 0xff)) continue;
    bytes[at + i] = value;
    touched.push([at + i, at + i + 1]);
  }
  return touched;
}

const DAMAGES: Readonly<Record<string, Damage>> = {
  bit: (bytes, at, random) => put(bytes, at, [(bytes[at] ?? 0) ^ (1 << whole(random, 8))]),
  byte: (bytes, at, random) => put(bytes, at, [whole(random, 256)]),
  "one more or less": (bytes, at, random) =>
    put(bytes, at, [(bytes[at] ?? 0) + (random() < 0.5 ? 1 : -1)]),
  bytes: (bytes, _at, random) =>
    Array.from({ length: 2 + whole(random, 6) }).flatMap(() =>
      put(bytes, whole(random, bytes.length), [whole(random, 256)]),
    ),
  "run of one value": (bytes, at, random) => {
    const value = [0, 0xff, whole(random, 256)][whole(random, 3)] ?? 0;
    return put(bytes, at, new Array<number>(1 + whole(random, 16)).fill(value));
  },
  "a word of one value": (bytes, at, random) =>
    put(bytes, at & ~7, new Array<number>(8).fill(random() < 0.5 ? 0 : 0xff)),
  "run of any values": (bytes, at, random) =>
    put(
      bytes,
      at,
      Array.from({ length: 1 + whole(random, 64) }, () => whole(random, 256)),
    ),
  "swapped blocks": (bytes, at, random) => {
    const length = 8 << whole(random, 6);
    const [a, b] = [at & ~7, whole(random, bytes.length) & ~7];
    const [one, other] = [[...bytes.subarray(a, a + length)], [...bytes.subarray(b, b + length)]];
    return [...put(bytes, a, other), ...put(bytes, b, one)];
  },
  "copied block": (bytes, at, random) => {
    const from = whole(random, bytes.length) & ~7;
    return put(bytes, at & ~7, [...bytes.subarray(from, from + (8 << whole(random, 7)))]);
  },
};

/** @param metadata the places that half of all damage goes to, and more */
export function mutate(
  original: Uint8Array,
  metadata: readonly Range[],
  random: () => number,
): Mutant {
  if (random() < 0.04) {
    const end = whole(random, original.length);
    return { bytes: original.slice(0, end), touched: [[end, original.length]], how: "cut off" };
  }
  const names = Object.keys(DAMAGES);
  const how = names[whole(random, names.length)] ?? "";
  const bytes = original.slice();
  for (;;) {
    const total = metadata.reduce((sum, [from, to]) => sum + to - from, 0);
    let place = whole(random, random() < 0.7 ? total : -original.length);
    if (place < 0) place = -place - 1;
    else {
      for (const [from, to] of metadata) {
        if (place < to - from) {
          place += from;
          break;
        }
        place -= to - from;
      }
    }
    const touched = DAMAGES[how]?.(bytes, place, random) ?? [];
    if (touched.length > 0) return { bytes, touched, how: `${how} at ${place}` };
  }
}

/** All that is served of a file: documents as text, and decoded chunks; `Error` where that fails. */
export interface Served {
  readonly documents: ReadonlyMap<string, string>;
  readonly chunks: ReadonlyMap<string, Buffer | Error>;
}

/** Reads everything there is. @throws where the file is refused as a whole */
export function readEverything(
  path: string,
  decoder: Hdf5Decoder | undefined,
  mostChunks = 4000,
): Served {
  const limits = { time: 4000 };
  const { arrays, identity, texts } = indexFile(path, limits);
  const chunks = new Map<string, Buffer | Error>();
  for (const plan of arrays.values()) {
    const source = Source.open(path, identity, limits);
    try {
      const table = source.chunkTable(plan.variable);
      const grid = chunkGrid(plan.variable.shape, plan.chunks);
      const count = grid.reduce((product, length) => product * length, 1);
      for (let i = 0; i < Math.min(count, mostChunks); i++) {
        let rest = i;
        const place = grid.map(() => 0);
        for (let d = grid.length - 1; d >= 0; d--) {
          place[d] = rest % (grid[d] ?? 1);
          rest = Math.floor(rest / (grid[d] ?? 1));
        }
        const key = `${plan.path}/${place.join(".") || 0}`;
        try {
          // As a client decodes what passes through.
          const plain = { ...plan, codecs: [], isChecked: false, isStoredChunk: false };
          chunks.set(key, Buffer.from(renderChunk(source, plain, place, { table, decoder })));
        } catch (error) {
          chunks.set(key, error as Error);
        }
      }
    } catch (error) {
      chunks.set(`${plan.path}/*`, error as Error);
    } finally {
      source.close();
    }
  }
  return { documents: texts, chunks };
}

/** Bytes of values in a file of which no checksum was taken, by variable. */
export function rawRanges(path: string, bytes: Uint8Array): Map<string, Range[]> {
  const { arrays, identity } = indexFile(path);
  const raw = new Map<string, Range[]>();
  for (const { path: name, variable } of arrays.values()) {
    const source = Source.open(path, identity);
    const { storage, storedShape, stored } = variable;
    const ranges: Range[] = stored.kind === "vlen-text" ? heapObjects(bytes) : [];
    const size = (shape: readonly number[]): number =>
      shape.reduce((product, length) => product * length, stored.size);
    if (storage.kind === "contiguous") {
      ranges.push([storage.offset, storage.offset + size(storedShape)]);
    }
    if (storage.kind === "compact") ranges.push(...occurrences(bytes, storage.bytes));
    if (storage.kind === "records") {
      for (let i = 0; i < (storedShape[0] ?? 0); i++) {
        const from = storage.offset + i * storage.stride;
        ranges.push([from, from + size(storedShape.slice(1))]);
      }
    }
    if (storage.kind === "chunked") {
      const { offsets, sizes } = source.chunkTable(variable);
      // Of one with a checksum only that itself: damage of a chunk that reaches it may fit it.
      const isChecked = storage.filters.at(-1)?.id === FILTER.fletcher32;
      for (const [i, from] of offsets.entries()) {
        const end = from + (sizes[i] ?? 0);
        ranges.push([isChecked ? end - 4 : from, end]);
      }
    }
    source.close();
    raw.set(name, ranges);
  }
  return raw;
}

/** The values in global heaps, which have no checksums in any version of HDF5 (specification, III.E). */
function heapObjects(bytes: Uint8Array): Range[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const ranges: Range[] = [];
  for (const [start] of occurrences(bytes, Buffer.from("GCOL\x01\0\0\0"))) {
    const end = start + Number(view.getBigUint64(start + 8, true));
    for (let at = start + 16; at + 16 <= end; ) {
      if (view.getUint16(at, true) === 0) break;
      const size = Number(view.getBigUint64(at + 8, true));
      ranges.push([at + 16, at + 16 + size]);
      at += 16 + Math.ceil(size / 8) * 8;
    }
  }
  return ranges;
}

/** Where some bytes stand in a file. */
function occurrences(bytes: Uint8Array, wanted: Uint8Array): Range[] {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const found: Range[] = [];
  if (wanted.length === 0) return found;
  for (let at = file.indexOf(wanted); at >= 0; at = file.indexOf(wanted, at + 1)) {
    found.push([at, at + wanted.length]);
  }
  return found;
}

export function meets(a: readonly Range[], b: readonly Range[]): boolean {
  return a.some(([from, to]) => b.some(([start, end]) => from < end && start < to));
}
