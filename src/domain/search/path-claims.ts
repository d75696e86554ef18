/** The question whose data lies at a path, over every document that leads there. Pure. */
import { pathToFileURL } from "node:url";
import { anyOf, exactly, exists, startsWith, unshared } from "./lucene.js";
import type { Search } from "./search.js";

/** Where data really lie. */
export interface Place {
  /** Path without links. */
  readonly real: string;
  readonly inode: string;
  readonly isFolder: boolean;
}

/**
 * Documents with a user that name what lies at a place, a folder that it is in, or something in it; and those
 * that had the same inode number when they were registered.
 *
 * What does not exist at all is often registered below a folder; of what is in it, only what existed counts.
 */
export function claimsSearch({ real, inode, isFolder }: Place): Search {
  const paths = [real];
  for (let end = real.lastIndexOf("/"); end > 0; end = real.lastIndexOf("/", end - 1)) {
    paths.push(real.slice(0, end));
  }
  const spelled = paths.flatMap((path) => [path, `file://${path}`, pathToFileURL(path).href]);
  const leading = [
    ...[...new Set(spelled)].map((text) => exactly("file", text)),
    ...[...new Set(spelled.slice(0, 3))].map((text) => exactly("uri", text)),
    exactly("inode", inode),
  ];
  if (isFolder) {
    const existed = anyOf([exists("inode"), `(*:* -${exists("owner")})`]);
    leading.push(`(+${startsWith("file", `${real}/`)} +${existed})`);
  }
  return { collection: "files", filters: [exists("user"), unshared(anyOf(leading))] };
}
