/** Dataspace, fill value, filter pipeline and data layout messages (specification, IV.A.2). */
import type { Cursor } from "../cursor.js";
import { DamagedFile, NotReadableFormat } from "../errors.js";
import { type Hdf5File, UNDEFINED } from "./file.js";
import { findMessage, MESSAGE, messageCursor, type ObjectHeader } from "./object-header.js";

/** HDF5 itself allows no more dimensions. */
const MOST_DIMENSIONS = 32;

export interface Dataspace {
  readonly isNull: boolean;
  readonly shape: readonly number[];
  /** Greatest lengths; Infinity where unlimited. */
  readonly maxShape: readonly number[];
}

/** Section IV.A.2.b. */
export function readDataspace(file: Hdf5File, cursor: Cursor): Dataspace {
  const version = cursor.u8();
  const rank = cursor.u8();
  const flags = cursor.u8();
  if (version !== 1 && version !== 2) throw new DamagedFile("A dataspace has no known version.");
  if (rank > MOST_DIMENSIONS) throw new DamagedFile("A dataspace has too many dimensions.");
  const kind = cursor.u8();
  if (version === 1) cursor.skip(4);
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
      const most = file.length(cursor);
      maxShape[d] = most === UNDEFINED ? Number.POSITIVE_INFINITY : most;
    }
  }
  return { isNull, shape, maxShape };
}

/** How values that nobody wrote read (IV.A.2.e and f). */
export type FillValue =
  | { readonly kind: "default" }
  | { readonly kind: "undefined" }
  | { readonly kind: "value"; readonly bytes: Uint8Array };

export function readFillValue(header: ObjectHeader): FillValue {
  const message = findMessage(header, MESSAGE.fillValue);
  if (message !== undefined) return readNewFillValue(messageCursor(message));
  const old = findMessage(header, MESSAGE.oldFillValue);
  if (old === undefined) return { kind: "default" };
  const cursor = messageCursor(old);
  const size = cursor.u32();
  return size === 0 ? { kind: "default" } : { kind: "value", bytes: cursor.take8(size).slice() };
}

function readNewFillValue(cursor: Cursor): FillValue {
  const version = cursor.u8();
  let hasValue: boolean;
  if (version === 3) {
    const flags = cursor.u8();
    if ((flags & 0x10) !== 0) return { kind: "undefined" };
    hasValue = (flags & 0x20) !== 0;
  } else {
    cursor.skip(2);
    const defined = cursor.u8();
    if (defined === 0 && version === 2) return { kind: "undefined" };
    hasValue = version === 1 || defined === 1;
  }
  if (!hasValue) return { kind: "default" };
  const size = cursor.u32();
  // A size of -1 marks, in version 1, a fill value that is undefined.
  if (size === 0xffff_ffff) return { kind: "undefined" };
  return size === 0 ? { kind: "default" } : { kind: "value", bytes: cursor.take8(size).slice() };
}

export interface Filter {
  readonly id: number;
  readonly parameters: readonly number[];
}

/** Filters in the order in which they were applied when writing (IV.A.2.l). */
export function readFilters(header: ObjectHeader): Filter[] {
  const message = findMessage(header, MESSAGE.filters);
  if (message === undefined) return [];
  const cursor = messageCursor(message);
  const version = cursor.u8();
  const count = cursor.u8();
  if (version === 1) cursor.skip(6);
  else if (version !== 2) throw new DamagedFile("A filter pipeline has no known version.");
  if (count > 32) throw new DamagedFile("A filter pipeline has too many filters.");
  const filters: Filter[] = [];
  for (let i = 0; i < count; i++) {
    const id = cursor.u16();
    const nameLength = version === 1 || id >= 256 ? cursor.u16() : 0;
    cursor.skip(2);
    const parameterCount = cursor.u16();
    cursor.skip(version === 1 ? Math.ceil(nameLength / 8) * 8 : nameLength);
    const parameters: number[] = [];
    for (let p = 0; p < parameterCount; p++) parameters.push(cursor.u32());
    if (version === 1 && parameterCount % 2 === 1) cursor.skip(4);
    filters.push({ id, parameters });
  }
  return filters;
}

