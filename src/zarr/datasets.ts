/** The data sets that are open: the way in to everything here. */
import { stat } from "node:fs/promises";
import { LRUCache } from "lru-cache";
import type { Dataset, StoredRange } from "./dataset.js";
import { Descriptors } from "./descriptors.js";
import { asReadingError, ReadingError } from "./errors.js";
import { FileDataset } from "./file-dataset.js";
import { type FileIdentity, fileIdentity, sameIdentity } from "./file-identity.js";
import { Pieces } from "./pieces.js";
import { RangeBody } from "./range-body.js";
import { type PoolOptions, ReadingPool } from "./worker/pool.js";
import { ZarrStore } from "./zarr-store.js";

export interface DatasetsOptions extends PoolOptions {
  /** Bytes of metadata and chunk indexes that are kept. */
  readonly metadataBytes?: number;
  /** Bytes of rendered chunks that are kept. */
  readonly renderedBytes?: number;
  /** Files that stay open. */
  readonly descriptors?: number;
}

interface Entry {
  readonly identity: FileIdentity;
  readonly opening: Promise<FileDataset>;
  /** Once it is open. */
  dataset: FileDataset | undefined;
}

/** What a file is guilty of itself: it need not be read again to know. */
const LASTING = new Set(["not-readable-format", "damaged-file", "too-large"]);
/** What is kept of a file that cannot be read, in bytes. */
const FAILURE_BYTES = 1024;

export class Datasets {
  private readonly pool: ReadingPool;
  private readonly descriptors: Descriptors;
  private readonly pieces = new Pieces();
  private readonly rendered: LRUCache<string, Uint8Array>;
  private readonly entries = new Map<string, Entry>();
  private readonly metadataBytes: number;

  constructor(options: DatasetsOptions = {}) {
    this.pool = new ReadingPool(options);
    this.descriptors = new Descriptors(options.descriptors ?? 64);
    this.metadataBytes = options.metadataBytes ?? 64 << 20;
    this.rendered = new LRUCache({
      maxSize: options.renderedBytes ?? 32 << 20,
      maxEntrySize: 4 << 20,
      sizeCalculation: (data) => Math.max(1, data.byteLength),
    });
  }

  /**
   * The data set at a path, read once and kept until the file changes.
   *
   * Access is not checked here: the path is taken as given, links and all.
   *
   * @throws NotReadableFormat, DamagedFile, TooLarge, FileGone, FileChanged, FileUnreachable,
   * ReadingTimeout, ReadingBusy
   */
  async open(path: string): Promise<Dataset> {
    let identity: FileIdentity;
    try {
      const stats = await stat(path, { bigint: true });
      if (stats.isDirectory()) return await ZarrStore.open(path);
      identity = fileIdentity(stats);
    } catch (error) {
      this.entries.delete(path);
      throw asReadingError(error);
    }
    const known = this.entries.get(path);
    if (known !== undefined && sameIdentity(known.identity, identity)) {
      this.entries.delete(path);
      this.entries.set(path, known);
      return known.opening;
    }
    const entry: Entry = { identity, opening: this.readIndex(path), dataset: undefined };
    this.entries.set(path, entry);
    try {
      const dataset = await entry.opening;
      // It was replaced between the look and the reading: what was read is newer than the look.
      if (!sameIdentity(dataset.identity, identity)) this.forget(path, entry);
      else entry.dataset = dataset;
      this.shrink();
      return dataset;
    } catch (error) {
      const isLasting = error instanceof ReadingError && LASTING.has(error.kind);
      if (!isLasting) this.forget(path, entry);
      this.shrink();
      throw error;
    }
  }

  private async readIndex(path: string): Promise<FileDataset> {
    const index = await this.pool.run({ kind: "index", path });
    return new FileDataset(path, index, this.pool, this.rendered, () => this.shrink());
  }

  private forget(path: string, entry: Entry): void {
    if (this.entries.get(path) === entry) this.entries.delete(path);
  }

  /** Drops what was not asked for for the longest time, until the rest fits. */
  private shrink(): void {
    const bytesOf = ({ dataset }: Entry): number => dataset?.bytes ?? FAILURE_BYTES;
    let bytes = 0;
    for (const entry of this.entries.values()) bytes += bytesOf(entry);
    for (const [path, entry] of this.entries) {
      if (bytes <= this.metadataBytes) return;
      bytes -= bytesOf(entry);
      this.entries.delete(path);
    }
  }

  /** Bytes of a range, in one positional read. @throws ReadingError */
  read(
    { path, identity, offset, length }: StoredRange,
    from = 0,
    count = length - from,
  ): Promise<Uint8Array> {
    return this.descriptors.read(path, identity, offset + from, count);
  }

  /** A range, or part of it, to be sent; its first bytes are read. @throws ReadingError */
  body(range: StoredRange, from = 0, count = range.length - from): Promise<RangeBody> {
    return RangeBody.open(this.descriptors, this.pieces, range, from, count);
  }

  /** What is held now: for tests and for those who watch the service. */
  get usage(): { readonly datasets: number; readonly bytes: number; readonly descriptors: number } {
    let bytes = 0;
    for (const { dataset } of this.entries.values()) bytes += dataset?.bytes ?? FAILURE_BYTES;
    return { datasets: this.entries.size, bytes, descriptors: this.descriptors.count };
  }

  async close(): Promise<void> {
    await this.pool.close();
    await this.descriptors.close();
  }
}
