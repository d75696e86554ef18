/**
 * Opens files and folders safely while paths may change.
 *
 * A path is opened once, and all checks use the descriptor. If the system cannot give the descriptor's path (not on
 * Linux), the path is resolved and compared afterwards; an attacker who swaps links at the right moment can defeat
 * that.
 */
import { type BigIntStats, constants, existsSync, stat as statWithCallback } from "node:fs";
import { type FileHandle, open, readlink, realpath, stat } from "node:fs/promises";
import { isAbsolute, relative, sep } from "node:path";
import { FileChanged } from "../../netcdf/errors.js";

export interface Opened {
  readonly handle: FileHandle;
  readonly stats: BigIntStats;
  /** The real path, as the operating system reports it for the descriptor. */
  readonly real: string;
}

/** Opening a pipe must not block, and a terminal must not become the service's own. */
const FLAGS = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY;

/** Checked with a slash: reading processes have permission for the folder's content only. */
const DESCRIPTORS = existsSync("/proc/self/fd/") ? "/proc/self/fd" : undefined;

/** Suffix that proc(5) adds to the path of a deleted file. */
const DELETED = " (deleted)";

/** Opens a file or a folder for reading. The caller closes the handle. */
export async function openPath(path: string): Promise<Opened> {
  const handle = await open(path, FLAGS);
  try {
    const stats = await handle.stat({ bigint: true });
    const real = await pathOf(handle, path, stats);
    return { handle, stats, real };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function pathOf(handle: FileHandle, path: string, stats: BigIntStats): Promise<string> {
  const changed = new FileChanged("The file was replaced while it was opened.");
  if (stats.nlink === 0n) throw changed;
  if (DESCRIPTORS !== undefined) {
    const real = await readlink(`${DESCRIPTORS}/${handle.fd}`);
    if (real.endsWith(DELETED) && !(await isAt(real, stats))) throw changed;
    return real;
  }
  const real = await realpath(path);
  if (!(await isAt(real, stats))) throw changed;
  return real;
}

async function isAt(path: string, { dev, ino }: BigIntStats): Promise<boolean> {
  const found = await stat(path, { bigint: true }).catch(() => undefined);
  return found?.dev === dev && found.ino === ino;
}

/** A path for listing an opened folder, even if the folder was moved. */
export const pathThrough = ({ handle, real }: Opened): string =>
  DESCRIPTORS === undefined ? real : `${DESCRIPTORS}/${handle.fd}`;

/** Whether a path lies below a folder. Both must be real paths. */
export function isBelow(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== "" && way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** The state of the file at a path. As many calls as chunks are read, so it takes no promise of `fs/promises`, which costs more. */
export function statPath(path: string): Promise<BigIntStats> {
  return new Promise((resolve, reject) => {
    statWithCallback(path, { bigint: true }, (error, stats) =>
      error ? reject(error) : resolve(stats),
    );
  });
}
