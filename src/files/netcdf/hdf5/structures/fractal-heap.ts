/** Reads fractal heaps, which hold links, attributes and shared messages (specification, III.G). */

import { DamagedFile, NotReadableFormat } from "../../errors.js";
import { Cursor } from "../../source/cursor.js";
import { type Hdf5File, verify } from "../file.js";
import { encodedSize, readBTree2 } from "./b-tree-2.js";
import { lookup3 } from "./checksum.js";

interface Shape {
  readonly width: number;
  readonly startSize: number;
  readonly maxDirect: number;
  readonly offsetBytes: number;
  readonly blockHeader: number;
  /** Whether direct blocks have checksums. */
  readonly isChecked: boolean;
}

function rowSize({ startSize }: Shape, row: number): number {
  return row === 0 ? startSize : startSize * 2 ** (row - 1);
}

/** Reads the head of a heap. The result gives the object of an id. */
export function openFractalHeap(file: Hdf5File, address: number): (id: Uint8Array) => Uint8Array {
  const head = file.cursorUpTo(address, 256);
  head.signature("FRHP");
  head.skip(1);
  const idLength = head.u16();
  const filterLength = head.u16();
  if (filterLength > 0) throw new NotReadableFormat("HDF5 heaps with filters are not read.");
  const flags = head.u8();
  const maxManaged = head.u32();
  file.length(head);
  const hugeTree = file.address(head);
  file.length(head);
  file.address(head);
  for (let i = 0; i < 8; i++) file.length(head);
  const width = head.u16();
  const startSize = file.length(head);
  const maxDirect = file.length(head);
  const maxBits = head.u16();
  head.skip(2);
  const root = file.address(head);
  const rootRows = head.u16();
  if (width === 0 || startSize < 1 || maxDirect < startSize || maxBits > 64) {
    throw new DamagedFile("A heap of the file has sizes that are not possible.");
  }
  const offsetBytes = Math.ceil(maxBits / 8);
  const isChecked = (flags & 2) !== 0;
  verify(head.bytes.subarray(0, head.at + 4));
  const shape: Shape = {
    width,
    startSize,
    maxDirect,
    offsetBytes,
    blockHeader: 5 + file.offsetSize + offsetBytes + (isChecked ? 4 : 0),
    isChecked,
  };
  const lengthBytes = Math.min(encodedSize(maxDirect), encodedSize(maxManaged));
  return (id) => {
    const cursor = new Cursor(id);
    const first = cursor.u8();
    const kind = (first >> 4) & 3;
    if (kind === 0) {
      const offset = cursor.uint(offsetBytes);
      const length = cursor.uint(lengthBytes);
      return managed(file, shape, root, rootRows, offset, length);
    }
    if (kind === 1) return huge(file, hugeTree, idLength, cursor);
    const isLong = idLength - 1 > 16;
    const length = (isLong ? ((first & 0x0f) << 8) | cursor.u8() : first & 0x0f) + 1;
    return cursor.take8(length);
  };
}

/** An object in a direct block, by its offset in the heap's address space of doubling blocks. */
function managed(
  file: Hdf5File,
  shape: Shape,
  root: number,
  rootRows: number,
  offset: number,
  length: number,
): Uint8Array {
  let address = root;
  let rows = rootRows;
  let within = offset;
  if (rows === 0) return inDirectBlock(file, shape, address, shape.startSize, within, length);
  for (let depth = 0; depth < 64; depth++) {
    file.reader.tick();
    const place = placeInRows(shape, rows, within);
    const entry = place.row * shape.width + place.column;
    const head = 5 + file.offsetSize + shape.offsetBytes;
    checkIndirect(file, shape, address, head, rows);
    const at = address + head + entry * file.offsetSize;
    address = file.address(file.cursor(at, file.offsetSize));
    within = place.within;
    const size = rowSize(shape, place.row);
    if (size <= shape.maxDirect) return inDirectBlock(file, shape, address, size, within, length);
    // Section III.G: number of rows of an indirect block that covers a block of this size.
    rows = Math.log2(size / (shape.startSize * shape.width)) + 1;
    if (!Number.isInteger(rows) || rows < 1) break;
  }
  throw new DamagedFile("A heap of the file is nested without end.");
}

function placeInRows(
  shape: Shape,
  rows: number,
  offset: number,
): { readonly row: number; readonly column: number; readonly within: number } {
  let start = 0;
  for (let row = 0; row < Math.min(rows, 64); row++) {
    const size = rowSize(shape, row);
    const end = start + size * shape.width;
    if (offset < end) {
      const column = Math.floor((offset - start) / size);
      return { row, column, within: offset - start - column * size };
    }
    start = end;
  }
  throw new DamagedFile("An object lies outside of its heap in the file.");
}

/** Checks an indirect block: the addresses of its blocks, and a checksum. */
function checkIndirect(
  file: Hdf5File,
  { width }: Shape,
  address: number,
  head: number,
  rows: number,
): void {
  file.once(address, () => {
    file.checked(address, head + rows * width * file.offsetSize + 4).signature("FHIB");
  });
}

/** Checks a direct block. Its checksum lies in its header, and is computed with that field zero. */
function checkDirect(
  file: Hdf5File,
  { blockHeader, isChecked }: Shape,
  address: number,
  size: number,
): void {
  file.once(address, () => {
    const block = file.cursor(address, size);
    block.signature("FHDB");
    if (!isChecked) return;
    const bytes = block.bytes.slice();
    const sum = new DataView(bytes.buffer, blockHeader - 4, 4);
    const stored = sum.getUint32(0, true);
    sum.setUint32(0, 0);
    if (lookup3(bytes) !== stored) {
      throw new DamagedFile("A structure of the file does not fit its checksum.");
    }
  });
}

function inDirectBlock(
  file: Hdf5File,
  shape: Shape,
  address: number,
  size: number,
  offset: number,
  length: number,
): Uint8Array {
  if (offset + length > size) throw new DamagedFile("An object lies outside of its heap block.");
  checkDirect(file, shape, address, size);
  return file.cursor(address + offset, length).take8(length);
}

/** An object too large for a block, by the address in its id or by a B-tree (III.G). */
function huge(file: Hdf5File, tree: number, idLength: number, id: Cursor): Uint8Array {
  if (file.offsetSize + file.lengthSize <= idLength - 1) {
    const address = file.address(id);
    const length = file.length(id);
    return file.cursor(address, length).take8(length);
  }
  const wanted = id.uint(Math.min(file.lengthSize, idLength - 1));
  let found: Uint8Array | undefined;
  readBTree2(file, tree, (record, type) => {
    if (type !== 1) throw new DamagedFile("A heap of the file has an index of another kind.");
    const address = file.address(record);
    const length = file.length(record);
    if (file.length(record) === wanted) found = file.cursor(address, length).take8(length);
  });
  if (found === undefined) throw new DamagedFile("An object is not in its heap in the file.");
  return found;
}
