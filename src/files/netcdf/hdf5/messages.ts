/** Reads dataspace, fill value, filter pipeline and data layout messages (specification, IV.A.2). */

import { DamagedFile, NotReadableFormat } from "../errors.js";
import type { Cursor } from "../source/cursor.js";
import type { ChunkIndexKind, ChunkLayout } from "./chunks/chunked-storage.js";
import { type Hdf5File, UNDEFINED } from "./file.js";
import { findMessage, MESSAGE, type ObjectHeader } from "./header-message.js";

/** The limit of HDF5 itself. */
const MAX_DIMENSIONS = 32;

export interface Dataspace {
  readonly isNull: boolean;
  readonly shape: readonly number[];
  /** Maximum lengths; Infinity if unlimited. */
  readonly maxShape: readonly number[];
}

/** Section IV.A.2.b. */
export function readDataspace(file: Hdf5File, cursor: Cursor): Dataspace {
  const version = cursor.u8();
  const rank = cursor.u8();
  const flags = cursor.u8();
  if (version !== 1 && version !== 2) throw new DamagedFile("A dataspace has no known version.");
  if (rank > MAX_DIMENSIONS) throw new DamagedFile("A dataspace has too many dimensions.");
  // In version 2, the kind: scalar, simple or null. In version 1, reserved bytes.
  const kind = cursor.u8();
  if (version === 1) cursor.skip(4);
  else if (kind > 2 || (kind !== 1 && rank > 0)) {
    throw new DamagedFile("A dataspace of the file is scalar or null, and has dimensions.");
  }
  const isNull = version === 2 && kind === 2;
  const shape: number[] = [];
  for (let d = 0; d < rank; d++) {
    const length = file.length(cursor);
    if (length === UNDEFINED) throw new DamagedFile("A dataspace has no length.");
    shape.push(length);
  }
  const maxShape = [...shape];
  if ((flags & 1) !== 0) {
    for (let d = 0; d < rank; d++) {
      const length = file.length(cursor);
      maxShape[d] = length === UNDEFINED ? Number.POSITIVE_INFINITY : length;
      if ((maxShape[d] ?? 0) < (shape[d] ?? 0)) {
        throw new DamagedFile("A dataspace of the file is longer than it may be.");
      }
    }
  }
  return { isNull, shape, maxShape };
}

/** The value of unwritten elements (IV.A.2.e and f); undefined for the default, and for one that is stated to be undefined. */
export function readFillValue(header: ObjectHeader): Uint8Array | undefined {
  const message = findMessage(header, MESSAGE.fillValue);
  const cursor = message ?? findMessage(header, MESSAGE.oldFillValue);
  if (cursor === undefined) return undefined;
  if (message !== undefined && !hasFillValue(message)) return undefined;
  const size = cursor.u32();
  // In version 1, a size of -1 means an undefined fill value.
  const isUndefined = message !== undefined && size === 0xffff_ffff;
  return size === 0 || isUndefined ? undefined : cursor.take8(size).slice();
}

/** Whether a size and a value follow in a message of type 5. */
function hasFillValue(cursor: Cursor): boolean {
  const version = cursor.u8();
  if (version === 1 || version === 2) {
    cursor.skip(2); // times of allocation and of writing
    const isDefined = cursor.u8() !== 0;
    return version === 1 || isDefined;
  }
  const flags = cursor.u8();
  // HDF5 refuses these too (H5Ofill.c).
  if (version !== 3 || flags >= 0x40 || (flags & 0x30) === 0x30) {
    throw new DamagedFile("A fill value of the file is not possible.");
  }
  return (flags & 0x20) !== 0;
}

export interface Filter {
  readonly id: number;
  readonly parameters: readonly number[];
}

/** Filters in the order in which they were applied when writing (IV.A.2.l). */
export function readFilters(header: ObjectHeader): Filter[] {
  const cursor = findMessage(header, MESSAGE.filters);
  if (cursor === undefined) return [];
  const version = cursor.u8();
  const count = cursor.u8();
  if (version !== 1 && version !== 2) {
    throw new DamagedFile("A filter pipeline has no known version.");
  }
  if (version === 1) cursor.skip(6);
  if (count > 32) throw new DamagedFile("A filter pipeline has too many filters.");
  const filters: Filter[] = [];
  for (let i = 0; i < count; i++) {
    const id = cursor.u16();
    const nameLength = version === 1 || id >= 256 ? cursor.u16() : 0;
    cursor.skip(2); // whether a writer may go without it
    const parameterCount = cursor.u16();
    cursor.skip(version === 1 ? Math.ceil(nameLength / 8) * 8 : nameLength);
    const parameters: number[] = [];
    for (let p = 0; p < parameterCount; p++) parameters.push(cursor.u32());
    // Version 1 pads an odd number of parameters.
    if (version === 1 && parameterCount % 2 === 1) cursor.skip(Math.min(4, cursor.left));
    filters.push({ id, parameters });
  }
  return filters;
}

