/**
 * Finds the data files and zarr stores in folders, each once, and records which folders were listed completely.
 *
 * Links to folders are followed only if they lead out of the crawled trees. So a link `latest` beside the version that
 * it points to duplicates nothing, and there are no loops.
 */

import { basename, dirname, join } from "node:path";
import { storeFormat } from "../../../files/zarr/store/format.js";
import { withoutVersion } from "../../../index/loading/version.js";
import { refusalOf } from "../../../platform/errors.js";
import type { Measure } from "../../../platform/file-system/file-stats.js";
import { HashedTexts } from "../../../platform/hashed-texts.js";
import { type FileSystem, FileSystemError } from "./file-system.js";
import { type FoundFile, printable, type Report } from "./found-file.js";
import type { FolderEntry, Portion } from "./list-program.js";
import { holdsFile, holdsFolder, type Shard } from "./shard.js";

interface WalkOptions {
  readonly report: Report;
  readonly signal: AbortSignal;
  readonly shard?: Shard | undefined;
  /** Whether the standard would file data at this path. Of two names of a file, this one is preferred. */
  readonly isFiled: (path: string) => boolean;
}

export interface Folder {
  /** As named, with links unresolved. */
  readonly path: string;
  /** The path with links resolved. */
  readonly real: string;
}

/** The reason reported for data names that are no files. */
export const NO_FILE = "is a pipe, a socket or a device";

/** Walks the folders. An empty listing does not count as complete, because an unmounted file system looks the same. */
export class Walk {
  /** Paths of all existing files and stores, including refused ones. */
  readonly seen = new HashedTexts();
  /** Folders that were listed completely and are not empty. */
  readonly #complete = new HashedTexts();
  /** Folders that disappeared between the listing of their parent and their own. */
  readonly #vanished = new Set<string>();
  readonly #empty = new HashedTexts();
  readonly #visited = new HashedTexts();
  /** Links that lead out, followed after the trees themselves. Versions come first, as other links may lead to the same folders. */
  readonly #linkedVersions: Folder[] = [];
  readonly #otherLinks: Folder[] = [];
  /** Real paths of files reached only by links, and the same with the version-free name of the first link. */
  readonly #linked = new HashedTexts();
  readonly #linkedAs = new HashedTexts();
  readonly #fs: FileSystem;
  readonly #roots: readonly Folder[];
  readonly #options: WalkOptions;

  /** @param roots folders, or files with any name */
  constructor(fs: FileSystem, roots: readonly Folder[], options: WalkOptions) {
    this.#fs = fs;
    this.#roots = roots;
    this.#options = options;
  }

