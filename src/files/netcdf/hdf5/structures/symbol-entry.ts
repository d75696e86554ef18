/** Reads symbol table entries (specification, section III.C), from symbol nodes and from the superblock. */

import { DamagedFile } from "../../errors.js";
import { Cursor } from "../../source/cursor.js";
import { undefinable } from "../addresses.js";

export interface SymbolEntry {
  /** Position of the name in the local heap. */
  readonly nameAt: number;
  /** Address of an object header; meaningless for a soft link. */
  readonly target: number;
  /** Position of a soft link's path in the local heap. */
  readonly pathAt: number | undefined;
}

/** Bytes of the file's addresses and lengths. */
export interface Sizes {
  readonly offsetSize: number;
  readonly lengthSize: number;
}

/** Bytes of an entry. */
export const symbolEntrySize = ({ offsetSize, lengthSize }: Sizes): number =>
  lengthSize + offsetSize + 24;

/**
 * The position of the name is a length to HDF5 (H5Gent.c), an offset only in the specification. The scratch-pad of a group has a
 * copy of its symbol table message, which is not needed.
 *
 * @throws DamagedFile if the kind is not one of section III.C; HDF5 refuses it too (H5Gent.c)
 */
export function readSymbolEntry(cursor: Cursor, { offsetSize, lengthSize }: Sizes): SymbolEntry {
  const nameAt = undefinable(cursor, lengthSize);
  const target = undefinable(cursor, offsetSize);
  const cache = cursor.u32();
  cursor.skip(4);
  const scratch = new Cursor(cursor.take8(16));
  if (cache > 2) throw new DamagedFile("A group of the file has an entry of an unknown kind.");
  return { nameAt, target, pathAt: cache === 2 ? scratch.u32() : undefined };
}
