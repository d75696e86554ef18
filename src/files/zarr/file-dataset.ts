/** Presents a NetCDF or HDF5 file as a zarr v2 store. */

import { remembered, SingleFlight } from "../../platform/single-flight.js";
import type { Header } from "../cf/header.js";
import {
  type ChunkTable,
  chunkGrid,
  chunkNumber,
  findChunk,
  tableBytes,
} from "../netcdf/chunk-table.js";
import { NotReadableFormat } from "../netcdf/errors.js";
import { elementCount } from "../netcdf/shape.js";
import {
  type ArrayFacts,
  type Content,
  type Dataset,
  isDocumentKey,
  type Slice,
  type StoredRange,
} from "./dataset.js";
import { ReadingBusy } from "./errors.js";
import type { ArrayPlan } from "./metadata/array-plan.js";
import { isWithinStored, sameElement } from "./metadata/array-plan.js";
import { consolidated } from "./metadata/documents.js";
import { readHeader } from "./metadata/header.js";
import { nameOf, parentOf } from "./metadata/keys.js";
import { plain, smallArrays } from "./metadata/small-arrays.js";
import type { Summary } from "./metadata/summary.js";
import { keyTag } from "./open/entity-tags.js";
import type { FileIndex } from "./open/file-index.js";
import { hasNumbers, piecesOf } from "./slice/file-slice.js";
import { requireFewChunks } from "./slice/limits.js";
import type { Selection } from "./slice/selection.js";
import type { ReadingClient } from "./worker/client.js";
import type { ReadingPool } from "./worker/pool.js";

/** A cache of rendered chunks, by tag. */
export interface RenderedChunks {
  get(tag: string): Uint8Array | undefined;
  set(tag: string, data: Uint8Array): void;
}

const NO_SUCH_DOCUMENT: Content = { kind: "absent", reason: "no-such-document" };
const UNKNOWN_KEY: Content = { kind: "unknown-key" };
const UNWRITTEN: Content = { kind: "absent", reason: "unwritten-chunk" };

/** Documents up to this many characters are parsed on the main thread, which takes about a millisecond. */
const SHORT = 1 << 16;

export class FileDataset implements Dataset {
  readonly #tables = new Map<string, Promise<ChunkTable>>();
  #small: Promise<ReadonlyMap<string, Uint8Array>> | undefined;
  readonly #renders = new SingleFlight<Uint8Array>();
  /** Approximate bytes in memory. */
  bytes: number;
  /** Characters of all documents. */
  #characters = 0;
  readonly #index: FileIndex;
  readonly #pool: ReadingPool;
  readonly #rendered: RenderedChunks;
  /** Called when `bytes` has grown. */
  readonly #onGrow: () => void;

  constructor(
    readonly path: string,
    index: FileIndex,
    pool: ReadingPool,
    rendered: RenderedChunks,
    onGrow: () => void,
  ) {
    this.#index = index;
    this.#pool = pool;
    this.#rendered = rendered;
    this.#onGrow = onGrow;
    let bytes = 2048;
    for (const [key, text] of index.texts) {
      bytes += 2 * (key.length + text.length) + 200;
      this.#characters += text.length;
    }
    // The plan holds the attributes a second time, as values.
    this.bytes = bytes * 2 + index.arrays.size * 2048;
  }

  get identity(): FileIndex["identity"] {
    return this.#index.identity;
  }

  get format(): string {
    return this.#index.format;
  }

  async keys(): Promise<string[]> {
    const metadata = this.#index.groups.map((path) =>
      path === "" ? ".zmetadata" : `${path}/.zmetadata`,
    );
    return [...metadata, ...this.#index.texts.keys()];
  }

  async document(key: string): Promise<string | undefined> {
    return this.#documentText(key);
  }

