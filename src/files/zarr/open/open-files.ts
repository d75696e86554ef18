/**
 * Files and folders by what was opened: their paths may lead elsewhere a moment later.
 *
 * A path is opened once, and everything that is decided about it is decided by the descriptor. Where the
 * descriptor's own path cannot be asked for (elsewhere than on Linux), the path is resolved and compared
 * afterwards, which somebody who swaps links at the right moment can win.
 */
import { type BigIntStats, constants, existsSync } from "node:fs";
import { type FileHandle, open, readlink, realpath, stat } from "node:fs/promises";
import { isAbsolute, relative, sep } from "node:path";
import { FileChanged } from "../../netcdf/errors.js";

export interface Opened {
  readonly handle: FileHandle;
  readonly stats: BigIntStats;
  /** Where it lies: its path without links, as the operating system tells it of the descriptor. */
  readonly real: string;
}

/** A pipe must not hold the reader up, nor a terminal become that of the service. */
const FLAGS = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY;

/** Asked with its slash: a reading process may see what is in it, and no more. */
const DESCRIPTORS = existsSync("/proc/self/fd/") ? "/proc/self/fd" : undefined;

/** What proc(5) puts behind the path of what has no name any more. */
const DELETED = " (deleted)";

/**
 * Opens a file or a folder for reading; whoever calls closes the handle.
 *
 * @throws FileChanged when it was replaced at this moment; the operating system's errors
 */
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

/** Whether what was opened can be found at a path. */
async function isAt(path: string, { dev, ino }: BigIntStats): Promise<boolean> {
  const found = await stat(path, { bigint: true }).catch(() => undefined);
  return found?.dev === dev && found.ino === ino;
}

/** A path by which the folder that was opened can be listed, whatever has become of its own. */
export const pathThrough = ({ handle, real }: Opened): string =>
  DESCRIPTORS === undefined ? real : `${DESCRIPTORS}/${handle.fd}`;

/** Whether a path lies below a folder; both without links. */
export function isBelow(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== "" && way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