type Layout =
  | { readonly kind: "compact"; readonly bytes: Uint8Array }
  | {
      readonly kind: "contiguous";
      readonly address: number;
      /** Bytes of all values; undefined if the file does not state it. */
      readonly size: number | undefined;
    }
  | { readonly kind: "chunked"; readonly chunks: ChunkLayout };

export function readLayout(file: Hdf5File, header: ObjectHeader): Layout {
  const cursor = findMessage(header, MESSAGE.layout);
  if (cursor === undefined) throw new DamagedFile("A dataset of the file has no data layout.");
  if (findMessage(header, MESSAGE.externalFiles) !== undefined) {
    throw new NotReadableFormat("Its values lie in other files.");
  }
  const version = cursor.u8();
  if (version === 1 || version === 2) return readOldLayout(file, cursor);
  if (version < 3 || version > 5) {
    throw new NotReadableFormat(`HDF5 data layouts of version ${version} are not read.`);
  }
  const kind = cursor.u8();
  if (kind === 0) return { kind: "compact", bytes: cursor.take8(cursor.u16()).slice() };
  if (kind === 1) {
    const address = file.address(cursor);
    return { kind: "contiguous", address, size: file.length(cursor) };
  }
  if (kind > 3) throw new DamagedFile("A data layout of the file is not possible.");
  if (kind !== 2)
    throw new NotReadableFormat(
      "It is a virtual dataset: its values lie in others, or in other files.",
    );
  // Version 5 (HDF5 2.0) differs only in the width of chunk sizes, which the indexes state.
  return version > 3 ? readChunked4(file, cursor) : readChunked1(file, cursor, cursor.u8());
}

function readOldLayout(file: Hdf5File, cursor: Cursor): Layout {
  const rank = cursor.u8();
  const kind = cursor.u8();
  cursor.skip(5);
  if (kind === 0) {
    cursor.skip(4 * rank);
    return { kind: "compact", bytes: cursor.take8(cursor.u32()).slice() };
  }
  if (kind !== 1) return readChunked1(file, cursor, rank);
  return { kind: "contiguous", address: file.address(cursor), size: undefined };
}

/** Chunks that a version 1 B-tree lists. */
function readChunked1(file: Hdf5File, cursor: Cursor, rank: number): Layout {
  const address = file.address(cursor);
  const shape = readChunk(cursor, rank - 1, 4);
  const chunks = { ...shape, address, index: { kind: "b-tree-1" }, plainEdges: false } as const;
  return { kind: "chunked", chunks };
}

function readChunk(
  cursor: Cursor,
  rank: number,
  size: number,
): Pick<ChunkLayout, "chunk" | "elementSize"> {
  if (rank < 1 || rank > MAX_DIMENSIONS) throw new DamagedFile("Chunks have no possible shape.");
  const chunk: number[] = [];
  for (let d = 0; d < rank; d++) {
    const length = cursor.uint(size);
    if (length < 1) throw new DamagedFile("Chunks of the file have no elements.");
    chunk.push(length);
  }
  return { chunk, elementSize: cursor.uint(size) };
}

function readChunked4(file: Hdf5File, cursor: Cursor): Layout {
  const flags = cursor.u8();
  const rank = cursor.u8() - 1;
  const size = cursor.u8();
  if (size < 1 || size > 8) throw new DamagedFile("Chunks of the file have no possible shape.");
  const shape = readChunk(cursor, rank, size);
  const index = readIndexKind(file, cursor, (flags & 2) !== 0);
  const plainEdges = (flags & 1) !== 0;
  return {
    kind: "chunked",
    chunks: { ...shape, address: file.address(cursor), index, plainEdges },
  };
}

function readIndexKind(file: Hdf5File, cursor: Cursor, isFiltered: boolean): ChunkIndexKind {
  const type = cursor.u8();
  switch (type) {
    case 1: {
      if (!isFiltered) return { kind: "single", size: undefined, mask: 0 };
      const size = file.length(cursor);
      return { kind: "single", size, mask: cursor.u32() };
    }
    case 2:
      return { kind: "implicit" };
    case 3:
      cursor.skip(1);
      return { kind: "fixed-array" };
    case 4:
      cursor.skip(5);
      return { kind: "extensible-array" };
    case 5:
      cursor.skip(6);
      return { kind: "b-tree-2" };
    default:
      throw new NotReadableFormat(`HDF5 chunk indexes of type ${type} are not read.`);
  }
}
