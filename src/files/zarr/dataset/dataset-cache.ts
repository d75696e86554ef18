/** Caches what was read of files to open them: their metadata and the indexes of their chunks. */
import { NotReadableFormat, ReadingError } from "../../netcdf/errors.js";
import { type FileIdentity, sameIdentity } from "../../netcdf/source/file-identity.js";
import type { MemoryBudget } from "../body/memory-budget.js";
import type { RenderedChunks } from "../body/rendered-cache.js";
import type { InspectedFile } from "../open/file-identity-cache.js";
import type { ReadingClient } from "../worker/client.js";
import type { ReadingPool } from "../worker/pool.js";
import { FileDataset } from "./file-dataset.js";

interface CachedFile {
  readonly identity: FileIdentity;
  readonly opening: Promise<FileDataset>;
  /** Set once it is open. */
  dataset: FileDataset | undefined;
  /** Bytes counted for this entry. */
  bytes: number;
}

export interface DatasetCacheParts {
  readonly pool: ReadingPool;
  readonly rendered: RenderedChunks;
  readonly budget: MemoryBudget;
  /** Bytes of all metadata. */
  readonly maxBytes: number;
}

/** Failures caused by the file itself. They are cached until the file changes. */
const LASTING = new Set(["not-readable-format", "damaged-file", "too-large"]);
/** Bytes counted for a file that cannot be read. */
const FAILURE_BYTES = 1024;

/** The data sets of files, each read once until its file changes. */
export class DatasetCache {
  readonly #parts: DatasetCacheParts;
  readonly #entries = new Map<string, CachedFile>();
  /** Sum over all entries, kept up to date because there are too many to add up at each opening. */
  #bytes = 0;
  /** Lookups of files that were cached, and that were not. */
  readonly lookups = { hits: 0, misses: 0 };

  constructor(parts: DatasetCacheParts) {
    this.#parts = parts;
  }

  get usage(): { readonly datasets: number; readonly bytes: number } {
    return { datasets: this.#entries.size, bytes: this.#bytes };
  }

  /** The data set of a file. @throws as Datasets.at */
  async open(inspected: InspectedFile, client: ReadingClient | undefined): Promise<FileDataset> {
    if (inspected.isFolder)
      throw new NotReadableFormat("This is a folder, and only files are joined.");
    const { path, identity } = inspected;
    const known = this.#entries.get(path);
    if (known !== undefined && sameIdentity(known.identity, identity)) {
      this.#entries.delete(path);
      this.#entries.set(path, known);
      this.lookups.hits += 1;
      return known.opening;
    }
    this.lookups.misses += 1;
    const opening = this.#readIndex(inspected, client);
    const entry: CachedFile = { identity, opening, dataset: undefined, bytes: FAILURE_BYTES };
    if (known !== undefined) this.#forget(path, known);
    this.#entries.set(path, entry);
    this.#bytes += entry.bytes;
    try {
      const dataset = await entry.opening;
      entry.dataset = dataset;
      this.#recount(path);
      return dataset;
    } catch (error) {
      const isLasting = error instanceof ReadingError && LASTING.has(error.kind);
      if (!isLasting) this.#forget(path, entry);
      this.#shrink();
      throw error;
    }
  }

  async #readIndex(
    { path, identity }: InspectedFile,
    client: ReadingClient | undefined,
  ): Promise<FileDataset> {
    const index = await this.#parts.pool.run({ kind: "index", path, identity }, client);
    return new FileDataset(path, index, this.#parts.pool, this.#parts.rendered, () =>
      this.#recount(path),
    );
  }

  #forget(path: string, entry: CachedFile): void {
    if (this.#entries.get(path) !== entry) return;
    this.#entries.delete(path);
    this.#bytes -= entry.bytes;
  }

  /** Updates the size of a file's entry. */
  #recount(path: string): void {
    const entry = this.#entries.get(path);
    if (entry?.dataset !== undefined) {
      this.#bytes += entry.dataset.bytes - entry.bytes;
      entry.bytes = entry.dataset.bytes;
    }
    this.#shrink();
  }

  /** Drops the least recently used entries until the rest fits. */
  #shrink(): void {
    for (const [path, entry] of this.#entries) {
      if (this.#bytes <= this.#parts.maxBytes) break;
      this.#forget(path, entry);
    }
    this.#parts.budget.note("metadata", this.#bytes);
  }
}
