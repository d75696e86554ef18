/** The starting points of a crawl: named folders and files, and lists of paths. */

import { basename, dirname } from "node:path";
import { STORE_MARKS, storeFormat } from "../../../files/zarr/store/format.js";
import type { Input } from "../../../index/loading/read-documents.js";
import { UserError } from "../../../platform/errors.js";
import type { PathStats } from "../../../platform/file-system/file-probe-program.js";
import { HashedTexts } from "../../../platform/hashed-texts.js";
import { batches } from "../pipeline.js";
import { type FileSystem, FileSystemError, SILENT } from "./file-system.js";
import { type FoundFile, isData, printable, type Report } from "./found-file.js";
import { readPaths } from "./listed-paths.js";
import { holdsFile, type Shard } from "./shard.js";
import { type Folder, found, foundStore, NO_FILE } from "./walk.js";

export interface Roots {
  readonly folders: readonly Folder[];
  /** Files named by the user: any name is accepted. */
  readonly files: readonly FoundFile[];
}

/** Inspects the paths. @throws UserError for the first that does not exist or cannot be read */
export async function rootsOf(fs: FileSystem, paths: readonly string[]): Promise<Roots> {
  const folders: Folder[] = [];
  const files: FoundFile[] = [];
  for (const path of paths) {
    try {
      const [stats] = (await fs.stat([path])) as [PathStats];
      if ("code" in stats) throw new FileSystemError(stats.code);
      if (stats.kind === "folder") folders.push({ path, real: await fs.realPath(path) });
      else if (stats.kind === "file") files.push(found(path, "file", stats));
      else throw new UserError(`${path} is no file and no folder.`);
    } catch (error) {
      if (!(error instanceof FileSystemError)) throw error;
      throw new UserError(`${path} ${error.message}.`);
    }
  }
  return { folders, files };
}

/** A list of paths, and the meaning of those without a sign. */
export interface PathList {
  readonly input: Input;
  readonly isRemoved: boolean;
}

/** Paths per probe, and milliseconds to wait for a full batch. */
const PROBE_BATCH = { max: 2000, milliseconds: 1000 };
const MAX_CACHED = 10_000;

/** The content of lists: files, stores, whole folders, and removed paths. */
export class ListedPaths {
  /** Folders, which lists mark with a trailing slash. */
  readonly folders: Folder[] = [];
  /** Paths marked as removed. */
  readonly removed: string[] = [];
  readonly #seen = new HashedTexts();
  readonly #stores = new Map<string, string | undefined>();
  readonly #fs: FileSystem;
  readonly #report: Report;
  readonly #shard: Shard | undefined;
  readonly #signal: AbortSignal;

  constructor(fs: FileSystem, report: Report, shard: Shard | undefined, signal: AbortSignal) {
    this.#fs = fs;
    this.#report = report;
    this.#shard = shard;
    this.#signal = signal;
  }

  async *files(lists: readonly PathList[]): AsyncGenerator<FoundFile, void, undefined> {
    for (const { input, isRemoved } of lists) {
      const lines = readPaths(input, isRemoved);
      for await (const portion of batches(lines, PROBE_BATCH.max, PROBE_BATCH.milliseconds)) {
        if (this.#signal.aborted) return;
        const paths: string[] = [];
        for (const line of portion) {
          if ("reason" in line) this.#report.refuse(printable(line.line), line.reason);
          else if (!this.#accepts(line.path, line.isRemoved)) continue;
          else if (line.isRemoved) this.removed.push(line.path);
          else paths.push(line.path);
        }
        yield* this.#found(paths);
      }
    }
  }

  #accepts(path: string, isRemoved: boolean): boolean {
    // Hidden paths are skipped, as in folders, except the metadata files of a zarr store.
    const hidden = /\/\.[^/]*/.exec(path)?.[0].slice(1);
    if (hidden !== undefined && !(STORE_MARKS.includes(hidden) && path.endsWith(`/${hidden}`)))
      return false;
    if (printable(path) !== path) {
      this.#report.refuse(printable(path), "has a control character in its name");
      return false;
    }
    // Duplicate lines are skipped. The sign is part of the key, as a path can be both added and removed.
    return this.#seen.add(`${isRemoved ? "-" : "+"}${path}`);
  }

  async *#found(paths: readonly string[]): AsyncGenerator<FoundFile, void, undefined> {
    const all = await this.#fs.stat(paths);
    for (const [index, path] of paths.entries()) {
      try {
        yield* this.#at(path, all[index] as PathStats);
      } catch (error) {
        if (!(error instanceof FileSystemError)) throw error;
        if (error.code === "ENOENT") this.#report.note(path, "is listed, and is not there");
        else if (holdsFile(this.#shard, path)) this.#report.refuse(path, error.message);
      }
    }
  }

  async *#at(path: string, stats: PathStats): AsyncGenerator<FoundFile, void, undefined> {
    if ("code" in stats) throw new FileSystemError(stats.code);
    if (stats.kind === "folder" && path.endsWith("/") && path !== "/") {
      const folder = path.slice(0, -1);
      this.folders.push({ path: folder, real: await this.#fs.realPath(folder) });
    } else if (stats.kind === "file" && isData(path)) {
      if (holdsFile(this.#shard, path)) yield found(path, "file", stats);
    } else if (stats.kind === "other") {
      if (isData(path) && holdsFile(this.#shard, path)) {
        this.#report.refuse(path, NO_FILE);
      }
    } else {
      yield* this.#store(stats.kind === "folder" ? path : dirname(path));
    }
  }

  async *#store(folder: string): AsyncGenerator<FoundFile, void, undefined> {
    const store = await this.#storeAbove(folder);
    if (store === undefined || !holdsFile(this.#shard, store) || !this.#seen.add(store)) return;
    yield* foundStore(this.#fs, store, this.#report);
  }

  /** The outermost store that contains the folder or is the folder. */
  async #storeAbove(folder: string): Promise<string | undefined> {
    if (folder === "/" || basename(folder) === "") return undefined;
    if (this.#stores.has(folder)) return this.#stores.get(folder);
    let store = await this.#storeAbove(dirname(folder));
    if (store === undefined) {
      const all = await this.#fs.stat(STORE_MARKS.map((name) => `${folder}/${name}`));
      if (all.some((one) => "code" in one && one.code === SILENT))
        throw new FileSystemError(SILENT);
      const markers = STORE_MARKS.filter((_, index) => !("code" in (all[index] as PathStats)));
      if (storeFormat(markers) !== undefined) store = folder;
    }
    if (this.#stores.size >= MAX_CACHED) this.#stores.clear();
    this.#stores.set(folder, store);
    return store;
  }
}