/** How the chunks of a dataset are found; addresses as in the file (IV.A.2.i, appendix C). */
export type ChunkIndexKind =
  | { readonly kind: "b-tree-1" }
  | { readonly kind: "single"; readonly size: number | undefined; readonly mask: number }
  | { readonly kind: "implicit" }
  | { readonly kind: "fixed-array" }
  | { readonly kind: "extensible-array" }
  | { readonly kind: "b-tree-2" };

export type Layout =
  | { readonly kind: "compact"; readonly bytes: Uint8Array }
  | { readonly kind: "contiguous"; readonly address: number }
  | {
      readonly kind: "chunked";
      /** Elements of a chunk along each dimension. */
      readonly chunk: readonly number[];
      readonly address: number;
      readonly index: ChunkIndexKind;
      /** Whether chunks that reach over the edge are stored without filters. */
      readonly plainEdges: boolean;
    };

export function readLayout(file: Hdf5File, header: ObjectHeader): Layout {
  const message = findMessage(header, MESSAGE.layout);
  if (message === undefined) throw new DamagedFile("A dataset of the file has no data layout.");
  if (findMessage(header, MESSAGE.externalFiles) !== undefined) {
    throw new NotReadableFormat("HDF5 datasets that lie in other files are not read.");
  }
  const cursor = messageCursor(message);
  const version = cursor.u8();
  if (version === 1 || version === 2) return readOldLayout(file, cursor);
  if (version < 3 || version > 5) {
    throw new NotReadableFormat(`HDF5 data layouts of version ${version} are not read.`);
  }
  const kind = cursor.u8();
  if (kind === 0) return { kind: "compact", bytes: cursor.take8(cursor.u16()).slice() };
  if (kind === 1) return { kind: "contiguous", address: file.address(cursor) };
  if (kind !== 2) throw new NotReadableFormat("Virtual HDF5 datasets are not read.");
  // Version 5 (HDF5 2.0) differs in how wide chunk sizes are in the indexes, which say so themselves.
  if (version > 3) return readChunked4(file, cursor);
  const rank = cursor.u8() - 1;
  const address = file.address(cursor);
  const chunk = readChunk(cursor, rank, 4);
  return { kind: "chunked", chunk, address, index: { kind: "b-tree-1" }, plainEdges: false };
}

function readOldLayout(file: Hdf5File, cursor: Cursor): Layout {
  const rank = cursor.u8();
  const kind = cursor.u8();
  cursor.skip(5);
  if (kind === 0) {
    cursor.skip(4 * rank);
    return { kind: "compact", bytes: cursor.take8(cursor.u32()).slice() };
  }
  const address = file.address(cursor);
  if (kind === 1) return { kind: "contiguous", address };
  const chunk = readChunk(cursor, rank - 1, 4);
  return { kind: "chunked", chunk, address, index: { kind: "b-tree-1" }, plainEdges: false };
}

function readChunk(cursor: Cursor, rank: number, size: number): number[] {
  if (rank < 1 || rank > MOST_DIMENSIONS) throw new DamagedFile("Chunks have no possible shape.");
  const chunk: number[] = [];
  for (let d = 0; d < rank; d++) {
    const length = cursor.uint(size);
    if (length < 1) throw new DamagedFile("Chunks of the file have no elements.");
    chunk.push(length);
  }
  cursor.skip(size); // bytes of an element
  return chunk;
}

function readChunked4(file: Hdf5File, cursor: Cursor): Layout {
  const flags = cursor.u8();
  const rank = cursor.u8() - 1;
  const size = cursor.u8();
  if (size < 1 || size > 8) throw new DamagedFile("Chunks of the file have no possible shape.");
  const chunk = readChunk(cursor, rank, size);
  const index = readIndexKind(file, cursor, (flags & 2) !== 0);
  return {
    kind: "chunked",
    chunk,
    address: file.address(cursor),
    index,
    plainEdges: (flags & 1) !== 0,
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
