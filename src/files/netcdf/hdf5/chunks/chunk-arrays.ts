/** Reads fixed and extensible arrays as chunk indexes (specification, appendix C.C and C.D). */

import { DamagedFile } from "../../errors.js";
import type { Cursor } from "../../source/cursor.js";
import { type Hdf5File, UNDEFINED, verify } from "../file.js";
import { type ChunkedStorage, chunkBytes } from "./chunked-storage.js";

/** Takes the element of an index. */
type AddElement = (number: number, address: number, size: number | undefined, mask: number) => void;

/** Reads elements: a chunk's address, and for filtered chunks its size and filter mask. */
class Elements {
  readonly #sizeBytes: number;
  readonly #file: Hdf5File;
  readonly #isFiltered: boolean;
  readonly #add: AddElement;

  constructor(
    file: Hdf5File,
    isFiltered: boolean,
    readonly size: number,
    add: AddElement,
  ) {
    this.#file = file;
    this.#isFiltered = isFiltered;
    this.#add = add;
    this.#sizeBytes = size - file.offsetSize - 4;
    const least = isFiltered ? file.offsetSize + 5 : file.offsetSize;
    if (size < least || this.#sizeBytes > 8) {
      throw new DamagedFile("A chunk index of the file has elements of an impossible size.");
    }
  }

  read(cursor: Cursor, first: number, count: number): void {
    for (let i = 0; i < count; i++) {
      const address = this.#file.address(cursor);
      const size = this.#isFiltered ? cursor.uint(this.#sizeBytes) : undefined;
      const mask = this.#isFiltered ? cursor.u32() : 0;
      if (address !== UNDEFINED) this.#add(first + i, address, size, mask);
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
      this.#file.reader.tick();
      const inPage = Math.min(perPage, count - page * perPage);
      if (!isWritten(page)) continue;
      const from = at + page * (perPage * this.size + 4);
      const elements = this.#file.checked(from, inPage * this.size + 4);
      this.read(elements, first + page * perPage, inPage);
    }
  }
}

const bitSet = (bits: Uint8Array, at: number): boolean =>
  ((bits[at >> 3] ?? 0) & (0x80 >> (at & 7))) !== 0;

export function readFixedArray(file: Hdf5File, storage: ChunkedStorage, add: AddElement): void {
  const head = file.cursor(storage.address, 12 + file.lengthSize + file.offsetSize);
  head.signature("FAHD");
  verify(head.bytes);
  head.skip(1);
  const isFiltered = head.u8() === 1;
  const elements = new Elements(file, isFiltered, head.u8(), add);
  const perPage = 2 ** Math.min(head.u8(), 31);
  const count = file.length(head);
  const address = file.address(head);
  if (address === UNDEFINED) return;
  checkCount(file, storage, count, elements.size);
  const prefix = 6 + file.offsetSize;
  file.cursor(address, prefix).signature("FADB");
  if (count <= perPage) {
    const block = file.checked(address, prefix + count * elements.size + 4);
    block.skip(prefix);
    elements.read(block, 0, count);
    return;
  }
  const bitmapSize = Math.ceil(Math.ceil(count / perPage) / 8);
  const block = file.checked(address, prefix + bitmapSize + 4);
  const bitmap = block.bytes.subarray(prefix, prefix + bitmapSize);
  const pages = address + prefix + bitmapSize + 4;
  elements.readPages(pages, 0, count, perPage, (page) => bitSet(bitmap, page));
}

/** A fixed array stores all its elements, so the file's size limits their number. */
function checkCount(file: Hdf5File, storage: ChunkedStorage, count: number, size: number): void {
  if (count * size > file.reader.size || chunkBytes(storage) < 1) {
    throw new DamagedFile("A chunk index of the file is longer than the file.");
  }
}

/** The parameters of an extensible array, and values derived from them. */
interface Extensible {
  readonly elements: Elements;
  readonly blockElements: number;
  readonly minElements: number;
  readonly perPage: number;
  readonly offsetBytes: number;
  /** Super blocks whose data blocks the index block lists itself. */
  readonly directSuperBlocks: number;
  readonly superBlocks: number;
  readonly prefix: number;
}

