/** Whether what the service must remember can be written: a disk that is full or broken shows in nothing else. */
import { randomUUID } from "node:crypto";
import { readFile, rm, statfs } from "node:fs/promises";
import { join } from "node:path";
import { StorageUnavailable } from "../../platform/errors.js";
import { makePrivateFolder, writePrivateFile } from "../../platform/private-files.js";
import { SingleFlight } from "../../platform/single-flight.js";
import type { StateStore } from "../state/state-store.js";

/** Bytes that must be free below DATA_DIR: Solr needs them for its next segments and update log. */
export const MIN_FREE = 16 * 1024 * 1024;
/** Milliseconds for which a success counts, so that nobody writes much by asking often. */
const LASTING = 2000;

export class Storage {
  /** Of this process alone, as several share the collection. */
  readonly #id = `storage-${randomUUID()}`;
  #good = 0;
  readonly #checks = new SingleFlight<void>();
  readonly #state: StateStore;
  readonly #dataDir: string;

  constructor(state: StateStore, dataDir: string) {
    this.#state = state;
    this.#dataDir = dataDir;
  }

  /**
   * Writes a little into the collection `state` and into DATA_DIR, and reads it again.
   *
   * @throws StorageUnavailable; what the store throws
   */
  async check(): Promise<void> {
    if (Date.now() - this.#good < LASTING) return;
    await this.#checks.join(() => this.#try());
  }

  async #try(): Promise<void> {
    const value = randomUUID();
    await Promise.all([this.#tryState(value), this.#tryFolder(value)]);
    this.#good = Date.now();
  }

  async #tryState(value: string): Promise<void> {
    const entry = { kind: "storage", value, expires: Date.now() + 60_000 };
    await this.#state.overwrite(this.#id, entry);
    const found = await this.#state.read(this.#id);
    if (found?.value !== value) throw new StorageUnavailable("state has not what was written");
  }

  async #tryFolder(value: string): Promise<void> {
    const path = join(this.#dataDir, this.#id);
    try {
      await makePrivateFolder(this.#dataDir);
      await requireFree(this.#dataDir);
      await writePrivateFile(path, value);
      const found = await readFile(path, "utf8");
      if (found !== value) throw new StorageUnavailable("DATA_DIR has not what was written");
    } catch (cause) {
      if (cause instanceof StorageUnavailable) throw cause;
      throw new StorageUnavailable("DATA_DIR cannot be written", { cause });
    } finally {
      await rm(path, { force: true }).catch(() => {});
    }
  }
}

/** Bytes that are free for this account below a folder. */
export async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

async function requireFree(folder: string): Promise<void> {
  const free = await freeBytes(folder);
  if (free < MIN_FREE) throw new StorageUnavailable(`DATA_DIR has ${free} bytes left`);
}
