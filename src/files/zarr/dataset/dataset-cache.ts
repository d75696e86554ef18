/** Caches what was read of files to open them: their metadata and the indexes of their chunks. */
import { LRUCache } from "lru-cache";
import { isLasting, NotReadableFormat } from "../../netcdf/errors.js";
import { type FileIdentity, sameIdentity } from "../../netcdf/source/file-identity.js";
import type { MemoryBudget } from "../body/memory-budget.js";
import type { RenderedCache } from "../body/rendered-cache.js";
import type { InspectedFile } from "../open/file-identity-cache.js";
import type { ReadingClient } from "../worker/client.js";
import type { ReadingPool } from "../worker/pool.js";
import { FileDataset } from "./file-dataset.js";

interface CachedFile {
  readonly identity: FileIdentity;
  readonly opening: Promise<FileDataset>;
  /** Undefined until it is open. */
  readonly dataset: FileDataset | undefined;
}

interface DatasetCacheParts {
  readonly pool: ReadingPool;
  readonly rendered: RenderedCache;
  readonly budget: MemoryBudget;
  /** Bytes of all metadata. */
  readonly maxBytes: number;
}

/** Bytes counted for a file that is being opened, or cannot be read. */
const UNREAD_BYTES = 1024;

/** The data sets of files, each read once until its file changes. */
export class DatasetCache {
  readonly #parts: DatasetCacheParts;
  readonly #files: LRUCache<string, CachedFile>;
  readonly lookups = { hits: 0, misses: 0 };

  constructor(parts: DatasetCacheParts) {
    this.#parts = parts;
    this.#files = new LRUCache({
      maxSize: parts.maxBytes,
      sizeCalculation: ({ dataset }) => dataset?.bytes ?? UNREAD_BYTES,
    });
  }

  get usage(): { readonly datasets: number; readonly bytes: number } {
    return { datasets: this.#files.size, bytes: this.#files.calculatedSize };
  }

  async open(inspected: InspectedFile, client: ReadingClient | undefined): Promise<FileDataset> {
    if (inspected.isFolder)
      throw new NotReadableFormat("This is a folder, and only files are joined.");
    const { path, identity } = inspected;
    const known = this.#files.get(path);
    if (known !== undefined && sameIdentity(known.identity, identity)) {
      this.lookups.hits += 1;
      return known.opening;
    }
    this.lookups.misses += 1;
    const opening = this.#readIndex(inspected, client);
    const entry: CachedFile = { identity, opening, dataset: undefined };
    this.#keep(path, entry);
    try {
      const dataset = await opening;
      if (this.#files.peek(path) === entry) this.#keep(path, { ...entry, dataset });
      return dataset;
    } catch (error) {
      // Failures of the file itself are cached until it changes.
      if (!isLasting(error) && this.#files.peek(path) === entry) this.#files.delete(path);
      this.#note();
      throw error;
    }
  }

  async #readIndex(
    { path, identity }: InspectedFile,
    client: ReadingClient | undefined,
  ): Promise<FileDataset> {
    const { pool, rendered } = this.#parts;
    const index = await pool.run({ kind: "index", path, identity }, client);
    const dataset: FileDataset = new FileDataset(path, index, pool, rendered, () => {
      const entry = this.#files.peek(path);
      // A copy, because the cache measures only new values.
      if (entry?.dataset === dataset) this.#keep(path, { ...entry });
    });
    return dataset;
  }

  /** Caches a file by its current size. The least recently used ones make room for it. */
  #keep(path: string, entry: CachedFile): void {
    this.#files.set(path, entry);
    this.#note();
  }

  #note(): void {
    this.#parts.budget.note("metadata", this.#files.calculatedSize);
  }
}
