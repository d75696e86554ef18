/** Checks that persistent state can be written. Nothing else reveals a full or broken disk. */
import { randomUUID } from "node:crypto";
import { readFile, rm, statfs } from "node:fs/promises";
import { join } from "node:path";
import { SingleFlight } from "../../platform/concurrency/single-flight.js";
import { StorageUnavailable } from "../../platform/errors.js";
import { makePrivateFolder, writePrivateFile } from "../../platform/file-system/private-files.js";
import type { StateStore } from "../state/state-store.js";

/** Bytes that must be free in DATA_DIR: Solr needs them for its next segments and update log. */
export const MIN_FREE = 16 * 1024 * 1024;
/** Milliseconds that a success is cached, so that frequent requests do not cause many writes. */
const SUCCESS_TTL_MS = 2000;

export class Storage {
  /** Unique to this process, because several processes share the collection. */
  readonly #id = `storage-${randomUUID()}`;
  /** By performance.now(). */
  #lastSuccess = Number.NEGATIVE_INFINITY;
  readonly #checks = new SingleFlight<void>();
  readonly #state: StateStore;
  readonly #dataDir: string;

  constructor(state: StateStore, dataDir: string) {
    this.#state = state;
    this.#dataDir = dataDir;
  }

  /** Writes a small value to the collection `state` and to DATA_DIR, and reads it back. */
  async check(): Promise<void> {
    if (performance.now() - this.#lastSuccess < SUCCESS_TTL_MS) return;
    await this.#checks.join(() => this.#probe());
  }

  async #probe(): Promise<void> {
    const value = randomUUID();
    await Promise.all([this.#probeState(value), this.#probeFolder(value)]);
    this.#lastSuccess = performance.now();
  }

  async #probeState(value: string): Promise<void> {
    const entry = { kind: "storage", value, expires: Date.now() + 60_000 };
    await this.#state.overwrite(this.#id, entry);
    const found = await this.#state.read(this.#id);
    if (found?.value !== value)
      throw new StorageUnavailable("the collection state does not return what was written");
  }

  async #probeFolder(value: string): Promise<void> {
    const path = join(this.#dataDir, this.#id);
    try {
      await makePrivateFolder(this.#dataDir);
      const free = await freeBytes(this.#dataDir);
      if (free < MIN_FREE) throw new StorageUnavailable(`DATA_DIR has ${free} bytes left`);
      await writePrivateFile(path, value);
      const found = await readFile(path, "utf8");
      if (found !== value)
        throw new StorageUnavailable("DATA_DIR does not return what was written");
    } catch (cause) {
      if (cause instanceof StorageUnavailable) throw cause;
      throw new StorageUnavailable("DATA_DIR cannot be written", { cause });
    } finally {
      await rm(path, { force: true }).catch(() => {});
    }
  }
}

/** Bytes that this account can write in a folder. */
export async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}
