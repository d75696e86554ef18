/** Entity tags of content from files. */
import { sha256 } from "../../../platform/sha256.js";
import type { FileIdentity } from "../../netcdf/source/file-identity.js";

/** Increased whenever the same file is rendered to different bytes. */
const RENDERING = 3;

/**
 * A strong entity tag (RFC 9110, 8.8.3), without its quotes, for one key of one file's data set.
 *
 * Derived from the identity, not the bytes, so that it is known before reading.
 */
export function keyTag(identity: FileIdentity, key: string): string {
  const { size, modified, inode } = identity;
  return contentTag(JSON.stringify([RENDERING, size, modified, inode, key]));
}

/** A strong entity tag, without its quotes, for the file itself. */
export const fileTag = ({ size, modified, inode }: FileIdentity): string =>
  contentTag(JSON.stringify(["file", size, modified, inode]));

/** A strong entity tag, without its quotes, for content made of several files. */
export const contentTag = (content: string | Uint8Array): string => sha256(content).slice(0, 22);
