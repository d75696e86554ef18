/** The data sets below a path: NetCDF and HDF5 files by their names, and zarr stores. */
import type { Dirent } from "node:fs";
import { readdir, realpath, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { READABLE_NAME } from "../../catalogue/crawl/found-file.js";
import { storeFormat } from "../../files/zarr/store/format.js";

export interface Found {
  /** Absolute paths as they were named, links and all; sorted. */
  readonly paths: readonly string[];
  /** Folders and links that could not be looked into. */
  readonly unreadable: readonly { readonly path: string; readonly reason: string }[];
}

const reasonOf = (error: unknown): string => {
  const { code, message } = error as NodeJS.ErrnoException;
  return `cannot be read (${code ?? message})`;
};

/**
 * A file is taken whatever its name is; a folder is searched, hidden entries left out. Links are
 * followed, but nothing is found twice: what lies in the folder itself comes before what a link leads to.
 *
 * @throws the error of the file system when there is nothing at the path
 */
export async function findDatasets(path: string): Promise<Found> {
  const root = resolve(path);
  const stats = await stat(root);
  if (stats.isFile()) return { paths: [root], unreadable: [] };
  if (!stats.isDirectory()) {
    return { paths: [], unreadable: [{ path: root, reason: "is no file and no folder" }] };
  }
  const search = new Search();
  await search.folder(root, await realpath(root));
  await search.links();
  return { paths: search.paths.sort(compare), unreadable: search.unreadable };
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

class Search {
  readonly paths: string[] = [];
  readonly unreadable: { path: string; reason: string }[] = [];
  readonly #queue: string[] = [];
  /** Real paths of all that was seen: loops end here. */
  readonly #seen = new Set<string>();

  /** @param real the folder's path without links */
  async folder(path: string, real: string): Promise<void> {
    if (this.#seen.has(real)) return;
    this.#seen.add(real);
    const entries = await readdir(path, { withFileTypes: true }).catch((error: unknown) => {
      this.unreadable.push({ path, reason: reasonOf(error) });
      return [];
    });
    if (storeFormat(entries.map(({ name }) => name)) !== undefined) {
      this.paths.push(path);
      return;
    }
    for (const entry of entries.sort((a, b) => compare(a.name, b.name))) {
      if (!entry.name.startsWith(".")) await this.#entry(path, real, entry);
    }
  }

  async #entry(folder: string, real: string, entry: Dirent): Promise<void> {
    const path = join(folder, entry.name);
    if (entry.isSymbolicLink()) this.#queue.push(path);
    else if (entry.isDirectory()) await this.folder(path, join(real, entry.name));
    else if (entry.isFile()) this.#file(path, join(real, entry.name));
  }

  #file(path: string, real: string): void {
    if (!READABLE_NAME.test(path) || this.#seen.has(real)) return;
    this.#seen.add(real);
    this.paths.push(path);
  }

  /** Follows the links that were met, and those behind them. */
  async links(): Promise<void> {
    for (let path = this.#queue.shift(); path !== undefined; path = this.#queue.shift()) {
      try {
        const real = await realpath(path);
        const stats = await stat(real);
        if (stats.isDirectory()) await this.folder(path, real);
        else if (stats.isFile()) this.#file(path, real);
      } catch (error) {
        // A link that leads nowhere is of interest only where a file of data is expected behind it.
        if (READABLE_NAME.test(path)) this.unreadable.push({ path, reason: reasonOf(error) });
      }
    }
  }
}