  /** How a folder was listed. Only a complete listing proves that a file does not exist. */
  listing(folder: string): "complete" | "empty" | "vanished" | "unknown" {
    if (this.#vanished.has(folder)) return "vanished";
    if (this.#complete.has(folder)) return "complete";
    return this.#empty.has(folder) ? "empty" : "unknown";
  }

  /** All files, root by root. Ends early when the signal aborts. */
  async *files(): AsyncGenerator<FoundFile, void, undefined> {
    for (const root of this.#roots) yield* this.#tree(root);
    const next = (): Folder | undefined => this.#linkedVersions.shift() ?? this.#otherLinks.shift();
    for (let link = next(); link !== undefined; link = next()) yield* this.#tree(link);
  }

  async *#tree(top: Folder): AsyncGenerator<FoundFile, void, undefined> {
    const waiting: Folder[] = [top];
    for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
      if (this.#options.signal.aborted) return;
      if (!this.#visited.add(folder.real)) continue;
      yield* this.#folder(folder, folder === top, waiting);
    }
  }

  async *#folder(
    folder: Folder,
    isTop: boolean,
    waiting: Folder[],
  ): AsyncGenerator<FoundFile, void, undefined> {
    const { path } = folder;
    const measured = holdsFolder(this.#options.shard, path);
    const below: Folder[] = [];
    let isFirst = true;
    let isEmpty = true;
    try {
      for await (const portion of this.#fs.list(path, measured)) {
        if (isFirst && storeFormat(portion.markers) !== undefined) {
          yield* this.#store(path);
          return;
        }
        isFirst = false;
        isEmpty = portion.isEmpty;
        yield* this.#portion(portion, folder, below, measured);
        if (this.#options.signal.aborted) return;
      }
    } catch (error) {
      if (!(error instanceof FileSystemError)) throw error;
      // A folder that disappeared after its parent was listed need not be gone for good.
      if (error.code === "ENOENT" && !isTop) this.#vanished.add(path);
      else this.#options.report.refuse(path, `the folder ${error.message}`);
      return;
    }
    (isEmpty ? this.#empty : this.#complete).add(path);
    // The last one is taken next. Versions come first: a folder beside them may hold links to the same files.
    below.sort((a, b) => (a.path < b.path ? 1 : -1));
    for (const isVersion of [false, true]) {
      for (const one of below) if (hasVersion(basename(one.path)) === isVersion) waiting.push(one);
    }
  }

  async *#portion(
    { entries }: Portion,
    folder: Folder,
    below: Folder[],
    measured: boolean,
  ): AsyncGenerator<FoundFile, void, undefined> {
    // Below a folder reached only by links, a file may already have been found by its own link.
    const elsewhere = this.#nameOf(folder.real) === undefined ? folder.real : undefined;
    const sorted = [...entries].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
    for (const entry of sorted) {
      const path = join(folder.path, entry.name);
      if (entry.kind === "folder") {
        if (this.#hasValidPath(path)) below.push({ path, real: join(folder.real, entry.name) });
      } else if (entry.kind === "link") this.#link(path, entry.real);
      else if (entry.kind === "file") {
        const real = entry.real ?? (elsewhere && join(elsewhere, entry.name));
        // All shards learn the first name of a file, whichever of them it belongs to.
        if (this.#isFirstName(path, real) && measured && this.#hasValidPath(path)) {
          this.seen.add(path);
          yield found(path, "file", entry);
        }
      } else this.#reportOther(path, entry);
    }
  }

  #reportOther(
    path: string,
    entry: FolderEntry & { readonly kind: "no-text" | "no-file" | "unreadable" },
  ): void {
    const { report, shard } = this.#options;
    if (entry.kind === "no-text") {
      const name = join(dirname(path), escapeBytes(entry.name));
      report.refuse(name, "the name is not UTF-8");
      return;
    }
    this.seen.add(path);
    if (!holdsFile(shard, path)) return;
    if (entry.kind === "no-file") {
      report.refuse(path, NO_FILE);
      return;
    }
    const isBroken = entry.isLink && (entry.code === "ENOENT" || entry.code === "ENOTDIR");
    const isLoop = entry.code === "ELOOP";
    if (isBroken) report.refuse(path, "is a link that leads nowhere");
    else if (isLoop) report.refuse(path, "is a link that leads back to itself");
    else report.refuse(path, `cannot be read (${refusalOf(entry)})`);
  }

  /** Rejects paths with line breaks: in a list of paths they would read as two. */
  #hasValidPath(path: string): boolean {
    if (printable(path) === path) return true;
    this.#options.report.refuse(path, "has a control character in its name");
    return false;
  }

  #link(path: string, real: string): void {
    const above = this.#roots.find((root) => isIn(root.real, real));
    if (above !== undefined && above.real !== real) {
      this.#options.report.refuse(
        path,
        `is a link to ${real}, in which the crawled folder itself lies`,
      );
      return;
    }
    // Below the roots, the walk finds it at its own path.
    if (this.#nameOf(real) !== undefined || !this.#hasValidPath(path)) return;
    const top = this.#roots.find((root) => isIn(path, root.path))?.path ?? "";
    const links = hasVersion(path.slice(top.length)) ? this.#linkedVersions : this.#otherLinks;
    links.push({ path, real });
  }

  /** The path under which a real path is found below the roots; undefined if it is outside or hidden there. */
  #nameOf(real: string): string | undefined {
    for (const root of this.#roots) {
      if (!isIn(real, root.real)) continue;
      const rest = real.slice(root.real.length);
      if (!/\/\./.test(rest)) return root.path + rest;
    }
    return undefined;
  }

  /**
   * Whether a linked file has not been found under another name. Another version of the same file counts as a file of
   * its own, even with the same bytes.
   */
  #isFirstName(path: string, real: string | undefined): boolean {
    if (real === undefined || real === path) return true;
    const key = withoutVersion(path);
    const name = this.#nameOf(real);
    const { isFiled } = this.#options;
    if (name !== undefined && name !== path && isFiled(name)) return withoutVersion(name) === key;
    // The standard refuses this name, which must not hide one that it files.
    if (!isFiled(path)) return !this.#linked.has(real);
    if (this.#linked.add(real)) return this.#linkedAs.add(`${real}\n${key}`);
    return this.#linkedAs.has(`${real}\n${key}`);
  }

  async *#store(path: string): AsyncGenerator<FoundFile, void, undefined> {
    this.seen.add(path);
    const { shard, report } = this.#options;
    if (holdsFile(shard, path)) yield* foundStore(this.#fs, path, report);
  }
}

/** A store with its measures; none if these cannot be read, which is reported. */
export async function* foundStore(
  fs: FileSystem,
  path: string,
  report: Report,
): AsyncGenerator<FoundFile, void, undefined> {
  try {
    yield found(path, "zarr", await fs.measure(path));
  } catch (error) {
    if (!(error instanceof FileSystemError)) throw error;
    report.refuse(path, error.message);
  }
}

export const found = (
  path: string,
  kind: "file" | "zarr",
  { size, modified, inode }: Measure,
): FoundFile => ({ path, kind, size, modified, inode });

const isIn = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder.endsWith("/") ? folder : `${folder}/`);

/** Whether a path below a root is the folder of a version, or lies in one. */
const hasVersion = (path: string): boolean => withoutVersion(`/${path}/`) !== `/${path}/`;

/** A name given as one character per byte, with other than printable ASCII escaped. */
const escapeBytes = (name: string): string =>
  name.replace(/[^\x20-\x7e]/g, (byte) => `\\x${byte.charCodeAt(0).toString(16).padStart(2, "0")}`);
