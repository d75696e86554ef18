/** Decides which entries of the index belong to files that no longer exist. */
import { dirname } from "node:path";
import { batchesOf } from "../../platform/concurrency/time-slices.js";
import type { FileSystem } from "./tree/file-system.js";
import type { Report } from "./tree/found-file.js";
import { holdsFile, type Shard } from "./tree/shard.js";
import type { Walk } from "./tree/walk.js";

/** Files per probe. */
const BATCH = 2000;
/** Error codes of paths where nothing exists. */
const ABSENT = new Set(["ENOENT", "ENOTDIR"]);

/** The paths at which nothing exists, not even a dangling link. */
export async function absent(fs: FileSystem, paths: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const batch of batchesOf(paths, BATCH)) {
    const all = await fs.stat(batch, true);
    found.push(
      ...batch.filter((_, index) => {
        const stats = all[index];
        return stats !== undefined && "code" in stats && ABSENT.has(stats.code);
      }),
    );
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

  /** The indexed files that are gone. */
  async of(files: readonly string[]): Promise<string[]> {
    const unseen = files.filter(
      (file) => !this.#walk.seen.has(file) && holdsFile(this.#shard, file),
    );
    if (unseen.length === 0) return [];
    const gone: string[] = [];
    const evidence = new Map<string, string | true>();
    for (const file of await absent(this.#fs, unseen)) {
      const verdict = await this.#evidence(dirname(file), evidence);
      if (verdict === true) gone.push(file);
      else this.#staying.set(verdict, (this.#staying.get(verdict) ?? 0) + 1);
    }
    return gone;
  }

  /** Reports the folders whose entries stay. */
  reportStaying(): void {
    for (const [folder, count] of this.#staying) {
      const listing = this.#walk.listing(folder);
      const why =
        listing === "empty"
          ? "is empty, as it would be while a file system is not mounted"
          : listing === "vanished"
            ? "went away while it was looked for"
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
      const isAbsent = (await absent(this.#fs, [folder])).length > 0;
      if (isAbsent) verdict = await this.#evidence(dirname(folder), known);
    }
    known.set(folder, verdict);
    return verdict;
  }
}
