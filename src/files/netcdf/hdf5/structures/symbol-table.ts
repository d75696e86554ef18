/** Reads the members of an old-style group (specification, III.A.1 to D). */

import { DamagedFile } from "../../errors.js";
import { compareBytes } from "../../source/compare-bytes.js";
import { Cursor } from "../../source/cursor.js";
import { type Hdf5File, UNDEFINED } from "../file.js";
import { walkBTree1 } from "./b-tree-1.js";
import { readSymbolEntry, type SymbolTable, symbolEntrySize } from "./symbol-entry.js";

export interface Symbol {
  readonly name: string;
  /** Address of an object header, or the path of a soft link. */
  readonly target: number | string;
  /** For a group, the entry's copy of its symbol table. */
  readonly table: SymbolTable | undefined;
}

interface Named extends Symbol {
  readonly bytes: Uint8Array;
}

/**
 * All members, ordered by name. There is no checksum and no total count, so the order of names and keys is checked, and
 * entries beyond a node's count are examined.
 *
 * @throws DamagedFile
 */
export function readSymbolTable(file: Hdf5File, { tree, heap }: SymbolTable): Symbol[] {
  const names = new Names(file, heap);
  const found: Named[] = [];
  const passedOver: string[] = [];
  const kind = { type: 0, keySize: file.lengthSize, rank: file.ranks.groupTree };
  walkBTree1(file, file.defined(tree), kind, (body, used, level, descend) => {
    let low = names.at(file.length(body));
    for (let i = 0; i < used; i++) {
      const child = file.defined(file.address(body));
      const high = names.at(file.length(body));
      const from = found.length;
      if (level > 0) descend(child);
      else readNode(file, child, names, found, passedOver);
      // A key precedes all names of its child. The next key is the child's last name.
      const [first, last] = [found[from], found.at(-1)];
      if (first === undefined || last === undefined || found.length === from) throw damaged();
      if (compareBytes(low, first.bytes) >= 0 || compareBytes(last.bytes, high) > 0) {
        throw damaged();
      }
      low = high;
    }
    if (level === 0 && body.left >= file.offsetSize) {
      const child = file.address(body);
      if (child > 0) passedOver.push(...namesOfNode(file, child, names));
    }
  });
  for (const [i, { bytes }] of found.entries()) {
    if (i > 0 && compareBytes(found[i - 1]?.bytes ?? bytes, bytes) >= 0) throw damaged();
  }
  const known = new Set(found.map(({ name }) => name));
  if (passedOver.some((name) => !known.has(name))) throw damaged();
  return found;
}

const damaged = (): DamagedFile =>
  new DamagedFile("A group of the file has an index that is not possible.");

/** A local heap, which holds names (III.D). */
class Names {
  readonly #heap: Uint8Array;

  constructor(file: Hdf5File, address: number) {
    const head = file.cursor(address, 8 + 2 * file.lengthSize + file.offsetSize);
    head.signature("HEAP");
    const version = head.uint(4);
    const size = file.length(head);
    const free = file.length(head);
    const segment = file.address(head);
    this.#heap = file.cursor(segment, size).bytes;
    file.space.claim(address, head.bytes.length);
    file.space.claim(segment, size);
    // Version 0 and three reserved bytes. A free list of 1 is empty. The first name is the root's empty one.
    const isFree = free === UNDEFINED || free === 1 || (free % 8 === 0 && free < size);
    if (version !== 0 || size < 8 || !isFree || this.#heap[0] !== 0) {
      throw new DamagedFile("A heap of the file has sizes that are not possible.");
    }
  }

  /** The bytes of a name, which is aligned to eight bytes. */
  at(offset: number): Uint8Array {
    const end = offset < 0 || offset % 8 !== 0 ? -1 : this.#heap.indexOf(0, offset);
    if (end < 0) throw new DamagedFile("A name in the file is not where the file says.");
    return this.#heap.subarray(offset, end);
  }
}

const textOf = (bytes: Uint8Array): string => new Cursor(bytes).text(bytes.length);

function nodeOf(file: Hdf5File, address: number): { cursor: Cursor; count: number } {
  const capacity = 2 * file.ranks.symbolNode;
  const size = 8 + capacity * symbolEntrySize(file.offsetSize);
  const cursor = file.cursorUpTo(address, size);
  cursor.signature("SNOD");
  const version = cursor.u8();
  const reserved = cursor.u8();
  const count = cursor.u16();
  if (version !== 1 || reserved !== 0 || count > capacity) throw damaged();
  file.space.claim(address, size);
  return { cursor, count };
}

function readNode(
  file: Hdf5File,
  address: number,
  names: Names,
  found: Named[],
  passedOver: string[],
): void {
  const { cursor, count } = nodeOf(file, address);
  for (let i = 0; i < count; i++) {
    const { nameAt, target, table, pathAt } = readSymbolEntry(cursor, file.offsetSize);
    const bytes = names.at(nameAt);
    if (bytes.length === 0) throw damaged();
    const goal = pathAt === undefined ? file.defined(target) : textOf(names.at(pathAt));
    found.push({ name: textOf(bytes), bytes, target: goal, table });
  }
  passedOver.push(...namesThatFollow(file, cursor, names));
}

/** Names after the counted entries: moved, deleted, or lost from the count by damage. */
function namesThatFollow(file: Hdf5File, cursor: Cursor, names: Names): string[] {
  if (cursor.left < symbolEntrySize(file.offsetSize)) return [];
  try {
    const { nameAt, target } = readSymbolEntry(cursor, file.offsetSize);
    const isEntry = nameAt > 0 && (target > 0 || target === UNDEFINED);
    return isEntry ? [textOf(names.at(nameAt))] : [];
  } catch (error) {
    if (error instanceof DamagedFile) return [];
    throw error;
  }
}

function namesOfNode(file: Hdf5File, address: number, names: Names): string[] {
  try {
    return namesThatFollow(file, nodeOf(file, address).cursor, names);
  } catch (error) {
    if (error instanceof DamagedFile) return [];
    throw error;
  }
}
