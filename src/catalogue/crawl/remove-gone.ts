/** Removes the entries of files that a crawl no longer finds. */
import { removeDocuments } from "../../index/loading/remove-files.js";
import type { Solr } from "../../index/solr.js";
import { batchesOf } from "../../platform/concurrency/time-slices.js";
import { absent, Gone } from "./gone.js";
import { publicEntries } from "./known.js";
import type { FileSystem } from "./tree/file-system.js";
import type { Report } from "./tree/found-file.js";
import { holdsFile, type Shard } from "./tree/shard.js";
import type { Walk } from "./tree/walk.js";

/** The result of a finished walk. */
export interface WalkedTree {
  readonly walk: Walk;
  /** Paths of the folders that were walked. */
  readonly folders: readonly string[];
  /** Paths that a list names as removed. */
  readonly removed: readonly string[];
}

export interface RemovalOptions {
  readonly report: Report;
  readonly shard: Shard | undefined;
  readonly signal: AbortSignal;
  /** Called with the number of entries that a request has removed. */
  readonly onRemoved: (entries: number) => void;
}

/** Entries removed per request, and names per index query. */
const REMOVAL_BATCH = 5000;
const NAMES_PER_QUERY = 100;

/** Removes the entries of files that no longer exist. */
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
  for (const batch of batchesOf(removed, NAMES_PER_QUERY)) {
    // A list may name a removed file twice or out of order, so only files that are absent now count.
    const absentPaths = await absent(fs, batch);
    const mine = async (files: readonly string[]): Promise<string[]> =>
      (await absent(fs, files)).filter((file) => holdsFile(shard, file));
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
