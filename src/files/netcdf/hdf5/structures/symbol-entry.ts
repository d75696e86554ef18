/** Reads symbol table entries (specification, section III.C), from symbol nodes and from the superblock. */

import { DamagedFile } from "../../errors.js";
import { Cursor } from "../../source/cursor.js";
import { UNDEFINED, undefinable } from "../addresses.js";

/** The location of an old-style group's members. */
export interface SymbolTable {
  readonly tree: number;
  readonly heap: number;
}

export interface SymbolEntry {
  /** Position of the name in the local heap. */
  readonly nameAt: number;
  /** Address of an object header; UNDEFINED for a soft link. */
  readonly target: number;
  /** The entry's copy of a group's symbol table message. */
  readonly table: SymbolTable | undefined;
  /** Position of a soft link's path in the local heap. */
  readonly pathAt: number | undefined;
}

/** Bytes of an entry in a file with addresses of `offsetSize` bytes. */
export const symbolEntrySize = (offsetSize: number): number => 2 * offsetSize + 24;

/** @throws DamagedFile if an entry is inconsistent */
export function readSymbolEntry(cursor: Cursor, offsetSize: number): SymbolEntry {
  const nameAt = undefinable(cursor, offsetSize);
  const target = undefinable(cursor, offsetSize);
  const cache = cursor.u32();
  const reserved = cursor.u32();
  const scratch = new Cursor(cursor.take8(16));
  const isLink = cache === 2;
  if (cache > 2 || reserved !== 0 || isLink !== (target === UNDEFINED)) {
    throw new DamagedFile("A group of the file has an entry that is not possible.");
  }
  const table =
    cache === 1
      ? { tree: undefinable(scratch, offsetSize), heap: undefinable(scratch, offsetSize) }
      : undefined;
  return { nameAt, target, table, pathAt: isLink ? scratch.u32() : undefined };
}
