/** Opens data sets, and caches what was read of them. The entry point of this package. */

import { LRUCache } from "lru-cache";
import { ReadingError } from "../netcdf/errors.js";
import { type FileIdentity, sameIdentity } from "../netcdf/source/file-identity.js";
import { BufferPool } from "./body/buffer-pool.js";
import { BytesBody } from "./body/bytes-body.js";
import { MemoryBudget } from "./body/memory-budget.js";
import { RangeBody } from "./body/range-body.js";
import { RenderedCache } from "./body/rendered-cache.js";
import type { Content, Dataset, StoredRange } from "./dataset.js";
import { FileDataset } from "./file-dataset.js";
import { hasBareTokens } from "./metadata/strict-json.js";
import { DescriptorCache } from "./open/descriptor-cache.js";
import { FileIdentityCache, type InspectedFile } from "./open/file-identity-cache.js";
import { MAX_DOCUMENT } from "./store/folder.js";
import { type Guard, ZarrStore } from "./store/zarr-store.js";
import type { ReadingClient } from "./worker/client.js";
import { type PoolOptions, type PoolUsage, ReadingPool } from "./worker/pool.js";

export interface DatasetsOptions extends Omit<PoolOptions, "budget"> {
  /** Bytes that all reading together may take above the idle level. */
  readonly memory?: number;
  /** Maximum bytes of cached metadata and chunk indexes. */
  readonly metadataBytes?: number;
  /** Maximum bytes of cached rendered chunks. */
  readonly renderedBytes?: number;
  /** Maximum number of open files. */
  readonly descriptors?: number;
}

interface Entry {
  readonly identity: FileIdentity;
  readonly opening: Promise<FileDataset>;
  /** Set once it is open. */
  dataset: FileDataset | undefined;
  /** Bytes counted for this entry. */
  bytes: number;
}

/** Failures caused by the file itself. They are cached until the file changes. */
const LASTING = new Set(["not-readable-format", "damaged-file", "too-large"]);
/** Cached stores. */
const MAX_STORES = 1000;
/** Bytes counted for a file that cannot be read. */
const FAILURE_BYTES = 1024;

export class Datasets {
  readonly #pool: ReadingPool;
  readonly #descriptors: DescriptorCache;
  readonly #budget: MemoryBudget;
  readonly #buffers: BufferPool;
  readonly #rendered: RenderedCache;
  readonly #entries = new Map<string, Entry>();
  readonly #stores = new LRUCache<string, ZarrStore>({ max: MAX_STORES });
  readonly #identities: FileIdentityCache;
  readonly #metadataBytes: number;
  /** Sum over all entries, kept up to date because there are too many to add up at each opening. */
  #bytes = 0;
  /** Lookups of files that were cached, and that were not. */
  readonly #lookups = { hits: 0, misses: 0 };

