/** Opens the files of a zarr store. Each is opened first; its descriptor then tells whether it lies in the store. */
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
import type { Stamp } from "../../rights/path-nodes.js";
import { OutsideRoots } from "../errors.js";
import { isBelow, type Opened, openPath, pathThrough } from "../open/open-files.js";
import type { Folder, StoreFiles } from "./metadata.js";

/** Larger documents are not parsed; they are still sent as ranges. */
export const MAX_DOCUMENT = 64 << 20;

/** Members of a group. */
const MAX_ENTRIES = 100_000;

/** The location of a store, as plain data that can be sent to another process. */
export interface StorePlace {
  readonly path: string;
  /** The real path of the opened folder. */
  readonly real: string;
  /** Real paths inside the store that are closed to this reader. */
  readonly closed: readonly string[];
}

const ABSENT = new Set(["ENOENT", "ENOTDIR", "ENAMETOOLONG"]);

const isAbsence = (error: unknown): boolean =>
  error instanceof Error && "code" in error && ABSENT.has(String(error.code));

/** The result of a file operation; undefined if nothing exists. */
async function ifThere<T>(looking: Promise<T>): Promise<T | undefined> {
  try {
    return await looking;
  } catch (error) {
    if (isAbsence(error)) return undefined;
    throw asReadingError(error);
  }
}

/** Whether a key consists of plain names and cannot leave the store. */
export function isPlain(key: string): boolean {
  if (key === "" || key.length > 4096 || /[\0\\]/.test(key)) return false;
  return key.split("/").every((part) => part !== "" && part !== "." && part !== "..");
}

/** A file or folder of a store by key, in the state in which it was read. */
export interface UsedFile extends Stamp {
  readonly key: string;
  readonly isFolder: boolean;
}

export const stampOf = ({ dev, ino, ctimeNs }: BigIntStats): Stamp => ({
  id: `${dev}:${ino}`,
  changed: String(ctimeNs),
});

export class StoreFolder implements StoreFiles {
  readonly #place: StorePlace;
  /** Files that were read and folders that were listed, in their state at the time. */
  readonly used: UsedFile[] = [];
  /** Keys of unwritten chunks. */
  readonly missing: string[] = [];

  constructor(place: StorePlace) {
    this.#place = place;
  }

  /**
   * The opened file of a key; undefined if nothing exists. The caller closes it.
   *
   * @throws FileUnreachable if a link leads out of the store or is dangling, which must not look like an unwritten
   * chunk; OutsideRoots in parts closed to this reader; FileGone if the store is gone; DamagedFile
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

  /** Checks that a file is missing, not just unreachable. */
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
    // If the whole store is gone, its chunks must not read as unwritten.
    const root = await ifThere(openPath(this.#place.path));
    if (root === undefined) throw new FileGone("The store is not there any more.");
    await root.handle.close();
    if (root.real !== this.#place.real) throw new FileChanged("The store was replaced.");
  }

  /** The stored text of a document. */
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

  /** The opened file of a chunk, recorded as used. */
  async chunk(key: string): Promise<Opened | undefined> {
    const found = await this.find(key);
    if (found === undefined) this.missing.push(key);
    else this.used.push({ key, isFolder: false, ...stampOf(found.stats) });
    return found;
  }

  /** The folders in a folder, without those that links lead out to or that are closed to this reader. */
  async folders(key: string): Promise<Folder[]> {
    const folders: Folder[] = [];
    const path = join(this.#place.path, key);
    let count = 0;
    try {
      const opened = await openPath(path);
      try {
        if (opened.real !== this.#place.real) this.#requireInside(opened.real);
        this.used.push({ key, isFolder: true, ...stampOf(opened.stats) });
        for await (const entry of await opendir(pathThrough(opened))) {
          count += 1;
          if (count > MAX_ENTRIES) {
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

  /** The real path of a folder; undefined if it is no folder or lies outside the store. */
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
