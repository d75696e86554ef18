/** Finds the documents that point to a path, to see who registered the data there. */
import { pathToFileURL } from "node:url";
import { anyOf, exactly, exists, startsWith, uncached } from "./lucene.js";
import type { Search } from "./search.js";

/** A path on this machine. */
export interface DataPath {
  /** Without symbolic links. */
  readonly real: string;
  readonly inode: string;
  readonly isFolder: boolean;
}

/**
 * Documents of users that name a path, a folder above it, or something inside it; and those that had the same inode when they
 * were registered.
 *
 * Names below a folder count only if they existed when registered: users often register files before they exist.
 */
export function claimsSearch({ real, inode, isFolder }: DataPath): Search {
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
  return { filters: [exists("user"), uncached(anyOf(leading))] };
}
