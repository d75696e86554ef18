/** What lies at a path: looked at by opening it, and looked at again as soon as it is another. */
import type { BigIntStats } from "node:fs";
import { realpath, stat } from "node:fs/promises";
import { LRUCache } from "lru-cache";
import { SingleFlight } from "../../../platform/single-flight.js";
import { asReadingError, FileGone } from "../../netcdf/errors.js";
import { type FileIdentity, identityOf } from "../../netcdf/source/file-identity.js";
import { OutsideRoots } from "../errors.js";
import { isBelow, openPath } from "./open-files.js";

export interface Sighting {
  /** The path that was opened, as it was asked for. */
  readonly path: string;
  /** The path without links of what was opened. */
  readonly real: string;
  readonly isFolder: boolean;
  /** Whoever opens it again compares. */
  readonly identity: FileIdentity;
  /** Nanoseconds since 1970 of the last change of anything about it, which nobody can set back. */
  readonly changed: bigint;
  /** The numeric user to whom it belongs. */
  readonly uid: number;
}

/** Sightings that are kept, and for how many milliseconds: a folder above may be moved, and leaves no trace. */
const MAX_KEPT = 10_000;
const REMEMBERED = 10_000;

export class Sightings {
  readonly #known = new LRUCache<string, Sighting>({ max: MAX_KEPT, ttl: REMEMBERED });
  /** Clients ask for many chunks at once, each of which has to be looked for. */
  readonly #looks = new SingleFlight<Sighting>();
  readonly #roots: readonly string[] | undefined;

  /** @param roots folders below which files may be read; undefined: anywhere */
  constructor(roots: readonly string[] | undefined) {
    this.#roots = roots;
  }

  /**
   * What lies at a path. It is the same sighting as long as it is the same file.
   *
   * @throws OutsideRoots, FileGone, FileChanged, FileUnreachable
   */
  look(path: string): Promise<Sighting> {
    return this.#looks.next(() => this.#look(path), path);
  }

  async #look(path: string): Promise<Sighting> {
    try {
      const known = this.#known.get(path);
      if (known !== undefined && isSame(known, await stat(path, { bigint: true }))) return known;
      const sighting = await this.#open(path);
      this.#known.set(path, sighting);
      return sighting;
    } catch (thrown) {
      this.#known.delete(path);
      const error = asReadingError(thrown);
      // What would lie outside is not told to be missing.
      if (error instanceof FileGone) await this.#requireBelow(path);
      throw error;
    }
  }

  async #open(path: string): Promise<Sighting> {
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
    throw new OutsideRoots("These data lie outside the folders that may be read.");
  }
}

const isSame = ({ identity, changed }: Sighting, { dev, ino, ctimeNs }: BigIntStats): boolean =>
  ctimeNs === changed && ino.toString() === identity.inode && dev.toString() === identity.device;
