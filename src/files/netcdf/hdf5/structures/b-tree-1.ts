/** Walks version 1 B-trees (specification, III.A.1): members of old-style groups, and chunks. */

import { DamagedFile } from "../../errors.js";
import type { Cursor } from "../../source/cursor.js";
import type { Hdf5File } from "../file.js";

interface TreeKind {
  /** 0 for groups, 1 for chunks. */
  readonly type: number;
  /** Bytes of a key. */
  readonly keySize: number;
  /** A node has room for twice this many children. */
  readonly rank: number;
}

/**
 * A node with entries used[0] .. used[n-1], each a key and a child, and a final key.
 *
 * @param body from the first key to the final one
 * @param descend call it for each child in order, in nodes above level 0
 */
type VisitNode = (
  body: Cursor,
  used: number,
  level: number,
  descend: (child: number) => void,
) => void;

/**
 * Visits the nodes of a tree from the root down, each level from left to right.
 *
 * As in HDF5 (H5B.c), the links between neighbours are not needed. What follows the final key is unused space.
 */
export function walkBTree1(
  file: Hdf5File,
  root: number,
  { type, keySize, rank }: TreeKind,
  visit: VisitNode,
): void {
  const visited = new Set<number>();
  const headSize = 8 + 2 * file.offsetSize;
  const entrySize = keySize + file.offsetSize;
  const walk = (at: number, expected: number | undefined): void => {
    file.reader.tick();
    if (visited.has(at)) throw new DamagedFile("A B-tree of the file refers to itself.");
    visited.add(at);
    const head = file.cursor(at, headSize);
    head.signature("TREE");
    const isKind = head.u8() === type;
    const level = head.u8();
    const used = head.u16();
    if (!isKind || (expected ?? level) !== level || used > 2 * rank) {
      throw new DamagedFile("A B-tree of the file has a node that is not possible.");
    }
    const size = used === 0 ? 0 : used * entrySize + keySize;
    file.space.claim(at, headSize + size);
    visit(file.cursor(at + headSize, size), used, level, (child) =>
      walk(file.defined(child), level - 1),
    );
  };
  walk(root, undefined);
}
