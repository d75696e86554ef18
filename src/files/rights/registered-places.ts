/**
 * What lies on this machine under the paths that users register.
 *
 * The file system is asked in threads of its own, one call after the other: 100,000 paths take a second there
 * and hold nobody up, and a mount that hangs has such a thread, not one of those that all reading shares.
 */
import { batchesOf } from "../../platform/time-slices.js";
import { AskedThreads } from "../../platform/worker-pool.js";

export type Look =
  /** There is something: where it really is, its inode as decimal text, and the user id of its owner. */
  | {
      readonly real: string;
      readonly inode: string;
      readonly uid: number;
      /** Of a file its bytes, and when it was changed, in milliseconds since 1970. */
      readonly size?: number;
      readonly modified?: number;
    }
  /** There is nothing that can be seen: where it would be, links resolved as far as there are any. */
  | { readonly absent: string };

/** What the threads run. */
const THREAD = `
const { parentPort } = require("node:worker_threads");
const { lstatSync, realpathSync, statSync } = require("node:fs");
const { basename, dirname, join } = require("node:path");
const ABSENT = new Set(["ENOENT", "ENOTDIR", "EACCES", "ELOOP", "ENAMETOOLONG"]);
const unlessAbsent = (look) => {
  try {
    return look();
  } catch (error) {
    if (!ABSENT.has(error.code)) throw error;
  }
};
parentPort.on("message", (paths) => {
  const folders = new Map();
  const folderOf = (path) => {
    const known = folders.get(path);
    if (known !== undefined) return known;
    const real = unlessAbsent(() => realpathSync.native(path));
    const found =
      real !== undefined || dirname(path) === path
        ? { real: real ?? path, isThere: real !== undefined }
        : { real: join(folderOf(dirname(path)).real, basename(path)), isThere: false };
    folders.set(path, found);
    return found;
  };
  const look = (path) => {
    const folder = folderOf(dirname(path));
    const named = join(folder.real, basename(path));
    if (!folder.isThere) return { absent: named };
    const entry = unlessAbsent(() => lstatSync(named, { bigint: true }));
    if (entry === undefined) return { absent: named };
    const real = entry.isSymbolicLink() ? unlessAbsent(() => realpathSync.native(named)) : named;
    if (real === undefined) return { absent: named };
    const found = real === named ? entry : unlessAbsent(() => statSync(real, { bigint: true }));
    if (found === undefined) return { absent: named };
    const place = { real, inode: String(found.ino), uid: Number(found.uid) };
    if (!found.isFile()) return place;
    return Object.assign(place, { size: Number(found.size), modified: Number(found.mtimeMs) });
  };
  try {
    parentPort.postMessage({ answer: paths.map(look) });
  } catch (error) {
    parentPort.postMessage({ failure: String(error.code ?? error) });
  }
});`;

/** Paths in one question, between which others have their turn. */
const BATCH = 1000;
/** Threads, and milliseconds for one question. */
const MAX_THREADS = 3;
const PATIENCE = 10_000;

export class Places {
  readonly #threads: AskedThreads<readonly string[], readonly Look[]>;

  constructor(patience = PATIENCE) {
    this.#threads = new AskedThreads(THREAD, { most: MAX_THREADS, patience });
  }

  /**
   * What lies under each of the paths.
   *
   * @param paths absolute, without `.` and `..`
   * @throws DataUnavailable when the file system does not answer in time, or fails
   */
  async look(paths: Iterable<string>): Promise<ReadonlyMap<string, Look>> {
    const all = [...new Set(paths)];
    const found = new Map<string, Look>();
    for (const batch of batchesOf(all, BATCH)) {
      const looks = await this.#threads.ask(batch);
      for (const [index, look] of looks.entries()) found.set(batch[index] ?? "", look);
    }
    return found;
  }
}
