/** Divides the configured limits among the workers. */

import { READERS } from "../../files/zarr/worker/pool.js";
import { THREADS } from "../../identity/accounts/password-hash.js";
import { CONNECTION_LIMITS } from "../http/connections.js";
import { type Config, HEAP_OF_LIST } from "../settings/config.js";
import { InvalidConfig } from "../settings/derived.js";
import { MIN_READING_MEMORY } from "../settings/environment.js";
import { bytesOf } from "../settings/values.js";

/** Limits that are divided: setting, value, and the minimum for a worker. */
const BOUNDS = [
  // Each worker needs one search and one list at least, and there are half as many lists as searches.
  ["SOLR_SEARCHES", ({ solr }: Config) => solr.load.searches, 2],
  ["SOLR_HEAP", heapOf, HEAP_OF_LIST],
  ["READING_MEMORY", ({ readingMemory }: Config) => readingMemory, MIN_READING_MEMORY],
  ["LIMIT_STREAMS", ({ limits }: Config) => limits.streams ?? Number.POSITIVE_INFINITY, 1],
] as const;

/** An outside Solr's heap is not known. */
function heapOf({ solr: { outside, heap } }: Config): number {
  return outside === undefined ? bytesOf(heap) : Number.POSITIVE_INFINITY;
}

const MIB = 2 ** 20;
const shown = (name: string, value: number): string =>
  /MEMORY|HEAP/.test(name) ? `${Math.floor(value / MIB)}m` : String(value);

/** Refuses a limit that is too low for this number of workers. */
export function requireShares(config: Config): void {
  for (const [name, valueIn, min] of BOUNDS) {
    const needed = min * config.workers;
    if (valueIn(config) >= needed) continue;
    throw new InvalidConfig(
      `${name} must be at least ${shown(name, needed)} for ${config.workers} workers, but is ${shown(name, valueIn(config))}.`,
    );
  }
}

/** A worker's share: its settings, and its numbers of threads and processes. @param index from 1 */
export function shareOf(config: Config, index: number) {
  const { workers, solr, limits } = config;
  // The first workers get the remainder.
  const part = (all: number): number =>
    Math.floor(all / workers) + (index <= all % workers ? 1 : 0);
  const { searches, exports, waiting, ...others } = solr.load;
  const load = {
    ...others,
    searches: part(searches),
    exports: part(exports),
    heavy: Math.max(1, part(solr.load.heavy)),
    waiting: part(waiting),
  };
  return {
    config: {
      ...config,
      solr: { ...solr, load },
      limits: {
        ...(limits.requests && { requests: limits.requests / workers }),
        ...(limits.streams && { streams: part(limits.streams) }),
        ...(limits.bytes && { bytes: limits.bytes / workers }),
        ...(limits.decode && { decode: limits.decode / workers }),
      },
      readingMemory: part(config.readingMemory),
    },
    maxConnections: part(CONNECTION_LIMITS.max),
    hashers: Math.max(1, Math.floor(THREADS / workers)),
    readers: Math.max(READERS.min, Math.floor(READERS.default / workers)),
  };
}
