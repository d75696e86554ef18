/** The data sets that are open: the way in to everything here. */
import { LRUCache } from "lru-cache";
import { utf8 } from "./cursor.js";
import type { Content, Dataset, StoredRange } from "./dataset.js";
import { Descriptors } from "./descriptors.js";
import { ReadingError } from "./errors.js";
import { FileDataset } from "./file-dataset.js";
import { type FileIdentity, sameIdentity } from "./file-identity.js";
import { strictJson } from "./json-text.js";
import { Pieces } from "./pieces.js";
import { RangeBody } from "./range-body.js";
import { type Sighting, Sightings } from "./sightings.js";
import { LONGEST_DOCUMENT } from "./store-folder.js";
import { type PoolOptions, ReadingPool } from "./worker/pool.js";
import { ZarrStore } from "./zarr-store.js";

export interface DatasetsOptions extends PoolOptions {
  /** Folders below which files may be read; anywhere where left out. */
  readonly roots?: readonly string[];
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
/** Stores whose groups and arrays are remembered. */
const STORES = 1000;
/** What is kept of a file that cannot be read, in bytes. */
const FAILURE_BYTES = 1024;

export class Datasets {
  private readonly pool: ReadingPool;
  private readonly descriptors: Descriptors;
  private readonly pieces = new Pieces();
  private readonly rendered: LRUCache<string, Uint8Array>;
  private readonly entries = new Map<string, Entry>();
  private readonly stores = new LRUCache<string, ZarrStore>({ max: STORES });
  private readonly sightings: Sightings;
  private readonly metadataBytes: number;

  constructor(options: DatasetsOptions = {}) {
    this.pool = new ReadingPool(options);
    this.sightings = new Sightings(options.roots);
    this.descriptors = new Descriptors(options.descriptors ?? 64);
    this.metadataBytes = options.metadataBytes ?? 64 << 20;
    this.rendered = new LRUCache({
      maxSize: options.renderedBytes ?? 32 << 20,
      maxEntrySize: 4 << 20,
      sizeCalculation: (data) => Math.max(1, data.byteLength),
    });
  }

  /**
   * What lies at a path, by opening it: whoever decides who may read it decides by this, and opens it by `at`.
   *
   * @throws OutsideRoots, FileGone, FileChanged, FileUnreachable
   */
  look(path: string): Promise<Sighting> {
    return this.sightings.look(path);
  }

  /** The data set at a path, whoever asks. @throws as `look` and `at` */
  async open(path: string): Promise<Dataset> {
    return this.at(await this.look(path));
  }

  /**
   * The data set that was seen, read once and kept until the file changes.
   *
   * @param closed paths without links of what is not for this reader, inside of a store
   * @throws NotReadableFormat, DamagedFile, TooLarge, FileGone, FileChanged, FileUnreachable,
   * ReadingTimeout, ReadingBusy
   */
  async at(sighting: Sighting, closed: readonly string[] = []): Promise<Dataset> {
    if (sighting.isFolder) return this.store(sighting, closed);
    const { path, identity } = sighting;
    const known = this.entries.get(path);
    if (known !== undefined && sameIdentity(known.identity, identity)) {
      this.entries.delete(path);
      this.entries.set(path, known);
      return known.opening;
    }
    const entry: Entry = { identity, opening: this.readIndex(sighting), dataset: undefined };
    this.entries.set(path, entry);
    try {
      const dataset = await entry.opening;
      entry.dataset = dataset;
      this.shrink();
      return dataset;
    } catch (error) {
      const isLasting = error instanceof ReadingError && LASTING.has(error.kind);
      if (!isLasting) this.forget(path, entry);
      this.shrink();
      throw error;
    }
  }

  private async readIndex({ path, identity }: Sighting): Promise<FileDataset> {
    const index = await this.pool.run({ kind: "index", path, identity });
    return new FileDataset(path, index, this.pool, this.rendered, () => this.shrink());
  }

  private async store({ path, real }: Sighting, closed: readonly string[]): Promise<ZarrStore> {
    const key = JSON.stringify([path, real, ...closed]);
    const known = this.stores.get(key);
    if (known !== undefined) return known;
    const { pool, descriptors } = this;
    const store = await ZarrStore.open({ path, real, closed }, { pool, descriptors });
    this.stores.set(key, store);
    return store;
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

  /**
   * A document for a reader that takes only JSON by the standard; under a tag of its own where that
   * makes it another one.
   *
   * @throws ReadingError
   */
  async strict(content: Content): Promise<Content> {
    if (content.kind !== "document" && content.kind !== "range") return content;
    if (content.kind === "range" && content.range.length > LONGEST_DOCUMENT) return content;
    const text = content.kind === "document" ? content.text : utf8(await this.read(content.range));
    const strict = strictJson(text);
    if (strict === text) return content;
    return { kind: "document", text: strict, tag: `${content.tag}-strict` };
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
