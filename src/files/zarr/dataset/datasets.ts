/** Opens data sets, and caches what was read of them. The entry point of this package. */

import { LRUCache } from "lru-cache";
import { TooLarge } from "../../netcdf/errors.js";
import { BufferPool } from "../body/buffer-pool.js";
import { BytesBody } from "../body/bytes-body.js";
import { MemoryBudget } from "../body/memory-budget.js";
import { RangeBody } from "../body/range-body.js";
import { RenderedCache } from "../body/rendered-cache.js";
import type { JoinedDataset } from "../join/joined-dataset.js";
import { type Admit, type Admitted, Joins } from "../join/joins.js";
import type { Recipe } from "../join/recipe.js";
import { hasBareTokens } from "../metadata/strict-json.js";
import { DescriptorCache } from "../open/descriptor-cache.js";
import { FileIdentityCache, type InspectedFile } from "../open/file-identity-cache.js";
import { MAX_DOCUMENT } from "../store/folder.js";
import { type Guard, ZarrStore } from "../store/zarr-store.js";
import { version3Text } from "../version3/documents.js";
import { type Version2Parts, version3Dataset } from "../version3/version3-dataset.js";
import type { ReadingClient } from "../worker/client.js";
import { type PoolOptions, type PoolUsage, ReadingPool } from "../worker/pool.js";
import type { DocumentPart } from "../worker/protocol.js";
import type { Content, Dataset, StoredRange, Value } from "./dataset.js";
import { DatasetCache } from "./dataset-cache.js";
import { SHORT } from "./file-dataset.js";

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

const MAX_STORES = 1000;
function partOf(document: Value | undefined): DocumentPart | undefined {
  if (document === undefined || document.kind === "bytes") return undefined;
  if (document.kind === "document") return { text: document.text };
  if (document.range.length > MAX_DOCUMENT) throw new TooLarge("A zarr document is too large.");
  return { range: document.range };
}

export class Datasets {
  readonly #pool: ReadingPool;
  readonly #descriptors: DescriptorCache;
  readonly #budget: MemoryBudget;
  readonly #buffers: BufferPool;
  readonly #rendered: RenderedCache;
  readonly #files: DatasetCache;
  readonly #stores = new LRUCache<string, ZarrStore>({ max: MAX_STORES });
  readonly #identities: FileIdentityCache;
  readonly #joins: Joins;

