/** Which entries of the index stand for files that are gone, by what a walk has seen. */
import { dirname } from "node:path";
import { batchesOf } from "../../platform/time-slices.js";
import type { FileSystem } from "./file-system.js";
import type { Report } from "./found-file.js";
import { holdsFile, type Shard } from "./shard.js";
import type { Walk } from "./walk.js";

/** Files that are looked at together. */
const BATCH = 2000;
/** What the file system says of a path where there is nothing. */
const ABSENT = new Set(["ENOENT", "ENOTDIR"]);

/** Those of the paths under which there is nothing, not even a link that leads nowhere. */
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
 * Finds what is gone: what is not there any more, though the folder in which it was, or the next one above that is
 * still there, was listed to its end and has something in it.
 */
export class Gone {
  readonly #walk: Walk;
  readonly #fs: FileSystem;
  readonly #report: Report;
  readonly #shard: Shard | undefined;
  /** Folders whose listing is no evidence -> how many entries below them stay for that. */
  readonly #kept = new Map<string, number>();

  constructor(walk: Walk, fs: FileSystem, report: Report, shard: Shard | undefined) {
    this.#walk = walk;
    this.#fs = fs;
    this.#report = report;
    this.#shard = shard;
  }

  /** Those of the files of the index that are gone. */
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
      else this.#kept.set(verdict, (this.#kept.get(verdict) ?? 0) + 1);
    }
    return gone;
  }

  /** Says for which folders entries stay. */
  tell(): void {
    for (const [folder, count] of this.#kept) {
      const listing = this.#walk.listing(folder);
      const why =
        listing === "empty"
          ? "is empty, as it would be while a file system is not mounted"
          : listing === "vanished"
            ? "went away while it was looked for"
            : "was not listed to its end";
      const entries = count === 1 ? "1 entry" : `${count.toLocaleString("en")} entries`;
      this.#report.refuse(folder, `${why}; ${entries} below it stay in the index`);
    }
  }

  /** True, or the folder for which what was below it is not known. */
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
