/** Files and folders as the programs read them that ask the file system. */
import { type BigIntStats, opendirSync } from "node:fs";
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

/** An entry of a folder whose name may not be UTF-8. */
export interface BytesEntry {
  readonly name: Buffer;
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
  isFile(): boolean;
}

export interface BytesFolder {
  readSync(): BytesEntry | null;
  closeSync(): void;
}

/** Opens a folder whose names are read as bytes: Node's types know only names that are text. */
export function openBytesFolder(path: string | Buffer): BytesFolder {
  const open = opendirSync as unknown as (path: string | Buffer, options: object) => BytesFolder;
  return open(path, { encoding: "buffer", bufferSize: 1024 });
}
