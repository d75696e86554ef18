/** Walks version 1 B-trees (specification, III.A.1): members of old-style groups, and chunks. */

import { DamagedFile } from "../../errors.js";
import type { Cursor } from "../../source/cursor.js";
import { type Hdf5File, UNDEFINED } from "../file.js";

export interface TreeKind {
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
 * @param body from the first key on; unless the node is full, the first unused child follows the final key
 * @param descend call it for each child in order, in nodes above level 0
 */
export type VisitNode = (
  body: Cursor,
  used: number,
  level: number,
  descend: (child: number) => void,
) => void;

const damaged = (): DamagedFile =>
  new DamagedFile("A B-tree of the file has a node that is not possible.");

/**
 * Visits the nodes of a tree from the root down, each level from left to right.
 *
 * Checks the links between neighbours, because these trees have no checksums and a node may be missing.
 */
export function walkBTree1(
  file: Hdf5File,
  root: number,
  { type, keySize, rank }: TreeKind,
  visit: VisitNode,
): void {
  const visited = new Set<number>();
  const last: { address: number; right: number }[] = [];
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
    const left = file.address(head);
    const right = file.address(head);
    const isEmptyRoot = used === 0 && expected === undefined && level === 0;
    if (!isKind || (expected ?? level) !== level || used > 2 * rank || (used < 1 && !isEmptyRoot)) {
      throw damaged();
    }
    const before = last[level];
    if (left !== (before?.address ?? UNDEFINED)) throw damaged();
    if (before !== undefined && before.right !== at) throw damaged();
    last[level] = { address: at, right };
    file.space.claim(at, headSize + 2 * rank * entrySize + keySize);
    const size = used * entrySize + keySize + (used < 2 * rank ? file.offsetSize : 0);
    visit(file.cursorUpTo(at + headSize, size), used, level, (child) =>
      walk(file.defined(child), level - 1),
    );
  };
  walk(root, undefined);
  if (last.some((node) => node?.right !== UNDEFINED)) throw damaged();
}