export function readExtensibleArray(
  file: Hdf5File,
  storage: ChunkedStorage,
  add: AddElement,
): void {
  const head = file.cursor(storage.address, 16 + 6 * file.lengthSize + file.offsetSize);
  head.signature("EAHD");
  verify(head.bytes);
  head.skip(1);
  const isFiltered = head.u8() === 1;
  const elements = new Elements(file, isFiltered, head.u8(), add);
  const maxBits = head.u8();
  const blockElements = head.u8();
  const minElements = head.u8();
  const minPointers = head.u8();
  const pageBits = head.u8();
  for (let i = 0; i < 6; i++) file.length(head);
  const address = file.address(head);
  if (address === UNDEFINED) return;
  const isPower = (value: number): boolean => value > 0 && (value & (value - 1)) === 0;
  if (maxBits > 64 || !isPower(minElements) || !isPower(minPointers) || pageBits > 31) {
    throw new DamagedFile("A chunk index of the file has sizes that are not possible.");
  }
  const superBlocks = 1 + maxBits - Math.log2(minElements);
  const directSuperBlocks = Math.min(superBlocks, 2 * Math.log2(minPointers));
  readIndexBlock(file, address, {
    elements,
    blockElements,
    minElements,
    perPage: 2 ** pageBits,
    offsetBytes: Math.ceil(maxBits / 8),
    directSuperBlocks,
    superBlocks,
    prefix: 6 + file.offsetSize,
  });
}

/** The number of data blocks in a super block, and of elements in each: both double alternately. */
function superBlock(array: Extensible, number: number): { blocks: number; perBlock: number } {
  return {
    blocks: 2 ** Math.floor(number / 2),
    perBlock: 2 ** Math.ceil(number / 2) * array.minElements,
  };
}

function readIndexBlock(file: Hdf5File, address: number, array: Extensible): void {
  const { elements, blockElements, directSuperBlocks, superBlocks, prefix } = array;
  let direct = 0;
  for (let s = 0; s < directSuperBlocks; s++) direct += superBlock(array, s).blocks;
  const pointers = direct + Math.max(0, superBlocks - directSuperBlocks);
  const size = prefix + blockElements * elements.size + pointers * file.offsetSize;
  const cursor = file.cursor(address, size + 4);
  cursor.signature("EAIB");
  verify(cursor.bytes);
  cursor.skip(prefix - 4);
  elements.read(cursor, 0, blockElements);
  let first = blockElements;
  for (let s = 0; s < superBlocks; s++) {
    const { blocks, perBlock } = superBlock(array, s);
    if (s < directSuperBlocks) {
      for (let b = 0; b < blocks; b++) {
        readDataBlock(
          file,
          array,
          file.address(cursor),
          first + b * perBlock,
          perBlock,
          () => true,
        );
      }
    } else readSuperBlock(file, array, file.address(cursor), s, first);
    first += blocks * perBlock;
  }
}

function readSuperBlock(
  file: Hdf5File,
  array: Extensible,
  address: number,
  number: number,
  first: number,
): void {
  if (address === UNDEFINED) return;
  const { blocks, perBlock } = superBlock(array, number);
  const pages = perBlock > array.perPage ? perBlock / array.perPage : 0;
  const bitmapSize = Math.ceil(pages / 8) * blocks;
  const head = array.prefix + array.offsetBytes;
  const cursor = file.cursor(address, head + bitmapSize + blocks * file.offsetSize + 4);
  cursor.signature("EASB");
  verify(cursor.bytes);
  cursor.skip(head - 4);
  const bitmap = cursor.take8(bitmapSize);
  for (let b = 0; b < blocks; b++) {
    const isWritten = (page: number): boolean => bitSet(bitmap, b * pages + page);
    const from = first + b * perBlock;
    readDataBlock(file, array, file.address(cursor), from, perBlock, isWritten);
  }
}

function readDataBlock(
  file: Hdf5File,
  array: Extensible,
  address: number,
  first: number,
  count: number,
  isWritten: (page: number) => boolean,
): void {
  if (address === UNDEFINED) return;
  const { elements, perPage } = array;
  const head = array.prefix + array.offsetBytes;
  const isPaged = count > perPage;
  const size = head + (isPaged ? 0 : count * elements.size) + 4;
  const cursor = file.cursor(address, size);
  cursor.signature("EADB");
  verify(cursor.bytes);
  if (!isPaged) {
    cursor.skip(head - 4);
    elements.read(cursor, first, count);
    return;
  }
  elements.readPages(address + head + 4, first, count, perPage, isWritten);
}
