/** Entity tags of what is served of files. */
import { createHash } from "node:crypto";
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
  return createHash("sha256")
    .update(JSON.stringify([RENDERING, size, modified, inode, key]))
    .digest("base64url")
    .slice(0, 22);
}

/** A strong entity tag, without its quotes, for a text that was made of several files. */
export function textTag(text: string): string {
  return createHash("sha256").update(text).digest("base64url").slice(0, 22);
}

/** The same for bytes. */
export function bytesTag(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("base64url").slice(0, 22);
}
