/** Finds the data sets below a path: NetCDF and HDF5 files by their names, and zarr stores. */

import type { Dirent } from "node:fs";
import { readdir, realpath, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { READABLE_NAME } from "../../catalogue/crawl/tree/found-file.js";
import { storeFormat } from "../../files/zarr/store/format.js";
import { refusalOf } from "../../platform/errors.js";

export interface DataPaths {
  /** Absolute paths with unresolved links, sorted. */
  readonly paths: readonly string[];
  /** Folders and links that could not be read. */
  readonly unreadable: readonly { readonly path: string; readonly reason: string }[];
}

const reasonOf = (error: unknown): string => `cannot be read (${refusalOf(error)})`;

/**
 * Takes a named file whatever its extension is, and searches a folder without its hidden entries. Links are followed,
 * but nothing is found twice: the path in the folder itself wins over a link.
 *
 * @throws the error of the file system if the path does not exist
 */
export async function findDatasets(path: string): Promise<DataPaths> {
  const root = resolve(path);
  const stats = await stat(root);
  if (stats.isFile()) return { paths: [root], unreadable: [] };
  if (!stats.isDirectory()) {
    return { paths: [], unreadable: [{ path: root, reason: "is no file and no folder" }] };
  }
  const search = new Search();
  await search.folder(root, await realpath(root));
  await search.links();
  return { paths: search.paths.sort(), unreadable: search.unreadable };
}

class Search {
  readonly paths: string[] = [];
  readonly unreadable: { path: string; reason: string }[] = [];
  readonly #queue: string[] = [];
  /** Real paths that were visited, which ends loops of links. */
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
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
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

  /** Follows the links that were found, and links behind them. */
  async links(): Promise<void> {
    for (let path = this.#queue.shift(); path !== undefined; path = this.#queue.shift()) {
      try {
        const real = await realpath(path);
        const stats = await stat(real);
        if (stats.isDirectory()) await this.folder(path, real);
        else if (stats.isFile()) this.#file(path, real);
      } catch (error) {
        // A dangling link matters only if it is named like a data file.
        if (READABLE_NAME.test(path)) this.unreadable.push({ path, reason: reasonOf(error) });
      }
    }
  }
}