  constructor(options: DatasetsOptions = {}) {
    const { memory, renderedBytes, metadataBytes, ...pool } = options;
    const budget = new MemoryBudget(memory);
    this.#budget = budget;
    this.#pool = new ReadingPool({ ...pool, budget });
    this.#identities = new FileIdentityCache(options.dataRoots);
    this.#buffers = new BufferPool(budget);
    this.#descriptors = new DescriptorCache(options.descriptors ?? 64);
    this.#metadataBytes = metadataBytes ?? Math.min(64 << 20, budget.total / 8);
    this.#rendered = new RenderedCache(
      renderedBytes ?? Math.min(32 << 20, budget.total / 16),
      budget,
    );
  }

  /**
   * The file at a path, by opening it. Check access to the result, then pass it to `at`: both concern the same file.
   *
   * @throws OutsideRoots, FileGone, FileChanged, FileUnreachable
   */
  inspect(path: string): Promise<InspectedFile> {
    return this.#identities.inspect(path);
  }

  /** The data set at a path, without any client or access check. @throws as `inspect` and `at` */
  async open(path: string): Promise<Dataset> {
    return this.at(await this.inspect(path));
  }

  /**
   * The data set of an inspected file, read once and cached until the file changes.
   *
   * @param client clients take turns in reading
   * @param closed real paths inside a store that are closed to this reader
   * @param guard called for each file inside a store, as their rights may differ
   * @throws NotReadableFormat, DamagedFile, TooLarge, FileGone, FileChanged, FileUnreachable, ReadingTimeout,
   * ReadingBusy
   */
  async at(
    inspected: InspectedFile,
    client?: ReadingClient,
    closed: readonly string[] = [],
    guard?: Guard,
  ): Promise<Dataset> {
    if (inspected.isFolder) {
      const store = await this.#store(inspected, closed);
      return guard === undefined ? store : store.guarded(guard);
    }
    const { path, identity } = inspected;
    const known = this.#entries.get(path);
    if (known !== undefined && sameIdentity(known.identity, identity)) {
      this.#entries.delete(path);
      this.#entries.set(path, known);
      this.#lookups.hits += 1;
      return known.opening;
    }
    this.#lookups.misses += 1;
    const opening = this.#readIndex(inspected, client);
    const entry: Entry = { identity, opening, dataset: undefined, bytes: FAILURE_BYTES };
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
    const index = await this.#pool.run({ kind: "index", path, identity }, client);
    return new FileDataset(path, index, this.#pool, this.#rendered, () => this.#recount(path));
  }

  async #store({ path, real }: InspectedFile, closed: readonly string[]): Promise<ZarrStore> {
    const key = JSON.stringify([path, real, ...closed]);
    const known = this.#stores.get(key);
    if (known !== undefined) return known;
    const parts = { pool: this.#pool, descriptors: this.#descriptors };
    const store = await ZarrStore.open({ path, real, closed }, parts);
    this.#stores.set(key, store);
    return store;
  }

  #forget(path: string, entry: Entry): void {
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
      if (this.#bytes <= this.#metadataBytes) break;
      this.#forget(path, entry);
    }
    this.#budget.note("metadata", this.#bytes);
  }

  /** Bytes of a range, in one positional read. @throws ReadingError */
  read(
    { path, identity, offset, length }: StoredRange,
    from = 0,
    count = length - from,
  ): Promise<Uint8Array> {
    return this.#descriptors.read(path, identity, offset + from, count);
  }

  /** A body that sends a range, or part of it. Its first bytes have been read. @throws ReadingError */
  body(range: StoredRange, from = 0, count = range.length - from): Promise<RangeBody> {
    return RangeBody.open(this.#descriptors, this.#buffers, range, from, count);
  }

  /** A body that sends bytes in memory, or part of them. @throws ReadingBusy */
  async bytesBody(data: Uint8Array, from = 0, count = data.byteLength - from): Promise<BytesBody> {
    return new BytesBody(data.subarray(from, from + count), this.#budget, this.#budget.hold(data));
  }

  /** A body that sends a text, or part of it. @throws ReadingBusy, TooLarge */
  async textBody(text: string, from = 0, count?: number): Promise<BytesBody> {
    const lease = await this.#budget.take(Buffer.byteLength(text));
    const data = Buffer.from(text).subarray(from, count === undefined ? undefined : from + count);
    return new BytesBody(data, this.#budget, () => lease.release());
  }

  /**
   * A document as standard JSON, for clients that reject NaN and Infinity. It gets its own tag if it differs.
   *
   * @throws ReadingError
   */
  async strict(content: Content, client?: ReadingClient): Promise<Content> {
    if (content.kind !== "document" && content.kind !== "range") return content;
    if (content.kind === "range" && content.range.length > MAX_DOCUMENT) return content;
    const strict =
      content.kind === "document"
        ? await this.#strictText(content, client)
        : await this.#pool.run(
            { kind: "strict", path: content.range.path, range: content.range },
            client,
          );
    if (strict === undefined) return content;
    return { kind: "document", text: strict, tag: `${content.tag}-strict` };
  }

  /** @returns undefined if the text is standard JSON already */
  async #strictText(
    { text, tag }: { readonly text: string; readonly tag: string },
    client: ReadingClient | undefined,
  ): Promise<string | undefined> {
    if (!hasBareTokens(text)) return undefined;
    return this.#pool.run({ kind: "strict", path: `text ${tag}`, text }, client);
  }

  /** Current cache sizes, for tests and monitoring. */
  get usage(): { readonly datasets: number; readonly bytes: number; readonly descriptors: number } {
    const { size } = this.#entries;
    return { datasets: size, bytes: this.#bytes, descriptors: this.#descriptors.count };
  }

  /** Cache hits and misses. */
  get lookups(): Readonly<
    Record<"files" | "rendered", { readonly hits: number; readonly misses: number }>
  > {
    return { files: this.#lookups, rendered: this.#rendered.lookups };
  }

  get reading(): PoolUsage {
    return this.#pool.usage;
  }

  async close(): Promise<void> {
    await this.#pool.close();
    await this.#descriptors.close();
  }
}
