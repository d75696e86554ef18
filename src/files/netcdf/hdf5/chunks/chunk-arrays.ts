/** Reads fixed and extensible arrays as chunk indexes (specification, appendix C.C and C.D). */

import { DamagedFile } from "../../errors.js";
import type { Cursor } from "../../source/cursor.js";
import { type Hdf5File, UNDEFINED } from "../file.js";
import { type ChunkedStorage, chunkBytes } from "./chunked-storage.js";

/** Takes the element of an index. */
type AddElement = (number: number, address: number, size: number | undefined, mask: number) => void;

/** Reads elements: a chunk's address, and for filtered chunks its size and filter mask. */
class Elements {
  readonly #sizeBytes: number;

  constructor(
    readonly file: Hdf5File,
    readonly isFiltered: boolean,
    readonly size: number,
    readonly add: AddElement,
  ) {
    this.#sizeBytes = size - file.offsetSize - 4;
    const least = isFiltered ? file.offsetSize + 5 : file.offsetSize;
    if (size < least || this.#sizeBytes > 8) {
      throw new DamagedFile("A chunk index of the file has elements of an impossible size.");
    }
  }

  read(cursor: Cursor, first: number, count: number): void {
    for (let i = 0; i < count; i++) {
      const address = this.file.address(cursor);
      const size = this.isFiltered ? cursor.uint(this.#sizeBytes) : undefined;
      const mask = this.isFiltered ? cursor.u32() : 0;
      if (address !== UNDEFINED) this.add(first + i, address, size, mask);
    }
  }

  /** Elements in pages, each with a checksum. Pages whose bit is not set are unwritten. */
  readPages(
    at: number,
    first: number,
    count: number,
    perPage: number,
    isWritten: (page: number) => boolean,
  ): void {
    for (let page = 0; page * perPage < count; page++) {
      this.file.reader.tick();
      const inPage = Math.min(perPage, count - page * perPage);
      if (!isWritten(page)) continue;
      const from = at + page * (perPage * this.size + 4);
      const elements = this.file.checked(from, inPage * this.size + 4);
      this.read(elements, first + page * perPage, inPage);
    }
  }
}

const bitSet = (bits: Uint8Array, at: number): boolean =>
  ((bits[at >> 3] ?? 0) & (0x80 >> (at & 7))) !== 0;

export function readFixedArray(file: Hdf5File, storage: ChunkedStorage, add: AddElement): void {
  const headSize = 12 + file.lengthSize + file.offsetSize;
  const head = file.structure("FAHD", storage.address, headSize);
  head.skip(1);
  const isFiltered = head.u8() === 1;
  const elements = new Elements(file, isFiltered, head.u8(), add);
  const perPage = 2 ** Math.min(head.u8(), 31);
  const count = file.length(head);
  const address = file.address(head);
  if (address === UNDEFINED) return;
  checkCount(file, storage, count, elements.size);
  const prefix = 6 + file.offsetSize;
  const isPaged = count > perPage;
  const bitmapSize = isPaged ? Math.ceil(Math.ceil(count / perPage) / 8) : 0;
  const contentSize = isPaged ? bitmapSize : count * elements.size;
  const block = file.structure("FADB", address, prefix + contentSize + 4);
  block.skip(prefix - 4);
  if (!isPaged) {
    elements.read(block, 0, count);
    return;
  }
  const bitmap = block.take8(bitmapSize);
  const pages = address + prefix + bitmapSize + 4;
  elements.readPages(pages, 0, count, perPage, (page) => bitSet(bitmap, page));
}

/** A fixed array stores all its elements, so the file's size limits their number. */
function checkCount(file: Hdf5File, storage: ChunkedStorage, count: number, size: number): void {
  if (count * size > file.reader.size || chunkBytes(storage) < 1) {
    throw new DamagedFile("A chunk index of the file is longer than the file.");
  }
}

export function readExtensibleArray(
  file: Hdf5File,
  storage: ChunkedStorage,
  add: AddElement,
): void {
  const headSize = 16 + 6 * file.lengthSize + file.offsetSize;
  const head = file.structure("EAHD", storage.address, headSize);
  head.skip(1);
  const isFiltered = head.u8() === 1;
  const elements = new Elements(file, isFiltered, head.u8(), add);
  const [maxBits = 0, blockElements = 0, minElements = 0, minPointers = 0, pageBits = 0] =
    head.take8(5);
  for (let i = 0; i < 6; i++) file.length(head);
  const address = file.address(head);
  if (address === UNDEFINED) return;
  const isPower = (value: number): boolean => value > 0 && (value & (value - 1)) === 0;
  if (maxBits > 64 || !isPower(minElements) || !isPower(minPointers) || pageBits > 31) {
    throw new DamagedFile("A chunk index of the file has sizes that are not possible.");
  }
  const perPage = 2 ** pageBits;
  const prefix = 6 + file.offsetSize;
  /** Bytes of the head of a super block and of a data block. */
  const blockHead = prefix + Math.ceil(maxBits / 8);
  /** The number of data blocks in a super block, and of elements in each: both double alternately. */
  const superBlock = (number: number): { blocks: number; perBlock: number } => ({
    blocks: 2 ** Math.floor(number / 2),
    perBlock: 2 ** Math.ceil(number / 2) * minElements,
  });

  const readDataBlock = (
    at: number,
    first: number,
    count: number,
    isWritten: (page: number) => boolean,
  ): void => {
    if (at === UNDEFINED) return;
    const isPaged = count > perPage;
    const size = blockHead + (isPaged ? 0 : count * elements.size) + 4;
    const cursor = file.structure("EADB", at, size);
    cursor.skip(blockHead - 4);
    if (isPaged) elements.readPages(at + blockHead + 4, first, count, perPage, isWritten);
    else elements.read(cursor, first, count);
  };

  const readSuperBlock = (at: number, number: number, first: number): void => {
    if (at === UNDEFINED) return;
    const { blocks, perBlock } = superBlock(number);
    const pages = perBlock > perPage ? perBlock / perPage : 0;
    const bitmapSize = Math.ceil(pages / 8) * blocks;
    const size = blockHead + bitmapSize + blocks * file.offsetSize + 4;
    const cursor = file.structure("EASB", at, size);
    cursor.skip(blockHead - 4);
    const bitmap = cursor.take8(bitmapSize);
    for (let b = 0; b < blocks; b++) {
      const isWritten = (page: number): boolean => bitSet(bitmap, b * pages + page);
      readDataBlock(file.address(cursor), first + b * perBlock, perBlock, isWritten);
    }
  };

  // The index block lists the data blocks of the first super blocks itself.
  const superBlocks = 1 + maxBits - Math.log2(minElements);
  const direct = Math.min(superBlocks, 2 * Math.log2(minPointers));
  let pointers = Math.max(0, superBlocks - direct);
  for (let s = 0; s < direct; s++) pointers += superBlock(s).blocks;
  const size = prefix + blockElements * elements.size + pointers * file.offsetSize;
  const cursor = file.structure("EAIB", address, size + 4);
  cursor.skip(prefix - 4);
  elements.read(cursor, 0, blockElements);
  let first = blockElements;
  for (let s = 0; s < superBlocks; s++) {
    const { blocks, perBlock } = superBlock(s);
    if (s >= direct) readSuperBlock(file.address(cursor), s, first);
    for (let b = 0; s < direct && b < blocks; b++) {
      readDataBlock(file.address(cursor), first + b * perBlock, perBlock, () => true);
    }
    first += blocks * perBlock;
  }
}
