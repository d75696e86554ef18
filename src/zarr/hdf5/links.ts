/** The members of a group, of old and new style (specification, III.B to III.D, IV.A.2.c, g, r). */
import { Cursor, utf8 } from "../cursor.js";
import { DamagedFile } from "../errors.js";
import { readBTree2 } from "./b-tree-2.js";
import { type Hdf5File, UNDEFINED } from "./file.js";
import { openFractalHeap } from "./fractal-heap.js";
import { findMessage, MESSAGE, messageCursor, type ObjectHeader } from "./object-header.js";

export interface Link {
  readonly name: string;
  /** Address of an object header, or the path of a soft link. External links are left out. */
  readonly target: number | string;
  readonly creationOrder: number;
}

/** More members than a group that somebody has written has. */
const MOST_LINKS = 1_000_000;

export function isGroup(header: ObjectHeader): boolean {
  return (
    findMessage(header, MESSAGE.symbolTable) !== undefined ||
    findMessage(header, MESSAGE.linkInfo) !== undefined ||
    findMessage(header, MESSAGE.link) !== undefined
  );
}

/**
 * The links of a group, in order of creation where the group tracks it, of names otherwise.
 *
 * That is the order in which netCDF-C meets them, which decides the numbers of phony dimensions.
 */
export function readLinks(file: Hdf5File, header: ObjectHeader): Link[] {
  const links: Link[] = [];
  const add = (link: Link | undefined): void => {
    if (link !== undefined) links.push(link);
    if (links.length > MOST_LINKS) throw new DamagedFile("A group has too many members.");
  };
  let tracked = false;
  for (const message of header.messages) {
    if (message.type === MESSAGE.link) add(readLink(file, messageCursor(message)));
    if (message.type === MESSAGE.symbolTable) oldStyle(file, messageCursor(message), add);
    if (message.type === MESSAGE.linkInfo) tracked = dense(file, messageCursor(message), add);
  }
  const byName = (a: Link, b: Link): number =>
    Buffer.compare(Buffer.from(a.name), Buffer.from(b.name));
  return links.sort((a, b) => (tracked && a.creationOrder - b.creationOrder) || byName(a, b));
}

/** A link message (IV.A.2.g). */
function readLink(file: Hdf5File, cursor: Cursor): Link | undefined {
  cursor.skip(1);
  const flags = cursor.u8();
  const type = (flags & 0x08) !== 0 ? cursor.u8() : 0;
  const creationOrder = (flags & 0x04) !== 0 ? cursor.u64() : 0;
  if ((flags & 0x10) !== 0) cursor.skip(1);
  const name = utf8(cursor.take8(cursor.uint(1 << (flags & 3))));
  if (type === 0) return { name, target: file.address(cursor), creationOrder };
  if (type === 1) return { name, target: utf8(cursor.take8(cursor.u16())), creationOrder };
  return undefined;
}

/** Links that do not fit into the header (IV.A.2.c). Says whether creation order is tracked. */
function dense(file: Hdf5File, info: Cursor, add: (link: Link | undefined) => void): boolean {
  info.skip(1);
  const tracked = (info.u8() & 1) !== 0;
  if (tracked) info.skip(8);
  const heapAddress = file.address(info);
  const names = file.address(info);
  if (heapAddress === UNDEFINED || names === UNDEFINED) return tracked;
  const heap = openFractalHeap(file, heapAddress);
  readBTree2(file, names, (record, type) => {
    if (type !== 5) throw new DamagedFile("A group has an index of another kind.");
    record.skip(4);
    add(readLink(file, new Cursor(heap.get(record.take8(7)))));
  });
  return tracked;
}

/** A symbol table: B-tree of version 1 over symbol nodes, names in a local heap (III.A.1 to D). */
function oldStyle(file: Hdf5File, message: Cursor, add: (link: Link | undefined) => void): void {
  const tree = file.address(message);
  const heap = readLocalHeap(file, file.address(message));
  const visited = new Set<number>();
  const walk = (at: number, parentLevel: number): void => {
    file.reader.tick();
    if (visited.has(at)) throw new DamagedFile("A group of the file refers to itself.");
    visited.add(at);
    const head = file.cursor(at, 8 + 2 * file.offsetSize);
    head.signature("TREE");
    const type = head.u8();
    const level = head.u8();
    const used = head.u16();
    if (type !== 0 || level >= parentLevel) {
      throw new DamagedFile("A group of the file has an index that is not possible.");
    }
    const body = file.cursor(at + head.bytes.length, used * (file.lengthSize + file.offsetSize));
    for (let i = 0; i < used; i++) {
      body.skip(file.lengthSize);
      const child = file.defined(file.address(body));
      if (level > 0) walk(child, level);
      else symbolNode(file, child, heap, add);
    }
  };
  walk(tree, 256);
}

function readLocalHeap(file: Hdf5File, address: number): Cursor {
  const head = file.cursor(address, 8 + 2 * file.lengthSize + file.offsetSize);
  head.signature("HEAP");
  head.skip(4);
  const size = file.length(head);
  file.length(head);
  return file.cursor(file.address(head), size);
}

function symbolNode(
  file: Hdf5File,
  address: number,
  heap: Cursor,
  add: (link: Link | undefined) => void,
): void {
  const head = file.cursor(address, 8);
  head.signature("SNOD");
  head.skip(2);
  const count = head.u16();
  const size = 2 * file.offsetSize + 24;
  const entries = file.cursor(address + 8, count * size);
  for (let i = 0; i < count; i++) {
    const nameAt = file.address(entries);
    const target = file.address(entries);
    const cacheType = entries.u32();
    entries.skip(4);
    const scratch = new Cursor(entries.take8(16));
    const text = (at: number): string => {
      const cursor = new Cursor(heap.bytes);
      cursor.skip(at);
      return cursor.textToNul();
    };
    // Cache type 2: a soft link, whose path is in the heap too.
    const goal = cacheType === 2 ? text(scratch.u32()) : target;
    if (goal !== UNDEFINED) add({ name: text(nameAt), target: goal, creationOrder: 0 });
  }
}
