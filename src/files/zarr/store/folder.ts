/** The files of a zarr store in a folder: each is opened, and then told by its descriptor where it lies. */
import type { BigIntStats } from "node:fs";
import { lstat, opendir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import {
  asReadingError,
  DamagedFile,
  FileChanged,
  FileGone,
  FileUnreachable,
  TooLarge,
} from "../../netcdf/errors.js";
import { OutsideRoots } from "../errors.js";
import { isBelow, type Opened, openPath, pathThrough } from "../open/open-files.js";
import type { Folder, StoreFiles } from "./metadata.js";

/** Documents above this many bytes are not read as documents; they are sent as ranges all the same. */
export const MAX_DOCUMENT = 64 << 20;

/** More members than a group has that somebody browses. */
const MAX_ENTRIES = 100_000;

/** A store, as plain data that can be handed from process to process. */
export interface StorePlace {
  readonly path: string;
  /** The path without links of the folder that was opened. */
  readonly real: string;
  /** Paths without links of what is in the store and not for this reader. */
  readonly closed: readonly string[];
}

const ABSENT = new Set(["ENOENT", "ENOTDIR", "ENAMETOOLONG"]);

const isAbsence = (error: unknown): boolean =>
  error instanceof Error && "code" in error && ABSENT.has(String(error.code));

/** What an operation on a path finds; undefined when there is nothing. @throws ReadingError */
async function ifThere<T>(looking: Promise<T>): Promise<T | undefined> {
  try {
    return await looking;
  } catch (error) {
    if (isAbsence(error)) return undefined;
    throw asReadingError(error);
  }
}

/** A key whose parts are names, and nothing that leads out of the store. */
export function isPlain(key: string): boolean {
  if (key === "" || key.length > 4096 || /[\0\\]/.test(key)) return false;
  return key.split("/").every((part) => part !== "" && part !== "." && part !== "..");
}

/** A file or a folder of a store, by its key, as it was when it was read. */
export interface Used extends Stamp {
  readonly key: string;
  readonly isFolder: boolean;
}

/** What tells one file, in one state, from all others. */
export interface Stamp {
  /** Device and inode, in decimal. */
  readonly id: string;
  /** Nanoseconds since 1970 of the last change of anything about it. */
  readonly changed: string;
}

export const stampOf = ({ dev, ino, ctimeNs }: BigIntStats): Stamp => ({
  id: `${dev}:${ino}`,
  changed: String(ctimeNs),
});

export class StoreFolder implements StoreFiles {
  readonly #place: StorePlace;
  /** What was read or listed, as it was then. */
  readonly used: Used[] = [];
  /** Keys of chunks that nobody wrote. */
  readonly missing: string[] = [];

  constructor(place: StorePlace) {
    this.#place = place;
  }

  /**
   * The file of a key, open; undefined when there is nothing. Whoever calls closes it.
   *
   * @throws FileUnreachable when a link leads out of the store or nowhere: as absent, a chunk would be
   *   filled; OutsideRoots in what is not for this reader; FileGone when the store is; DamagedFile
   */
  async find(key: string): Promise<Opened | undefined> {
    if (!isPlain(key)) return undefined;
    const path = join(this.#place.path, key);
    let opened: Opened;
    try {
      opened = await openPath(path);
    } catch (error) {
      if (!isAbsence(error)) throw asReadingError(error);
      await this.#requireAbsence(path);
      return undefined;
    }
    try {
      this.#requireInside(opened.real);
      if (!opened.stats.isFile()) throw new DamagedFile(`${key} of the store is not a file.`);
      return opened;
    } catch (error) {
      await opened.handle.close();
      throw error;
    }
  }

  #requireInside(real: string): void {
    const place = this.#place;
    if (!isBelow(place.real, real)) {
      throw new FileUnreachable("A link in the store leads out of it.");
    }
    if (place.closed.some((folder) => folder === real || isBelow(folder, real))) {
      throw new OutsideRoots("This part of the store is another user's.");
    }
  }

  /** Tells what was never written from what is only out of reach. */
  async #requireAbsence(path: string): Promise<void> {
    for (let at = path; at !== this.#place.path; at = dirname(at)) {
      const found = await ifThere(lstat(at));
      if (found === undefined) continue;
      const target = found.isSymbolicLink() ? await ifThere(stat(at)) : found;
      if (target === undefined) throw new FileUnreachable("A link in the store leads nowhere.");
      if (at === path) throw new FileChanged("The store was changed.");
      if (!target.isDirectory()) throw new DamagedFile("The store has a file for a folder.");
      return;
    }
    // A store that went away as a whole is gone; it must not read as chunks nobody wrote.
    const root = await ifThere(openPath(this.#place.path));
    if (root === undefined) throw new FileGone("The store is not there any more.");
    await root.handle.close();
    if (root.real !== this.#place.real) throw new FileChanged("The store was replaced.");
  }

  /** The text of a document as it lies in the store. @throws as find; TooLarge, FileChanged */
  async text(key: string): Promise<string | undefined> {
    const found = await this.find(key);
    if (found === undefined) return undefined;
    try {
      this.used.push({ key, isFolder: false, ...stampOf(found.stats) });
      if (found.stats.size > MAX_DOCUMENT) throw new TooLarge("A zarr document is too large.");
      return await found.handle.readFile("utf8");
    } catch (error) {
      throw asReadingError(error);
    } finally {
      await found.handle.close();
    }
  }

  /** The file of a chunk, open, and noted as one that was read. @throws as find */
  async chunk(key: string): Promise<Opened | undefined> {
    const found = await this.find(key);
    if (found === undefined) this.missing.push(key);
    else this.used.push({ key, isFolder: false, ...stampOf(found.stats) });
    return found;
  }

  /** The folders in a folder; what a link leads out to, and what is not for this reader, is left out. */
  async folders(key: string): Promise<Folder[]> {
    const folders: Folder[] = [];
    const path = join(this.#place.path, key);
    let seen = 0;
    try {
      const opened = await openPath(path);
      try {
        if (opened.real !== this.#place.real) this.#requireInside(opened.real);
        this.used.push({ key, isFolder: true, ...stampOf(opened.stats) });
        for await (const entry of await opendir(pathThrough(opened))) {
          seen += 1;
          if (seen > MAX_ENTRIES) {
            throw new TooLarge("A group of the store has too many members.");
          }
          if (!entry.isDirectory() && !entry.isSymbolicLink()) continue;
          const real = await this.#realFolder(join(path, entry.name));
          if (real !== undefined) folders.push({ name: entry.name, real });
        }
      } finally {
        await opened.handle.close();
      }
    } catch (error) {
      throw isAbsence(error) ? new FileChanged("The store was changed.") : asReadingError(error);
    }
    return folders;
  }

  /** A folder's path, links resolved; undefined for what is none, or is not in the store. */
  async #realFolder(path: string): Promise<string | undefined> {
    let opened: Opened;
    try {
      opened = await openPath(path);
    } catch (error) {
      const isCircle = error instanceof Error && "code" in error && error.code === "ELOOP";
      if (isAbsence(error) || isCircle) return undefined;
      throw error;
    }
    try {
      if (!opened.stats.isDirectory()) return undefined;
      this.#requireInside(opened.real);
      return opened.real;
    } catch {
      return undefined;
    } finally {
      await opened.handle.close();
    }
  }
}
