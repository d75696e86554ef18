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

/** Bytes of an entry in a file with addresses of `offsetSize` bytes. */
export const symbolEntrySize = (offsetSize: number): number => 2 * offsetSize + 24;

/**
 * The scratch-pad of a group has a copy of its symbol table message, which is not needed.
 *
 * @throws DamagedFile if the kind is not one of section III.C; HDF5 refuses it too (H5Gent.c)
 */
export function readSymbolEntry(cursor: Cursor, offsetSize: number): SymbolEntry {
  const nameAt = undefinable(cursor, offsetSize);
  const target = undefinable(cursor, offsetSize);
  const cache = cursor.u32();
  cursor.skip(4);
  const scratch = new Cursor(cursor.take8(16));
  if (cache > 2) throw new DamagedFile("A group of the file has an entry of an unknown kind.");
  return { nameAt, target, pathAt: cache === 2 ? scratch.u32() : undefined };
}
