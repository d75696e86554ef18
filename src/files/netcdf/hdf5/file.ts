/**
 * Opens an HDF5 file.
 *
 * Source here and in neighbouring files: HDF5 File Format Specification Version 3.0 (The HDF Group), cited by section
 * numbers.
 */

import { checkEnd, DamagedFile, NotReadableFormat } from "../errors.js";
import type { FileReader } from "../file-reader.js";
import type { Cursor } from "../source/cursor.js";
import { fitsChecksum } from "./structures/checksum.js";
import { SpaceMap } from "./structures/space-map.js";

/** An undefined address or size: all bits one (section II.A). */
export const UNDEFINED = -1;

/** The next address or length of `size` bytes at the cursor, or UNDEFINED. */
export function undefinable(cursor: Cursor, size: number): number {
  const bytes = cursor.bytes.subarray(cursor.at, cursor.at + size);
  if (bytes.length < size || bytes.some((byte) => byte !== 0xff)) return cursor.uint(size);
  cursor.skip(size);
  return UNDEFINED;
}

const SIGNATURE = Uint8Array.of(0x89, 0x48, 0x44, 0x46, 0x0d, 0x0a, 0x1a, 0x0a);

/** Bytes of a superblock of version 2, the shortest one. */
export const SHORTEST_SUPERBLOCK = 48;

/** Nodes of version 1 have room for twice this many children or entries (section II.A). */
interface Ranks {
  readonly symbolNode: number;
  readonly groupTree: number;
  readonly chunkTree: number;
}

const DEFAULT_RANKS: Ranks = { symbolNode: 4, groupTree: 16, chunkTree: 32 };

/** An HDF5 file with its superblock. Addresses are relative to `base`. */
export class Hdf5File {
  /** The bytes occupied by the structures read so far. */
  readonly space = new SpaceMap();
  readonly #verified = new Set<number>();
  ranks = DEFAULT_RANKS;

  constructor(
    readonly reader: FileReader,
    /** Bytes before the HDF5 contents: a user block (section II.A). */
    readonly base: number,
    /** Bytes of an address in this file. */
    readonly offsetSize: number,
    /** Bytes of a length in this file. */
    readonly lengthSize: number,
    readonly root: number,
    /** The superblock extension's object header, or UNDEFINED. */
    readonly extension: number,
  ) {
    this.space.claim(0, SHORTEST_SUPERBLOCK);
  }

  /** Bytes of a reference to a value of variable length: length, collection, number (IV.B). */
  get referenceSize(): number {
    return 4 + this.offsetSize + 4;
  }

  cursor(address: number, length: number): Cursor {
    return this.reader.cursor(this.base + this.defined(address), length);
  }

  /** As `cursor`, but shorter at the file's end. */
  cursorUpTo(address: number, length: number): Cursor {
    return this.reader.cursorUpTo(this.base + this.defined(address), length);
  }

  /** A structure that ends with a four-byte checksum, which `length` includes. */
  checked(address: number, length: number): Cursor {
    const cursor = this.cursor(address, length);
    verify(cursor.bytes);
    return cursor;
  }

  /** The same after its signature. */
  structure(signature: string, address: number, length: number): Cursor {
    this.cursor(address, signature.length).signature(signature);
    const cursor = this.checked(address, length);
    cursor.skip(signature.length);
    return cursor;
  }

  once(address: number, check: () => void): void {
    if (this.#verified.has(address)) return;
    check();
    this.#verified.add(address);
  }

  defined(address: number): number {
    if (address === UNDEFINED) {
      throw new DamagedFile("A structure of the file is referred to, but was never written.");
    }
    return address;
  }

  address(cursor: Cursor): number {
    return undefinable(cursor, this.offsetSize);
  }

  length(cursor: Cursor): number {
    return undefinable(cursor, this.lengthSize);
  }
}

/** Checks that the last four bytes are the checksum of the others. */
export function verify(bytes: Uint8Array): void {
  if (!fitsChecksum(bytes)) {
    throw new DamagedFile("A structure of the file does not fit its checksum.");
  }
}

/** Position of the superblock: byte 0, or 512, 1024, 2048 ... after a user block (section II.A). */
export function findSuperblock(reader: FileReader): number | undefined {
  for (let at = 0; at + SIGNATURE.length <= reader.size; at = at === 0 ? 512 : at * 2) {
    const found = reader.read(at, SIGNATURE.length);
    if (SIGNATURE.every((byte, i) => byte === found[i])) return at;
  }
  return undefined;
}

interface Sizes {
  readonly offset: number;
  readonly length: number;
  readonly ranks: Ranks;
}

/** Reads the fields before the addresses in a superblock of version 0 or 1 (section II.A). */
function readOldSizes(cursor: Cursor, version: number): Sizes {
  const [freeSpace, rootGroup] = [cursor.u8(), cursor.u8()];
  cursor.skip(1);
  const sharedHeader = cursor.u8();
  const [offset, length] = [cursor.u8(), cursor.u8()];
  cursor.skip(1);
  const [symbolNode, groupTree] = [cursor.u16(), cursor.u16()];
  cursor.skip(4); // consistency flags
  const chunkTree = version === 1 ? cursor.u16() : DEFAULT_RANKS.chunkTree;
  if (version === 1) cursor.skip(2);
  const ranks = { symbolNode, groupTree, chunkTree };
  // HDF5 reads no other versions either, and no nodes without room (H5Fsuper_cache.c).
  if (freeSpace + rootGroup + sharedHeader > 0 || Object.values(ranks).includes(0)) {
    throw new DamagedFile("The HDF5 superblock has values that are not possible.");
  }
  return { offset, length, ranks };
}

export function readSuperblock(reader: FileReader, at: number): Hdf5File {
  const cursor = reader.cursorUpTo(at, 128);
  cursor.skip(SIGNATURE.length);
  const version = cursor.u8();
  if (version > 3) throw new NotReadableFormat(`HDF5 superblock version ${version} is not read.`);
  const { offset, length, ranks } =
    version < 2
      ? readOldSizes(cursor, version)
      : { offset: cursor.u8(), length: cursor.u8(), ranks: DEFAULT_RANKS };
  if (![2, 4, 8].includes(offset) || ![2, 4, 8].includes(length)) {
    throw new DamagedFile("The HDF5 superblock has sizes that are not possible.");
  }
  if (version > 1) {
    cursor.skip(1); // consistency flags
    verify(cursor.bytes.subarray(0, cursor.at + 4 * offset + 4));
  }
  const address = (): number => undefinable(cursor, offset);
  const base = address();
  // HDF5 uses the superblock's real position: a user block may have been added later (H5Fsuper.c).
  const end = (): number => address() - base + at;
  if (version > 1) {
    const extension = address();
    checkEnd(reader.size, end());
    return new Hdf5File(reader, at, offset, length, address(), extension);
  }
  address(); // free space
  checkEnd(reader.size, end());
  address(); // driver information
  // The root's symbol table entry (section III.C): its name, and the address of its header.
  cursor.skip(length);
  const file = new Hdf5File(reader, at, offset, length, address(), UNDEFINED);
  if (cursor.u32() > 2) {
    throw new DamagedFile("A group of the file has an entry of an unknown kind.");
  }
  file.ranks = ranks;
  return file;
}
