/** Finds the entries of the index whose files no longer exist, and removes them. */
import { dirname } from "node:path";
import { removeDocuments } from "../../index/loading/remove-files.js";
import type { Solr } from "../../index/solr.js";
import { batchesOf } from "../../platform/concurrency/time-slices.js";
import { publicEntries } from "./known.js";
import { type FileSystem, FileSystemError, SILENT } from "./tree/file-system.js";
import type { Report } from "./tree/found-file.js";
import { holdsFile, type Shard } from "./tree/shard.js";
import type { Walk } from "./tree/walk.js";

const BATCH = 2000;
const ABSENT = new Set(["ENOENT", "ENOTDIR"]);

/**
 * The paths at which nothing exists, not even a dangling link.
 *
 * @param silent called for a path without an answer of the file system, with its folder or one above
 */
export async function absent(
  fs: FileSystem,
  paths: readonly string[],
  silent: (path: string, folder: string) => void,
): Promise<string[]> {
  const found: string[] = [];
  const answering = paths.filter((path) => {
    // The walk has waited for it already.
    const folder = [...fs.silentFolders].find((one) => path.startsWith(`${one}/`));
    if (folder !== undefined) silent(path, folder);
    return folder === undefined;
  });
  for (const batch of batchesOf(answering, BATCH)) {
    for (const [index, stats] of (await fs.stat(batch, true)).entries()) {
      const path = batch[index] as string;
      if (!("code" in stats)) continue;
      if (ABSENT.has(stats.code)) found.push(path);
      else if (stats.code === SILENT) silent(path, dirname(path));
    }
  }
  return found;
}

/**
 * Finds missing files. A file is gone only if nothing exists at its path, and its folder, or the nearest existing one
 * above it, was listed completely and is not empty.
 */
export class Gone {
  readonly #walk: Walk;
  readonly #fs: FileSystem;
  readonly #report: Report;
  readonly #shard: Shard | undefined;
  /** Folders whose listing proves nothing -> number of entries below them that stay. */
  readonly #staying = new Map<string, number>();

  constructor(walk: Walk, fs: FileSystem, report: Report, shard: Shard | undefined) {
    this.#walk = walk;
    this.#fs = fs;
    this.#report = report;
    this.#shard = shard;
  }

  async of(files: readonly string[]): Promise<string[]> {
    const unseen = files.filter(
      (file) => !this.#walk.seen.has(file) && holdsFile(this.#shard, file),
    );
    if (unseen.length === 0) return [];
    const gone: string[] = [];
    const evidence = new Map<string, string | true>();
    const stays = (_: string, folder: string): void => {
      this.#staying.set(folder, (this.#staying.get(folder) ?? 0) + 1);
    };
    for (const file of await absent(this.#fs, unseen, stays)) {
      const verdict = await this.#evidence(dirname(file), evidence);
      if (verdict === true) gone.push(file);
      else stays(file, verdict);
    }
    return gone;
  }

  reportStaying(): void {
    for (const [folder, count] of this.#staying) {
      const listing = this.#walk.listing(folder);
      const why =
        listing === "empty"
          ? "is empty, as it would be while a file system is not mounted"
          : listing === "vanished"
            ? "went away while it was looked for"
            : listing === "complete"
              ? "gets no answer from the file system"
              : "was not listed to its end";
      const entries = count === 1 ? "1 entry" : `${count.toLocaleString("en")} entries`;
      this.#report.refuse(
        folder,
        `${why}; ${entries} below it stay in the index${listing === "empty" ? " until the folder is deleted" : ""}`,
      );
    }
  }

  /** True, or the folder whose listing proves nothing. */
  async #evidence(folder: string, known: Map<string, string | true>): Promise<string | true> {
    const before = known.get(folder);
    if (before !== undefined) return before;
    const listing = this.#walk.listing(folder);
    let verdict: string | true = folder;
    if (listing === "complete") verdict = true;
    else if (listing !== "empty" && listing !== "vanished" && dirname(folder) !== folder) {
      const isAbsent = (await absent(this.#fs, [folder], () => {})).length > 0;
      if (isAbsent) verdict = await this.#evidence(dirname(folder), known);
    }
    known.set(folder, verdict);
    return verdict;
  }
}

/** The result of a finished walk. */
interface WalkedTree {
  readonly walk: Walk;
  /** Paths of the folders that were walked. */
  readonly folders: readonly string[];
  /** Paths that a list names as removed. */
  readonly removed: readonly string[];
}

interface RemovalOptions {
  readonly report: Report;
  readonly shard: Shard | undefined;
  readonly signal: AbortSignal;
  /** Called with the number of entries that a request has removed. */
  readonly onRemoved: (entries: number) => void;
}

/** Entries removed per request, and names per index query. */
const REMOVAL_BATCH = 5000;
const NAMES_PER_QUERY = 100;

export async function removeGone(
  solr: Solr,
  fs: FileSystem,
  { walk, folders, removed }: WalkedTree,
  { report, shard, signal, onRemoved }: RemovalOptions,
): Promise<void> {
  const out = async (files: readonly string[]): Promise<void> => {
    onRemoved(await removeDocuments(solr.http, files));
  };
  const gone = new Gone(walk, fs, report, shard);
  for (const batch of batchesOf(folders, NAMES_PER_QUERY)) {
    const entries = publicEntries(solr, batch);
    await inPortions(signal, entries, (files) => gone.of(files), out);
  }
  gone.reportStaying();
  const silent = (path: string): void => report.refuse(path, new FileSystemError(SILENT).message);
  for (const batch of batchesOf(removed, NAMES_PER_QUERY)) {
    // A list may name a removed file twice or out of order, so only files that are absent now count.
    const absentPaths = await absent(fs, batch, silent);
    const mine = async (files: readonly string[]): Promise<string[]> =>
      (await absent(fs, files, silent)).filter((file) => holdsFile(shard, file));
    await inPortions(signal, publicEntries(solr, absentPaths), mine, out);
  }
}

/** Removes chosen entries in large requests. An abort ends it between two of them. */
async function inPortions(
  signal: AbortSignal,
  entries: AsyncIterable<readonly string[]>,
  choose: (files: readonly string[]) => Promise<string[]>,
  out: (files: readonly string[]) => Promise<void>,
): Promise<void> {
  let chosen: string[] = [];
  for await (const batch of entries) {
    if (signal.aborted) return;
    chosen.push(...(await choose(batch)));
    if (chosen.length < REMOVAL_BATCH) continue;
    await out(chosen);
    chosen = [];
  }
  if (chosen.length > 0) await out(chosen);
}
