/** Reads version 2 B-trees (specification, III.A.2): links, attributes, huge objects, chunks. */

import { DamagedFile } from "../../errors.js";
import { Cursor } from "../../source/cursor.js";
import { type Hdf5File, UNDEFINED, verify } from "../file.js";

interface Level {
  readonly pointerSize: number;
  readonly totalSize: number;
}

/** Each record holds at least a hash and an id; a tree with more records is a loop. */
const MAX_RECORDS = 50_000_000;

/** Calls a visitor for each record, in the tree's order, with the tree's type and its record size. */
export function readBTree2(
  file: Hdf5File,
  address: number,
  visit: (record: Cursor, type: number, recordSize: number) => void,
): void {
  if (address === UNDEFINED) return;
  const head = file.structure("BTHD", address, 22 + file.offsetSize + file.lengthSize);
  head.skip(1);
  const type = head.u8();
  const nodeSize = head.u32();
  const recordSize = head.u16();
  const depth = head.u16();
  head.skip(2);
  const root = file.address(head);
  const rootRecords = head.u16();
  const total = file.length(head);
  if (root === UNDEFINED || rootRecords === 0) return;
  if (recordSize === 0 || nodeSize < 10 + recordSize || nodeSize > 1 << 26 || depth > 32) {
    throw new DamagedFile("A B-tree of the file has sizes that are not possible.");
  }
  const levels = sizesOfLevels(file, nodeSize, recordSize, depth);
  const visited = new Set<number>();
  let count = 0;
  const walk = (at: number, records: number, level: number): void => {
    file.reader.tick();
    if (visited.has(at)) throw new DamagedFile("A B-tree of the file refers to itself.");
    visited.add(at);
    count += records;
    if (count > total || count > MAX_RECORDS) {
      throw new DamagedFile("A B-tree of the file has more records than it says.");
    }
    const node = file.cursor(at, nodeSize);
    node.signature(level === 0 ? "BTLF" : "BTIN");
    node.skip(2);
    const body = node.take8(records * recordSize);
    const { pointerSize, totalSize } = levels[level] ?? { pointerSize: 0, totalSize: 0 };
    const children = level === 0 ? 0 : records + 1;
    const pointers = children * (file.offsetSize + pointerSize + totalSize);
    // The rest of a node after its checksum is unused.
    verify(node.bytes.subarray(0, node.at + pointers + 4));
    const record = (i: number): void =>
      visit(new Cursor(body.subarray(i * recordSize, (i + 1) * recordSize)), type, recordSize);
    if (level === 0) {
      for (let i = 0; i < records; i++) record(i);
      return;
    }
    for (let i = 0; i <= records; i++) {
      const child = file.address(node);
      const count = node.uint(pointerSize);
      node.skip(totalSize);
      walk(file.defined(child), count, level - 1);
      if (i < records) record(i);
    }
  };
  walk(root, rootRecords, depth);
  if (count !== total)
    throw new DamagedFile("A B-tree of the file has fewer records than it says.");
}

/** Bytes of a number up to a limit. */
export function encodedSize(limit: number): number {
  return Math.floor(Math.log2(Math.max(1, limit)) / 8) + 1;
}

/** Widths of the counts beside a child's address, by level (III.A.2, internal nodes). */
function sizesOfLevels(
  file: Hdf5File,
  nodeSize: number,
  recordSize: number,
  depth: number,
): Level[] {
  const leaf = Math.floor((nodeSize - 10) / recordSize);
  const pointerSize = encodedSize(leaf);
  const levels: Level[] = [{ pointerSize: 0, totalSize: 0 }];
  let capacity = leaf;
  let totalSize = 0;
  for (let level = 1; level <= depth; level++) {
    levels.push({ pointerSize, totalSize });
    const child = file.offsetSize + pointerSize + totalSize;
    const records = Math.floor((nodeSize - 10 - child) / (recordSize + child));
    capacity = (records + 1) * capacity + records;
    totalSize = encodedSize(capacity);
  }
  return levels;
}
