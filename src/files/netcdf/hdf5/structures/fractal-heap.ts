/** Reads fractal heaps, which hold links, attributes and shared messages (specification, III.G). */

import { DamagedFile, NotReadableFormat } from "../../errors.js";
import { Cursor } from "../../source/cursor.js";
import { type Hdf5File, verify } from "../file.js";
import { encodedSize, readBTree2 } from "./b-tree-2.js";
import { lookup3 } from "./checksum.js";

/** A heap whose head has been read. */
export class FractalHeap {
  readonly #file: Hdf5File;
  readonly #idLength: number;
  readonly #lengthBytes: number;
  readonly #offsetBytes: number;
  /** Blocks of a row, and bytes of a block of the first one and of the largest direct one. */
  readonly #width: number;
  readonly #startSize: number;
  readonly #maxDirect: number;
  /** Whether direct blocks have checksums. */
  readonly #isChecked: boolean;
  readonly #hugeTree: number;
  readonly #root: number;
  /** Rows of the root, if it is an indirect block. */
  readonly #rootRows: number;

  constructor(file: Hdf5File, address: number) {
    this.#file = file;
    const head = file.cursorUpTo(address, 256);
    head.signature("FRHP");
    head.skip(1);
    this.#idLength = head.u16();
    const filterLength = head.u16();
    if (filterLength > 0) throw new NotReadableFormat("HDF5 heaps with filters are not read.");
    this.#isChecked = (head.u8() & 2) !== 0;
    const maxManaged = head.u32();
    file.length(head);
    this.#hugeTree = file.address(head);
    file.length(head);
    file.address(head);
    for (let i = 0; i < 8; i++) file.length(head);
    this.#width = head.u16();
    this.#startSize = file.length(head);
    this.#maxDirect = file.length(head);
    const maxBits = head.u16();
    head.skip(2);
    this.#root = file.address(head);
    this.#rootRows = head.u16();
    const isPossible = this.#width > 0 && this.#startSize > 0 && this.#maxDirect >= this.#startSize;
    if (!isPossible || maxBits > 64) {
      throw new DamagedFile("A heap of the file has sizes that are not possible.");
    }
    verify(head.bytes.subarray(0, head.at + 4));
    this.#offsetBytes = Math.ceil(maxBits / 8);
    this.#lengthBytes = Math.min(encodedSize(this.#maxDirect), encodedSize(maxManaged));
  }

  /** The object of an id. */
  get(id: Uint8Array): Uint8Array {
    const cursor = new Cursor(id);
    const first = cursor.u8();
    const kind = (first >> 4) & 3;
    if (kind === 0) {
      return this.#managed(cursor.uint(this.#offsetBytes), cursor.uint(this.#lengthBytes));
    }
    if (kind === 1) return this.#huge(cursor);
    const isLong = this.#idLength - 1 > 16;
    const length = (isLong ? ((first & 0x0f) << 8) | cursor.u8() : first & 0x0f) + 1;
    return cursor.take8(length);
  }

  #rowSize(row: number): number {
    return row === 0 ? this.#startSize : this.#startSize * 2 ** (row - 1);
  }

  /** An object in a direct block, by its offset in the heap's address space of doubling blocks. */
  #managed(offset: number, length: number): Uint8Array {
    const { offsetSize, reader } = this.#file;
    let address = this.#root;
    let rows = this.#rootRows;
    let within = offset;
    if (rows === 0) return this.#inDirectBlock(address, this.#startSize, within, length);
    for (let depth = 0; depth < 64; depth++) {
      reader.tick();
      const place = this.#placeInRows(rows, within);
      const head = 5 + offsetSize + this.#offsetBytes;
      const block = address;
      const blockSize = head + rows * this.#width * offsetSize + 4;
      this.#file.once(block, () => this.#file.structure("FHIB", block, blockSize));
      const at = address + head + (place.row * this.#width + place.column) * offsetSize;
      address = this.#file.address(this.#file.cursor(at, offsetSize));
      within = place.within;
      const size = this.#rowSize(place.row);
      if (size <= this.#maxDirect) return this.#inDirectBlock(address, size, within, length);
      // Section III.G: number of rows of an indirect block that covers a block of this size.
      rows = Math.log2(size / (this.#startSize * this.#width)) + 1;
      if (!Number.isInteger(rows) || rows < 1) break;
    }
    throw new DamagedFile("A heap of the file is nested without end.");
  }

  #placeInRows(rows: number, offset: number): { row: number; column: number; within: number } {
    let start = 0;
    for (let row = 0; row < Math.min(rows, 64); row++) {
      const size = this.#rowSize(row);
      const end = start + size * this.#width;
      if (offset < end) {
        const column = Math.floor((offset - start) / size);
        return { row, column, within: offset - start - column * size };
      }
      start = end;
    }
    throw new DamagedFile("An object lies outside of its heap in the file.");
  }

  /** Checks a direct block. Its checksum lies in its header, and is computed with that field zero. */
  #checkDirect(address: number, size: number): void {
    this.#file.once(address, () => {
      const block = this.#file.cursor(address, size);
      block.signature("FHDB");
      if (!this.#isChecked) return;
      const bytes = block.bytes.slice();
      const at = 5 + this.#file.offsetSize + this.#offsetBytes;
      const sum = new DataView(bytes.buffer, at, 4);
      const stored = sum.getUint32(0, true);
      sum.setUint32(0, 0);
      if (lookup3(bytes) !== stored) {
        throw new DamagedFile("A structure of the file does not fit its checksum.");
      }
    });
  }

  #inDirectBlock(address: number, size: number, offset: number, length: number): Uint8Array {
    if (offset + length > size) throw new DamagedFile("An object lies outside of its heap block.");
    this.#checkDirect(address, size);
    return this.#file.cursor(address + offset, length).take8(length);
  }

  /** An object too large for a block, by the address in its id or by a B-tree (III.G). */
  #huge(id: Cursor): Uint8Array {
    const file = this.#file;
    if (file.offsetSize + file.lengthSize <= this.#idLength - 1) {
      const address = file.address(id);
      const length = file.length(id);
      return file.cursor(address, length).take8(length);
    }
    const wanted = id.uint(Math.min(file.lengthSize, this.#idLength - 1));
    let found: Uint8Array | undefined;
    readBTree2(file, this.#hugeTree, (record, type) => {
      if (type !== 1) throw new DamagedFile("A heap of the file has an index of another kind.");
      const address = file.address(record);
      const length = file.length(record);
      if (file.length(record) === wanted) found = file.cursor(address, length).take8(length);
    });
    if (found === undefined) throw new DamagedFile("An object is not in its heap in the file.");
    return found;
  }
}
