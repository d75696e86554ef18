/** Caches the identity of files by path. A file is opened again when it has changed. */
import type { BigIntStats } from "node:fs";
import { realpath } from "node:fs/promises";
import { LRUCache } from "lru-cache";
import { SingleFlight } from "../../../platform/concurrency/single-flight.js";
import { asReadingError, FileChanged, FileGone } from "../../netcdf/errors.js";
import { type FileIdentity, identityOf, sameIdentity } from "../../netcdf/source/file-identity.js";
import { OutsideRoots } from "../errors.js";
import { isBelow, openPath, statPath } from "./open-files.js";

export interface InspectedFile {
  /** The path as requested. */
  readonly path: string;
  /** The real path of the opened file. */
  readonly real: string;
  readonly isFolder: boolean;
  /** Compared when the file is opened again. */
  readonly identity: FileIdentity;
  /** Time of the last status change, in nanoseconds since 1970. Users cannot set it. */
  readonly changed: bigint;
  /** User id of the owner. */
  readonly uid: number;
}

/** Cached identities, and their lifetime in milliseconds: moving a parent folder does not change the file. */
const MAX_CACHED = 10_000;
const TTL = 10_000;

export class FileIdentityCache {
  readonly #cache = new LRUCache<string, InspectedFile>({ max: MAX_CACHED, ttl: TTL });
  /** Clients request many chunks of a file at once. */
  readonly #inspections = new SingleFlight<InspectedFile>();
  readonly #roots: readonly string[] | undefined;

  /** @param roots folders below which files may be read; undefined: anywhere */
  constructor(roots: readonly string[] | undefined) {
    this.#roots = roots;
  }

  /** The file at a path. Returns the same object as long as the file is unchanged. */
  inspect(path: string): Promise<InspectedFile> {
    return this.#inspections.next(() => this.#inspect(path), path);
  }

  /** A file that was just inspected, which may have changed since then: what is made of it must be `confirmed`. No folder. */
  known(path: string): InspectedFile | undefined {
    const known = this.#cache.get(path);
    return known?.isFolder === true ? undefined : known;
  }

  /**
   * Does work on a file, and checks afterwards that its path leads to it still, unchanged since it was inspected. One look then
   * proves both: that the path leads to the file, and that nothing was written while it was read. The error of a file that has changed
   * replaces those of the work.
   *
   * @param undo is called with the result if the file has changed
   */
  async confirmed<T>(
    file: InspectedFile,
    work: () => Promise<T>,
    undo: (result: T) => void,
  ): Promise<T> {
    const result = await work().catch(async (error: unknown) => {
      await this.#confirm(file);
      throw error;
    });
    await this.#confirm(file).catch((error: unknown) => {
      undo(result);
      throw error;
    });
    return result;
  }

  async #confirm(file: InspectedFile): Promise<void> {
    const now = await this.inspect(file.path);
    const isSame =
      now === file ||
      (now.real === file.real &&
        now.changed === file.changed &&
        sameIdentity(now.identity, file.identity));
    if (!isSame) throw new FileChanged("The file was changed while it was read.");
  }

  async #inspect(path: string): Promise<InspectedFile> {
    try {
      const known = this.#cache.get(path);
      if (known !== undefined && isSame(known, await statPath(path))) return known;
      const inspected = await this.#open(path);
      this.#cache.set(path, inspected);
      return inspected;
    } catch (thrown) {
      this.#cache.delete(path);
      const error = asReadingError(thrown);
      // Outside the roots, the answer must not depend on whether the file exists.
      if (error instanceof FileGone) await this.#requireBelow(path);
      throw error;
    }
  }

  async #open(path: string): Promise<InspectedFile> {
    const { handle, stats, real } = await openPath(path);
    try {
      await this.#requireBelow(real);
      return {
        path,
        real,
        isFolder: stats.isDirectory(),
        identity: identityOf(stats),
        changed: stats.ctimeNs,
        uid: Number(stats.uid),
      };
    } finally {
      await handle.close();
    }
  }

  async #requireBelow(path: string): Promise<void> {
    const roots = this.#roots;
    if (roots === undefined) return;
    for (const root of roots) {
      const real = await realpath(root).catch(() => root);
      if (isBelow(real, path) || isBelow(root, path)) return;
    }
    throw new OutsideRoots("These data are outside the folders that this service reads.");
  }
}

const isSame = (
  { identity, changed }: InspectedFile,
  { dev, ino, ctimeNs }: BigIntStats,
): boolean =>
  ctimeNs === changed && ino.toString() === identity.inode && dev.toString() === identity.device;
