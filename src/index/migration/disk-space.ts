/** Whether there is room for a second index beside the one that is there. */
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { SetupError } from "../collections/setup-error.js";
import { freeBytes, MIN_FREE } from "../collections/storage-probe.js";

/** The new index while it is merged, compared with the former one. */
const FACTOR = 1.6;

const gigabytes = (bytes: number): string => `${(bytes / 1e9).toFixed(1)} GB`;

/** @throws SetupError when the new index may not fit. @param home the embedded Solr's */
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
    // Solr merges meanwhile: what is gone takes no room.
    bytes += await stat(join(entry.parentPath ?? entry.path, entry.name)).then(
      ({ size }) => size,
      () => 0,
    );
  }
  return bytes;
}
