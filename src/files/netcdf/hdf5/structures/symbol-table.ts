/** Reads the members of an old-style group (specification, III.A.1 to D). */

import { DamagedFile } from "../../errors.js";
import { Cursor, utf8 } from "../../source/cursor.js";
import type { Hdf5File } from "../file.js";
import { walkBTree1 } from "./b-tree-1.js";

interface Symbol {
  readonly name: string;
  /** Address of an object header, or the path of a soft link. */
  readonly target: number | string;
}

/**
 * All members of a group, by its symbol table message (IV.A.2.r). Only the counted entries of a node are read: HDF5 does not
 * clear the rest, nor needs the keys to list a group.
 */
export function readSymbolTable(file: Hdf5File, message: Cursor): Symbol[] {
  const [tree, heap] = [file.address(message), file.address(message)];
  const names = readHeap(file, heap);
  const found: Symbol[] = [];
  const kind = { type: 0, keySize: file.lengthSize, rank: file.ranks.groupTree };
  walkBTree1(file, file.defined(tree), kind, (body, used, level, descend) => {
    for (let i = 0; i < used; i++) {
      body.skip(file.lengthSize);
      const child = file.defined(file.address(body));
      if (level > 0) descend(child);
      else readNode(file, child, names, found);
    }
  });
  return found;
}

/** A local heap, which holds names (III.D). */
function readHeap(file: Hdf5File, address: number): Uint8Array {
  const head = file.cursor(address, 8 + 2 * file.lengthSize + file.offsetSize);
  head.signature("HEAP");
  if (head.u8() !== 0) throw new DamagedFile("A heap of the file has no known version.");
  head.skip(3);
  const size = file.length(head);
  head.skip(file.lengthSize);
  const segment = file.address(head);
  file.space.claim(address, head.bytes.length);
  file.space.claim(segment, size);
  return file.cursor(segment, size).bytes;
}

function textAt(heap: Uint8Array, offset: number): string {
  const end = offset < 0 ? -1 : heap.indexOf(0, offset);
  if (end < 0) throw new DamagedFile("A name in the file is not where the file says.");
  return utf8(heap.subarray(offset, end));
}

function readNode(file: Hdf5File, address: number, heap: Uint8Array, found: Symbol[]): void {
  const head = file.cursor(address, 8);
  head.signature("SNOD");
  const version = head.u8();
  head.skip(1);
  const count = head.u16();
  // Section II.A: a node has room for twice "Group Leaf Node K" entries.
  if (version !== 1 || count > 2 * file.ranks.symbolNode) {
    throw new DamagedFile("A group of the file has more members than its node has room for.");
  }
  const size = count * (file.lengthSize + file.offsetSize + 24);
  file.space.claim(address, 8 + size);
  const entries = file.cursor(address + 8, size);
  for (let i = 0; i < count; i++) found.push(readEntry(file, entries, heap));
}

/**
 * An entry (III.C). The position of the name is a length to HDF5 (H5Gent.c), an offset only in the specification. The scratch-pad
 * has the position of a soft link's path; that of a group has a copy of its symbol table message, which is not needed.
 */
function readEntry(file: Hdf5File, entries: Cursor, heap: Uint8Array): Symbol {
  const name = textAt(heap, file.length(entries));
  const target = file.address(entries);
  const cache = entries.u32();
  entries.skip(4);
  const scratch = new Cursor(entries.take8(16));
  // HDF5 refuses other kinds, too (H5Gent.c).
  if (cache > 2) throw new DamagedFile("A group of the file has an entry of an unknown kind.");
  return { name, target: cache === 2 ? textAt(heap, scratch.u32()) : target };
}
