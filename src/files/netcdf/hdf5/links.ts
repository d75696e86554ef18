/** Reads the members of old-style and new-style groups (specification, III.B to III.D, IV.A.2.c, g, r). */

import { DamagedFile } from "../errors.js";
import { Cursor, compareBytes, utf8 } from "../source/cursor.js";
import { type Hdf5File, UNDEFINED } from "./file.js";
import { MESSAGE, type ObjectHeader } from "./header-message.js";
import { readBTree2 } from "./structures/b-tree-2.js";
import { FractalHeap } from "./structures/fractal-heap.js";
import { readSymbolTable } from "./structures/symbol-table.js";

const UTF8 = new TextEncoder();

export interface Link {
  readonly name: string;
  /** Address of an object header, or the path of a soft link; undefined for external links. */
  readonly target: number | string | undefined;
  readonly creationOrder: number;
}

const MAX_LINKS = 1_000_000;

const OF_GROUPS: readonly number[] = [MESSAGE.symbolTable, MESSAGE.linkInfo, MESSAGE.link];

export const isGroup = ({ messages }: ObjectHeader): boolean =>
  messages.some(({ type }) => OF_GROUPS.includes(type));

/**
 * The links of a group by order of creation, or by name if the group does not track it.
 *
 * netCDF-C uses this order too, and it determines the numbers of phony dimensions.
 */
export function readLinks(file: Hdf5File, header: ObjectHeader): Link[] {
  const links: Link[] = [];
  const add = (link: Link): void => {
    links.push(link);
    if (links.length > MAX_LINKS) throw new DamagedFile("A group has too many members.");
  };
  let tracked = false;
  for (const message of header.messages) {
    if (message.type === MESSAGE.link) add(readLink(file, new Cursor(message.data)));
    if (message.type === MESSAGE.symbolTable) {
      const symbols = readSymbolTable(file, new Cursor(message.data));
      for (const symbol of symbols) add({ ...symbol, creationOrder: 0 });
    }
    if (message.type === MESSAGE.linkInfo) tracked = dense(file, new Cursor(message.data), add);
  }
  const byName = (a: Link, b: Link): number =>
    compareBytes(UTF8.encode(a.name), UTF8.encode(b.name));
  return links.sort((a, b) => (tracked && a.creationOrder - b.creationOrder) || byName(a, b));
}

/** A link message (IV.A.2.g). */
function readLink(file: Hdf5File, cursor: Cursor): Link {
  const version = cursor.u8();
  const flags = cursor.u8();
  if (version !== 1 || flags > 0x1f) throw new DamagedFile("A link has no known version.");
  const type = (flags & 0x08) !== 0 ? cursor.u8() : 0;
  const creationOrder = (flags & 0x04) !== 0 ? cursor.u64() : 0;
  if ((flags & 0x10) !== 0) cursor.skip(1);
  const name = utf8(cursor.take8(cursor.uint(1 << (flags & 3))));
  if (type === 0) return { name, target: file.address(cursor), creationOrder };
  if (type === 1) return { name, target: utf8(cursor.take8(cursor.u16())), creationOrder };
  if (type < 64) throw new DamagedFile("A link of the file is of an unknown kind.");
  return { name, target: undefined, creationOrder };
}

/** Reads links stored outside the header (IV.A.2.c). Returns whether creation order is tracked. */
function dense(file: Hdf5File, info: Cursor, add: (link: Link) => void): boolean {
  info.skip(1);
  const tracked = (info.u8() & 1) !== 0;
  if (tracked) info.skip(8);
  const heapAddress = file.address(info);
  const names = file.address(info);
  if (heapAddress === UNDEFINED || names === UNDEFINED) return tracked;
  const heap = new FractalHeap(file, heapAddress);
  readBTree2(file, names, (record, type) => {
    if (type !== 5) throw new DamagedFile("A group has an index of another kind.");
    record.skip(4);
    add(readLink(file, new Cursor(heap.get(record.take8(7)))));
  });
  return tracked;
}