  constructor(options: DatasetsOptions = {}) {
    const { memory, renderedBytes, metadataBytes, ...pool } = options;
    const budget = new MemoryBudget(memory);
    this.#budget = budget;
    this.#pool = new ReadingPool({ ...pool, budget });
    this.#identities = new FileIdentityCache(options.dataRoots);
    this.#buffers = new BufferPool(budget);
    this.#descriptors = new DescriptorCache(options.descriptors ?? 64);
    this.#rendered = new RenderedCache(
      renderedBytes ?? Math.min(32 << 20, budget.total / 16),
      budget,
    );
    this.#files = new DatasetCache({
      pool: this.#pool,
      rendered: this.#rendered,
      budget,
      maxBytes: metadataBytes ?? Math.min(64 << 20, budget.total / 8),
    });
    this.#joins = new Joins({
      facts: ({ path, identity }, client) =>
        this.#pool.run({ kind: "join-facts", path, identity }, client),
      dataset: (file, client) => this.#files.open(file, client),
      rendered: this.#rendered,
      // Two for each process, so that none waits for the main thread.
      together: 2 * this.#pool.readers,
    });
  }

  /** Many files as one data set, planned once and cached. */
  joined(
    recipe: Recipe,
    admit: Admit,
    client?: ReadingClient,
    admitted?: Admitted,
  ): Promise<JoinedDataset> {
    return this.#joins.open(recipe, admit, client, admitted);
  }

  /** The file at a path, by opening it. Check access to the result, then pass it to `at`: both concern the same file. */
  inspect(path: string): Promise<InspectedFile> {
    return this.#identities.inspect(path);
  }

  /** As FileIdentityCache.known. */
  known(path: string): InspectedFile | undefined {
    return this.#identities.known(path);
  }

  /** As FileIdentityCache.confirmed. */
  confirmed<T>(file: InspectedFile, work: () => Promise<T>, undo: (result: T) => void): Promise<T> {
    return this.#identities.confirmed(file, work, undo);
  }

  /** The data set at a path, without any client or access check. */
  async open(path: string): Promise<Dataset> {
    return this.at(await this.inspect(path));
  }

  /**
   * The data set of an inspected file, read once and cached until the file changes.
   *
   * @param client clients take turns in reading
   * @param closed real paths inside a store that are closed to this reader
   * @param guard called for each file inside a store, as their rights may differ
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
    return this.#files.open(inspected, client);
  }

  async #store(
    { path, real, changed }: InspectedFile,
    closed: readonly string[],
  ): Promise<ZarrStore> {
    // A store that is written anew may have another format.
    const key = JSON.stringify([path, real, String(changed), ...closed]);
    const known = this.#stores.get(key);
    if (known !== undefined) return known;
    const parts = { pool: this.#pool, descriptors: this.#descriptors };
    const store = await ZarrStore.open({ path, real, closed }, parts);
    this.#stores.set(key, store);
    return store;
  }

  /** Bytes of a range, in one positional read. */
  read(
    { path, identity, offset, length }: StoredRange,
    from = 0,
    count = length - from,
  ): Promise<Uint8Array> {
    return this.#descriptors.read(path, identity, offset + from, count);
  }

  /**
   * A body that sends a range, or part of it. Its first bytes have been read.
   *
   * @param isConfirmed whether the caller checks the file afterwards; see FileIdentityCache.confirmed
   */
  body(
    range: StoredRange,
    from = 0,
    count = range.length - from,
    isConfirmed = false,
  ): Promise<RangeBody> {
    const part = { ...range, offset: range.offset + from, length: count };
    return RangeBody.open(this.#descriptors, this.#buffers, part, isConfirmed);
  }

  /** A body that sends bytes in memory, or part of them. */
  async bytesBody(data: Uint8Array, from = 0, count = data.byteLength - from): Promise<BytesBody> {
    return new BytesBody(data.subarray(from, from + count), this.#budget, this.#budget.hold(data));
  }

  /** A body that sends a text, or part of it. */
  async textBody(text: string, from = 0, count?: number): Promise<BytesBody> {
    const lease = await this.#budget.take(Buffer.byteLength(text));
    const data = Buffer.from(text).subarray(from, count === undefined ? undefined : from + count);
    return new BytesBody(data, this.#budget, () => lease.release());
  }

  /** A document as standard JSON, for clients that reject NaN and Infinity. It gets its own tag if it differs. */
  async strict(content: Content, client?: ReadingClient): Promise<Content> {
    if (content.kind !== "document" && content.kind !== "range") return content;
    const isLeft =
      content.kind === "range" ? content.range.length > MAX_DOCUMENT : !hasBareTokens(content.text);
    if (isLeft) return content;
    const path = content.kind === "range" ? content.range.path : `text ${content.tag}`;
    const strict = await this.#pool.run({ kind: "strict", path, ...partOf(content) }, client);
    if (strict === undefined) return content;
    return { kind: "document", text: strict, tag: `${content.tag}-strict` };
  }

  /** A data set as zarr v3; the same if it is stored so. */
  asVersion3(dataset: Dataset): Dataset {
    if (dataset.format === "zarr v3") return dataset;
    return version3Dataset(dataset, (parts, client) => this.#convert(parts, client));
  }

  async #convert(
    { kind, document, attributes }: Version2Parts,
    client: ReadingClient | undefined,
  ): Promise<string | undefined> {
    const parts = { version3: kind, document: partOf(document), attributes: partOf(attributes) };
    const isShort = [document, attributes].every(
      (part) => part === undefined || (part.kind === "document" && part.text.length <= SHORT),
    );
    if (isShort) return version3Text(kind, parts.document?.text ?? "", parts.attributes?.text);
    const path = `text ${document.tag}`;
    return this.#pool.run({ kind: "version-3", path, ...parts }, client);
  }

  /** Current cache sizes, for tests and monitoring. */
  get usage(): { readonly datasets: number; readonly bytes: number; readonly descriptors: number } {
    return { ...this.#files.usage, descriptors: this.#descriptors.count };
  }

  get lookups(): Readonly<
    Record<"files" | "rendered", { readonly hits: number; readonly misses: number }>
  > {
    return { files: this.#files.lookups, rendered: this.#rendered.lookups };
  }

  get reading(): PoolUsage {
    return this.#pool.usage;
  }

  async close(): Promise<void> {
    await this.#pool.close();
    await this.#descriptors.close();
  }
}