  #documentText(key: string): string | undefined {
    const text = this.#index.texts.get(key);
    if (text !== undefined) return text;
    const group = /^(?:(.*)\/)?\.zmetadata$/s.exec(key);
    const path = group === null ? undefined : (group[1] ?? "");
    if (path === undefined || !this.#index.groups.includes(path)) return undefined;
    return consolidated(this.#index.texts, path);
  }

  tag(key: string): string {
    return keyTag(this.identity, key);
  }

  async content(key: string, client?: ReadingClient): Promise<Content> {
    const tag = this.tag(key);
    const text = this.#documentText(key);
    if (text !== undefined) return { kind: "document", text, tag };
    if (isDocumentKey(key)) return NO_SUCH_DOCUMENT;
    const found = this.#chunkOf(key);
    return found === undefined ? UNKNOWN_KEY : this.#chunk(found.plan, found.place, tag, client);
  }

  /** The array and the position of a chunk key such as `path/0.0.0`. */
  #chunkOf(
    key: string,
  ): { readonly plan: ArrayPlan; readonly place: readonly number[] } | undefined {
    const plan = this.#index.arrays.get(parentOf(key));
    const name = nameOf(key);
    if (plan === undefined || !/^(0|[1-9]\d{0,15})(\.(0|[1-9]\d{0,15}))*$/.test(name)) {
      return undefined;
    }
    const { shape } = plan.variable;
    const place = name.split(".").map(Number);
    // An array without dimensions has one chunk, 0.
    if (shape.length === 0) return name === "0" ? { plan, place: [] } : undefined;
    const grid = chunkGrid(shape, plan.chunks);
    if (place.length !== grid.length) return undefined;
    return place.every((index, d) => index < (grid[d] ?? 0)) ? { plan, place } : undefined;
  }

