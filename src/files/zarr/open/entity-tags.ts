/** Entity tags of what is served of files. */
import { sha256 } from "../../../platform/sha256.js";
import type { FileIdentity } from "../../netcdf/source/file-identity.js";

/** Counted up whenever the same file would be given in other bytes than before. */
const RENDERING = 2;

/**
 * A strong entity tag (RFC 9110, 8.8.3), without its quotes, for one key of one file's data set.
 *
 * Of the identity and not of the bytes, so that it is known before anything is read.
 */
export function keyTag(identity: FileIdentity, key: string): string {
  const { size, modified, inode } = identity;
  return contentTag(JSON.stringify([RENDERING, size, modified, inode, key]));
}

/** A strong entity tag, without its quotes, for content that was made of several files. */
export const contentTag = (content: string | Uint8Array): string => sha256(content).slice(0, 22);
