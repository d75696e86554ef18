/** Reads dataspace, fill value, filter pipeline and data layout messages (specification, IV.A.2). */

import { DamagedFile, NotReadableFormat } from "../errors.js";
import { Cursor } from "../source/cursor.js";
import { type Hdf5File, UNDEFINED } from "./file.js";
import { findMessage, MESSAGE, messageCursor, type ObjectHeader } from "./header-message.js";

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
  const kind = cursor.u8();
  // Bit 1 of the flags means a permutation, which no version writes. The kinds are scalar, simple and null.
  const isInvalid =
    flags > 1 ||
    (version === 1 ? kind !== 0 || cursor.u32() !== 0 : kind > 2 || (kind === 1) !== rank > 0);
  if (isInvalid) throw new DamagedFile("A dataspace of the file is not possible.");
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
  checkRest(cursor);
  return { isNull, shape, maxShape };
}

/** Checks that a message ends with at most seven bytes of zero padding. @throws DamagedFile */
function checkRest(cursor: Cursor): void {
  if (cursor.left >= 8 || cursor.bytes.subarray(cursor.at).some((byte) => byte !== 0)) {
    throw new DamagedFile("A message of the file has more than belongs to it.");
  }
}

/** The value of unwritten elements (IV.A.2.e and f). */
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
  let isUndefined = false;
  if (version === 3) {
    const flags = cursor.u8();
    if (flags >= 0x40 || (flags & 0x30) === 0x30) throw impossibleFill();
    isUndefined = (flags & 0x10) !== 0;
    hasValue = (flags & 0x20) !== 0;
  } else {
    const [allocation, writing, defined] = [cursor.u8(), cursor.u8(), cursor.u8()];
    if (version < 1 || version > 2 || allocation > 3 || writing > 2 || defined > 1) {
      throw impossibleFill();
    }
    isUndefined = defined === 0 && version === 2;
    hasValue = version === 1 || defined === 1;
  }
  if (isUndefined || !hasValue) {
    checkRest(cursor);
    return { kind: isUndefined ? "undefined" : "default" };
  }
  const size = cursor.u32();
  // In version 1, a size of -1 means an undefined fill value.
  const isNone = size === 0xffff_ffff;
  const bytes = cursor.take8(isNone ? 0 : size).slice();
  checkRest(cursor);
  if (isNone) return { kind: "undefined" };
  return size === 0 ? { kind: "default" } : { kind: "value", bytes };
}

const impossibleFill = (): DamagedFile =>
  new DamagedFile("A fill value of the file is not possible.");

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
  if (version !== 1 && version !== 2) {
    throw new DamagedFile("A filter pipeline has no known version.");
  }
  if (version === 1 && cursor.uint(6) !== 0) throw impossibleFilter();
  if (count > 32) throw new DamagedFile("A filter pipeline has too many filters.");
  const filters: Filter[] = [];
  for (let i = 0; i < count; i++) {
    const id = cursor.u16();
    const nameLength = version === 1 || id >= 256 ? cursor.u16() : 0;
    const flags = cursor.u16();
    const parameterCount = cursor.u16();
    const named = cursor.take8(version === 1 ? Math.ceil(nameLength / 8) * 8 : nameLength);
    const name = new Cursor(named).text(named.length);
    const parameters: number[] = [];
    for (let p = 0; p < parameterCount; p++) parameters.push(cursor.u32());
    if (version === 1 && parameterCount % 2 === 1 && cursor.u32() !== 0) throw impossibleFilter();
    if (id === 0 || flags > 1 || !isNamed(id, name)) throw impossibleFilter();
    filters.push({ id, parameters });
  }
  checkRest(cursor);
  return filters;
}

const impossibleFilter = (): DamagedFile =>
  new DamagedFile("A filter pipeline of the file is not possible.");

/** HDF5's own filters, numbered from 1. Version 1 stores their names too. */
const NAMES = ["deflate", "shuffle", "fletcher32", "szip", "nbit", "scaleoffset"];

/** Whether the name of a built-in filter belongs to its number. */
function isNamed(id: number, name: string): boolean {
  const place = NAMES.indexOf(name);
  return place < 0 ? name === "" || id > NAMES.length : id === place + 1;
}

/** The kind of a dataset's chunk index, with addresses as stored (IV.A.2.i, appendix C). */
export type ChunkIndexKind =
  | { readonly kind: "b-tree-1" }
  | { readonly kind: "single"; readonly size: number | undefined; readonly mask: number }
  | { readonly kind: "implicit" }
  | { readonly kind: "fixed-array" }
  | { readonly kind: "extensible-array" }
  | { readonly kind: "b-tree-2" };

export type Layout =
  | { readonly kind: "compact"; readonly bytes: Uint8Array }
  | {
      readonly kind: "contiguous";
      readonly address: number;
      /** Bytes of all values; undefined if the file does not state it. */
      readonly size: number | undefined;
    }
  | {
      readonly kind: "chunked";
      /** Elements of a chunk along each dimension. */
      readonly chunk: readonly number[];
      /** Bytes of an element, as stated with the chunk shape. */
      readonly elementSize: number;
      readonly address: number;
      readonly index: ChunkIndexKind;
      /** Whether chunks that cross the edge are stored without filters. */
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
  if (kind === 1) {
    const address = file.address(cursor);
    const size = file.length(cursor);
    checkRest(cursor);
    return { kind: "contiguous", address, size };
  }
  if (kind > 3) throw new DamagedFile("A data layout of the file is not possible.");
  if (kind !== 2) throw new NotReadableFormat("Virtual HDF5 datasets are not read.");
  // Version 5 (HDF5 2.0) differs only in the width of chunk sizes, which the indexes state.
  if (version > 3) return readChunked4(file, cursor);
  const rank = cursor.u8() - 1;
  const address = file.address(cursor);
  const shape = readChunk(cursor, rank, 4);
  checkRest(cursor);
  return { kind: "chunked", ...shape, address, index: { kind: "b-tree-1" }, plainEdges: false };
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
  if (kind === 1) return { kind: "contiguous", address, size: undefined };
  const shape = readChunk(cursor, rank - 1, 4);
  return { kind: "chunked", ...shape, address, index: { kind: "b-tree-1" }, plainEdges: false };
}

function readChunk(
  cursor: Cursor,
  rank: number,
  size: number,
): { readonly chunk: number[]; readonly elementSize: number } {
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
  return {
    kind: "chunked",
    ...shape,
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
