/** Files and folders as the programs read them that ask the file system. */
import { type BigIntStats, type Dirent, opendirSync } from "node:fs";
import { reasonOf } from "../workers/worker-program.js";

export interface Measure {
  /** Bytes. */
  readonly size: number;
  /** Milliseconds since 1970. */
  readonly modified: number;
  /** In decimal. */
  readonly inode: string;
}

export const measureOf = ({ size, mtimeMs, ino }: BigIntStats): Measure => ({
  size: Number(size),
  modified: Number(mtimeMs),
  inode: String(ino),
});

/** Whether an error says that there is nothing at a path. */
export const isNowhere = (error: unknown): boolean =>
  ["ENOENT", "ENOTDIR"].includes(reasonOf(error));

/** Codes of errors that mean that this process can see nothing at a path. */
const ABSENT = new Set(["ENOENT", "ENOTDIR", "EACCES", "ELOOP", "ENAMETOOLONG"]);

/** The result of a call of the file system; undefined if this process can see nothing at its path. */
export function unlessAbsent<T>(call: () => T): T | undefined {
  try {
    return call();
  } catch (error) {
    if (!ABSENT.has(reasonOf(error))) throw error;
    return undefined;
  }
}

/** A folder whose names may not be UTF-8. */
export interface BytesFolder {
  readSync(): Dirent<Buffer> | null;
  closeSync(): void;
}

/** Opens a folder whose names are read as bytes: Node's types know only names that are text. */
export function openBytesFolder(path: string | Buffer): BytesFolder {
  const open = opendirSync as unknown as (path: string | Buffer, options: object) => BytesFolder;
  return open(path, { encoding: "buffer", bufferSize: 1024 });
}
