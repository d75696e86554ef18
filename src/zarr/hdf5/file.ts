/**
 * The way into an HDF5 file.
 *
 * Source here and in the files beside: HDF5 File Format Specification Version 3.0 (The HDF Group),
 * cited by its section numbers.
 */
import type { Cursor } from "../cursor.js";
import { DamagedFile, NotReadableFormat } from "../errors.js";
import type { FileReader } from "../file-reader.js";

/** An address or a size nobody has set: all bits one (section II.A). */
export const UNDEFINED = -1;

const SIGNATURE = Uint8Array.of(0x89, 0x48, 0x44, 0x46, 0x0d, 0x0a, 0x1a, 0x0a);

/** An HDF5 file whose superblock was read; addresses are relative to `base` until they are read. */
export class Hdf5File {
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
  ) {}

  cursor(address: number, length: number): Cursor {
    return this.reader.cursor(this.base + this.defined(address), length);
  }

  /** As `cursor`, but shorter where the file ends. */
  cursorUpTo(address: number, length: number): Cursor {
    return this.reader.cursorUpTo(this.base + this.defined(address), length);
  }

  defined(address: number): number {
    if (address === UNDEFINED) {
      throw new DamagedFile("A structure of the file is referred to, but was never written.");
    }
    return address;
  }

  /** The next address at the cursor, or UNDEFINED. */
  address(cursor: Cursor): number {
    return undefinable(cursor, this.offsetSize);
  }

  /** The next length at the cursor, or UNDEFINED. */
  length(cursor: Cursor): number {
    return undefinable(cursor, this.lengthSize);
  }
}

function undefinable(cursor: Cursor, size: number): number {
  const from = cursor.at;
  const bytes = cursor.take8(size);
  if (bytes.every((byte) => byte === 0xff)) return UNDEFINED;
  cursor.at = from;
  return cursor.uint(size);
}

function hasSignature(reader: FileReader, at: number): boolean {
  if (at + SIGNATURE.length > reader.size) return false;
  const found = reader.read(at, SIGNATURE.length);
  return SIGNATURE.every((byte, i) => byte === found[i]);
}

/**
 * Where the superblock is: at byte 0, or after a user block at 512, 1024, 2048 ... (section II.A).
 *
 * @returns undefined when this is no HDF5 file
 */
export function findSuperblock(reader: FileReader): number | undefined {
  for (let at = 0; at + SIGNATURE.length <= reader.size; at = at === 0 ? 512 : at * 2) {
    if (hasSignature(reader, at)) return at;
  }
  return undefined;
}

/** A file shorter than its superblock says was cut off, in a transfer for one. */
function checkEnd(reader: FileReader, end: number): void {
  if (end > reader.size) {
    throw new DamagedFile(`The file has ${reader.size} bytes of the ${end} it should have.`);
  }
}

/** @throws NotReadableFormat for a superblock of a newer version, DamagedFile */
export function openHdf5(reader: FileReader, at: number): Hdf5File {
  const cursor = reader.cursorUpTo(at, 128);
  cursor.skip(SIGNATURE.length);
  const version = cursor.u8();
  if (version > 3) throw new NotReadableFormat(`HDF5 superblock version ${version} is not read.`);
  if (version < 2) cursor.skip(4);
  const offsetSize = cursor.u8();
  const lengthSize = cursor.u8();
  if (![2, 4, 8].includes(offsetSize) || ![2, 4, 8].includes(lengthSize)) {
    throw new DamagedFile("The HDF5 superblock has sizes that are not possible.");
  }
  // Section II.A: B-tree ranks and consistency flags, which reading does not need.
  if (version < 2) cursor.skip(1 + 2 + 2 + 4 + (version === 1 ? 4 : 0));
  else cursor.skip(1);
  const address = (): number => undefinable(cursor, offsetSize);
  const base = address();
  if (version < 2) {
    address(); // free space
    checkEnd(reader, address());
    address(); // driver information
    address(); // link name of the root's entry (section III.C)
    return new Hdf5File(reader, Math.max(base, at), offsetSize, lengthSize, address(), UNDEFINED);
  }
  const extension = address();
  checkEnd(reader, address());
  return new Hdf5File(reader, Math.max(base, at), offsetSize, lengthSize, address(), extension);
}
