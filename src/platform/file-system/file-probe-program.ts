/**
 * Answers the questions of a FileProbe. Calls that wait in their own thread take a tenth of the time of Node's promises,
 * and a mount that hangs has such a thread, not one of the few that all reading in this process shares.
 */
import { type BigIntStats, lstatSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { answerQuestions, heartbeat, reasonOf } from "../workers/worker-program.js";
import { isNowhere, type Measure, measureOf, openBytesFolder, unlessAbsent } from "./file-stats.js";

export type PathStats =
  | ({ readonly kind: "file" | "folder" | "other" } & Measure)
  /** For example `ENOENT`. */
  | { readonly code: string };

export type ResolvedPath =
  /** The path without links, and what is there. */
  | {
      readonly real: string;
      /** In decimal. */
      readonly inode: string;
      /** User id of its owner. */
      readonly uid: number;
      /** Bytes; files only. */
      readonly size?: number;
      /** Milliseconds since 1970; files only. */
      readonly modified?: number;
    }
  /** Nothing is there that this process can see: the path with the links of its existing folders resolved. */
  | { readonly absent: string };

/** The questions, by name. */
const operations = { measure, realPath, resolve, stat };
export type FileOperations = typeof operations;

export interface FileQuestion {
  readonly operation: keyof FileOperations;
  readonly args: readonly unknown[];
}

/** @param isLink whether a link is described itself, not its target */
function stat(paths: readonly string[], isLink: boolean): PathStats[] {
  return paths.map((path) => {
    heartbeat();
    try {
      const stats = (isLink ? lstatSync : statSync)(path, { bigint: true });
      const kind = stats.isDirectory() ? "folder" : stats.isFile() ? "file" : "other";
      return { kind, ...measureOf(stats) };
    } catch (error) {
      return { code: reasonOf(error) };
    }
  });
}

function realPath(path: string): string {
  return realpathSync.native(path);
}

/** Bytes of all files in a folder and the newest of their times. */
function measure(path: string): Measure {
  let size = 0;
  let modified = 0;
  // Names may be no UTF-8, so paths are bytes.
  const waiting = [Buffer.from(path)];
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    for (const file of filesIn(folder, waiting)) {
      size += Number(file.size);
      modified = Math.max(modified, Number(file.mtimeMs));
    }
  }
  const own = measureOf(statSync(path, { bigint: true }));
  return { size, modified: modified || own.modified, inode: own.inode };
}

/** The files in a folder. @param below the folders in it are added here */
function* filesIn(folder: Buffer, below: Buffer[]): Generator<BigIntStats> {
  const entries = openBytesFolder(folder);
  try {
    for (let entry = entries.readSync(); entry !== null; entry = entries.readSync()) {
      heartbeat();
      const path = Buffer.concat([folder, Buffer.from("/"), entry.name]);
      if (entry.isDirectory()) {
        below.push(path);
        continue;
      }
      try {
        const stats = statSync(path, { bigint: true });
        if (stats.isFile()) yield stats;
      } catch (error) {
        if (!isNowhere(error)) throw error;
      }
    }
  } finally {
    entries.closeSync();
  }
}

interface ResolvedFolder {
  readonly real: string;
  readonly isThere: boolean;
}

/** @param paths absolute, without `.` and `..` */
function resolve(paths: readonly string[]): ResolvedPath[] {
  const folders = new Map<string, ResolvedFolder>();
  return paths.map((path) => resolveOne(path, folders));
}

function resolveOne(path: string, folders: Map<string, ResolvedFolder>): ResolvedPath {
  const folder = resolveFolder(dirname(path), folders);
  const named = join(folder.real, basename(path));
  const absent = { absent: named };
  if (!folder.isThere) return absent;
  const entry = unlessAbsent(() => lstatSync(named, { bigint: true }));
  if (entry === undefined) return absent;
  const real = entry.isSymbolicLink() ? unlessAbsent(() => realpathSync.native(named)) : named;
  if (real === undefined) return absent;
  const stats = real === named ? entry : unlessAbsent(() => statSync(real, { bigint: true }));
  if (stats === undefined) return absent;
  const { size, modified, inode } = measureOf(stats);
  const found = { real, inode, uid: Number(stats.uid) };
  return stats.isFile() ? { ...found, size, modified } : found;
}

function resolveFolder(path: string, folders: Map<string, ResolvedFolder>): ResolvedFolder {
  const known = folders.get(path);
  if (known !== undefined) return known;
  const real = unlessAbsent(() => realpathSync.native(path));
  const found =
    real !== undefined || dirname(path) === path
      ? { real: real ?? path, isThere: real !== undefined }
      : {
          real: join(resolveFolder(dirname(path), folders).real, basename(path)),
          isThere: false,
        };
  folders.set(path, found);
  return found;
}

answerQuestions(({ operation, args }: FileQuestion) =>
  (operations[operation] as (...args: readonly unknown[]) => unknown)(...args),
);