  async #chunk(
    plan: ArrayPlan,
    place: readonly number[],
    tag: string,
    client: ReadingClient | undefined,
  ): Promise<Content> {
    const piece = this.#piece(plan, place);
    if (piece !== undefined) return { kind: "range", range: piece, tag };
    if (plan.isStoredChunk) {
      const found = await this.#storedChunk(plan, place, client);
      if (found === "unwritten") return UNWRITTEN;
      if (found !== "render") return { kind: "range", range: found, tag };
    }
    return { kind: "bytes", data: await this.#render(plan, place, tag, client), tag };
  }

  #range(offset: number, length: number): StoredRange {
    return { path: this.path, identity: this.identity, offset, length };
  }

  /** The range of a chunk that lies contiguously in the file; undefined if it is cut off. */
  #piece({ variable, chunks }: ArrayPlan, place: readonly number[]): StoredRange | undefined {
    const { storage, stored, storedShape, type } = variable;
    if (stored.kind !== "as-is" || type.kind === "text") return undefined;
    const isWhole = place.every(
      (index, d) => (index + 1) * (chunks[d] ?? 1) <= (storedShape[d] ?? 0),
    );
    if (!isWhole) return undefined;
    const bytes = elementCount(chunks) * stored.size;
    const linear = (shape: readonly number[], from: number): number =>
      shape.reduce(
        (sum, length, d) => sum * length + (place[d + from] ?? 0) * (chunks[d + from] ?? 1),
        0,
      );
    if (storage.kind === "contiguous") {
      return this.#range(storage.offset + linear(storedShape, 0) * stored.size, bytes);
    }
    if (storage.kind !== "records") return undefined;
    const inner = storedShape.slice(1);
    const isUnbroken = storage.stride === elementCount(inner) * stored.size;
    if (chunks[0] !== 1 && !isUnbroken) return undefined;
    const record = (place[0] ?? 0) * (chunks[0] ?? 1);
    const at = storage.offset + record * storage.stride + linear(inner, 1) * stored.size;
    return this.#range(at, bytes);
  }

  /**
   * The decoded values of a chunk, whatever its codecs; undefined if `content` has no bytes either.
   *
   * @throws ReadingError
   */
  async decodedChunk(key: string): Promise<Uint8Array | StoredRange | undefined> {
    const found = this.#chunkOf(key);
    if (found === undefined) return undefined;
    const { plan, place } = found;
    const small = (await this.#smallArrays()).get(plan.path);
    if (small !== undefined) {
      const grid = chunkGrid(plan.variable.shape, plan.chunks);
      const length = small.length / elementCount(grid);
      const from = chunkNumber(place, grid) * length;
      // A copy, because its buffer is aligned for any number type.
      return new Uint8Array(small.subarray(from, from + length));
    }
    const piece = this.#piece(plan, place);
    if (piece !== undefined) return piece;
    return this.#render(plain(plan), place, `${this.tag(key)} decoded`);
  }

  /** Read together at the first request for one of them, because each would need its own order. */
  #smallArrays(): Promise<ReadonlyMap<string, Uint8Array>> {
    if (this.#small !== undefined) return this.#small;
    const { path, identity } = this;
    const plans = smallArrays(this.#index.arrays.values());
    const reading = this.#pool.run({ kind: "arrays", path, identity, plans });
    this.#small = reading;
    reading.then(
      (arrays) => {
        for (const { byteLength } of arrays.values()) this.bytes += byteLength;
        this.#onGrow();
      },
      () => {
        this.#small = undefined;
      },
    );
    return reading;
  }

  async #storedChunk(
    plan: ArrayPlan,
    place: readonly number[],
    client: ReadingClient | undefined,
  ): Promise<StoredRange | "unwritten" | "render"> {
    const { storedShape, storage, padding, type } = plan.variable;
    if (storage.kind !== "chunked") return "render";
    const chunk = storage.chunks.chunk;
    const isInside = place.every((index, d) => index * (chunk[d] ?? 1) < (storedShape[d] ?? 0));
    // A stored chunk at the edge needs padding if the array is longer than what is stored.
    const isClean = isWithinStored(plan, place);
    const { fill } = plan;
    const fillsAlike =
      fill?.isCommon === true &&
      (isClean ||
        (padding !== undefined &&
          type.kind === "plain" &&
          sameElement(type.dtype, padding, fill.bytes)));
    if (!isInside) return fillsAlike ? "unwritten" : "render";
    const grid = chunkGrid(storedShape, chunk);
    const found = findChunk(await this.#table(plan, client), chunkNumber(place, grid));
    if (found === undefined) return fillsAlike ? "unwritten" : "render";
    if (!isClean || found.mask !== 0 || plan.isChecked) return "render";
    return this.#range(found.offset, found.size);
  }

  #table(
    { path: name, variable }: ArrayPlan,
    client: ReadingClient | undefined,
  ): Promise<ChunkTable> {
    return remembered(this.#tables, name, async () => {
      const { path, identity } = this;
      const table = await this.#pool.run({ kind: "table", path, identity, variable }, client);
      this.bytes += tableBytes(table);
      this.#onGrow();
      return table;
    });
  }

  async #render(
    plan: ArrayPlan,
    place: readonly number[],
    tag: string,
    client?: ReadingClient,
  ): Promise<Uint8Array> {
    const kept = this.#rendered.get(tag);
    if (kept !== undefined) return kept;
    const { path, identity } = this;
    return this.#renders.join(async () => {
      const data = await this.#pool.run({ kind: "render", path, identity, plan, place }, client);
      this.#rendered.set(tag, data);
      return data;
    }, tag);
  }

  async array(path: string): Promise<ArrayFacts | undefined> {
    const variable = this.#index.arrays.get(path)?.variable;
    return variable && { shape: variable.shape, hasNumbers: hasNumbers(variable) };
  }

  sliceTag(path: string, selection: Selection): string {
    return keyTag(this.identity, JSON.stringify([path, selection]));
  }

  async slice(
    path: string,
    selection: Selection,
    client?: ReadingClient,
    signal?: AbortSignal,
  ): Promise<Slice> {
    const tag = this.sliceTag(path, selection);
    const kept = this.#rendered.get(tag);
    if (kept !== undefined) return { data: kept, tag };
    const plan = this.#index.arrays.get(path);
    if (plan === undefined) throw new NotReadableFormat("There is no variable of this name.");
    if (plan.variable.storage.kind === "chunked") {
      requireFewChunks(selection, piecesOf(plan, selection));
    }
    const order = {
      kind: "slice",
      path: this.path,
      identity: this.identity,
      plan,
      selection,
    } as const;
    const render = async (stop: AbortSignal): Promise<Uint8Array> => {
      const data = await this.#pool.run(order, client, stop);
      this.#rendered.set(tag, data);
      return data;
    };
    try {
      return { data: await this.#renders.join(render, tag, signal), tag };
    } catch (error) {
      throw error === signal?.reason ? new ReadingBusy("The client has left.") : error;
    }
  }

  async header(client?: ReadingClient): Promise<Header> {
    const { path, identity } = this;
    if (this.#characters <= SHORT) return readHeader(this.#index.texts);
    return this.#pool.run({ kind: "header", path, identity }, client);
  }

  summary(client?: ReadingClient): Promise<Summary> {
    const { path, identity } = this;
    return this.#pool.run({ kind: "summary", path, identity }, client);
  }
}
