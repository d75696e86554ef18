/** Checks that the disk has room for a second index. */
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { SetupError } from "../collections/setup-error.js";
import { freeBytes, MIN_FREE } from "../collections/storage-probe.js";

/** Peak size of the new index during merges, relative to the former one. */
const FACTOR = 1.6;

const gigabytes = (bytes: number): string => `${(bytes / 1e9).toFixed(1)} GB`;

/** @throws SetupError if the new index may not fit. @param home of the embedded Solr */
export async function requireRoom(home: string, free = freeBytes): Promise<void> {
  const needed = FACTOR * (await bytesBelow(home)) + MIN_FREE;
  const there = await free(home);
  if (there >= needed) return;
  throw new SetupError(
    `The upgrade needs about ${gigabytes(needed)} for the new index beside the former one, and ${gigabytes(there)} are free below ${home}; make room, and run this again.`,
  );
}

async function bytesBelow(folder: string): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile()) continue;
    // Solr may delete files at any time while it merges.
    bytes += await stat(join(entry.parentPath ?? entry.path, entry.name)).then(
      ({ size }) => size,
      () => 0,
    );
  }
  return bytes;
}
