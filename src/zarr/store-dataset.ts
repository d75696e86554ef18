/** A zarr store, whose documents are read and parsed in a process of its own. */
import type { Content, Dataset } from "./dataset.js";
import { nameOf } from "./keys.js";
import type { Summary } from "./summary.js";
import type { ReadingPool } from "./worker/pool.js";
import type { ZarrStore } from "./zarr-store.js";

/** Documents that may have to be made of others. */
const MADE = new Set([".zmetadata", "zarr.json"]);

export class StoreDataset implements Dataset {
  readonly #store: ZarrStore;
  readonly #pool: ReadingPool;

  constructor(store: ZarrStore, pool: ReadingPool) {
    this.#store = store;
    this.#pool = pool;
  }

  get path(): string {
    return this.#store.path;
  }

  get format(): ZarrStore["format"] {
    return this.#store.format;
  }

  tag(key: string): undefined {
    return this.#store.tag(key);
  }

  keys(): Promise<string[]> {
    return this.#pool.run({ kind: "store-keys", path: this.path });
  }

  document(key: string): Promise<string | undefined> {
    return this.#pool.run({ kind: "store-document", path: this.path, key });
  }

  async content(key: string, by?: string): Promise<Content> {
    if (MADE.has(nameOf(key))) {
      const made = await this.#pool.run({ kind: "store-made", path: this.path, key }, by);
      if (made !== undefined) return { kind: "document", ...made };
    }
    return this.#store.stored(key);
  }

  summary(by?: string): Promise<Summary> {
    return this.#pool.run({ kind: "store-summary", path: this.path }, by);
  }
}
