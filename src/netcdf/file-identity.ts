import { createHash } from "node:crypto";
import type { BigIntStats } from "node:fs";
import { FileChanged, NotReadableFormat } from "./errors.js";

/** What tells that a file is still the one that was opened. */
export interface FileIdentity {
  /** Bytes. */
  readonly size: number;
  /** Nanoseconds since 1970, as digits: more than a number holds exactly. */
  readonly modified: string;
  readonly inode: string;
  readonly device: string;
}

/** @throws FileChanged when it was replaced since it was opened, NotReadableFormat when it is no regular file */
export function fileIdentity(stats: BigIntStats): FileIdentity {
  if (stats.nlink === 0n) throw new FileChanged("The file was replaced while it was opened.");
  if (!stats.isFile()) throw new NotReadableFormat("This is not a file.");
  return identityOf(stats);
}

/** The same for whatever it is. */
export function identityOf(stats: BigIntStats): FileIdentity {
  return {
    size: Number(stats.size),
    modified: stats.mtimeNs.toString(),
    inode: stats.ino.toString(),
    device: stats.dev.toString(),
  };
}

export function sameIdentity(a: FileIdentity, b: FileIdentity): boolean {
  return (
    a.size === b.size && a.modified === b.modified && a.inode === b.inode && a.device === b.device
  );
}

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
