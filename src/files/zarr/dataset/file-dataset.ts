/** Presents a NetCDF or HDF5 file as a zarr v2 store. */

import { remembered } from "../../../platform/concurrency/single-flight.js";
import { type ChunkTable, chunkGrid, chunkNumber, tableBytes } from "../../netcdf/chunk-table.js";
import { NotReadableFormat } from "../../netcdf/errors.js";
import type { Box } from "../../netcdf/render/region.js";
import { elementCount } from "../../netcdf/shape.js";
import type { RenderedCache } from "../body/rendered-cache.js";
import { type ByteRange, chunkOf, contiguousRange, storedChunk } from "../chunk-place.js";
import { ReadingBusy } from "../errors.js";
import type { Conversion } from "../join/convert.js";
import type { ArrayPlan } from "../metadata/array-plan.js";
import { arrayText, consolidated, type FileIndex } from "../metadata/documents.js";
import { type DatasetHeader, readHeader } from "../metadata/header.js";
import { joinKey, nameOf, parentOf } from "../metadata/keys.js";
import { referablePlan } from "../metadata/referable-plan.js";
import { plain, smallArrays } from "../metadata/small-arrays.js";
import type { Summary } from "../metadata/summary.js";
import { keyTag } from "../open/entity-tags.js";
import { hasNumbers, piecesOf } from "../slice/file-slice.js";
import { requireFewChunks } from "../slice/gather.js";
import type { Selection } from "../slice/selection.js";
import type { ReadingClient } from "../worker/client.js";
import type { ReadingPool } from "../worker/pool.js";
import {
  type ArrayFacts,
  type ChunkPlace,
  type Content,
  isDocumentKey,
  NO_SUCH_DOCUMENT,
  type ReferableDataset,
  type Slice,
  type StoredRange,
  UNKNOWN_KEY,
  UNWRITTEN,
} from "./dataset.js";

/** Documents up to this many characters are parsed on the main thread, which takes about a millisecond. */
export const SHORT = 1 << 16;

export class FileDataset implements ReferableDataset {
  readonly #tables = new Map<string, Promise<ChunkTable>>();
  readonly #small = new Map<"all", Promise<ReadonlyMap<string, Uint8Array>>>();
  /** Approximate bytes in memory. */
  bytes: number;
  #characters = 0;
  readonly #index: FileIndex;
  readonly #pool: ReadingPool;
  readonly #rendered: RenderedCache | undefined;
  /** Called when `bytes` has grown. */
  readonly #onGrow: () => void;

  constructor(
    readonly path: string,
    index: FileIndex,
    pool: ReadingPool,
    rendered: RenderedCache | undefined,
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

  referable(): FileDataset {
    const arrays = [...this.#index.arrays.values()].map(referablePlan);
    const texts = new Map(this.#index.texts);
    for (const plan of arrays) texts.set(joinKey(plan.path, ".zarray"), arrayText(plan));
    const plans = new Map(arrays.map((plan) => [plan.path, plan]));
    const index = { ...this.#index, texts, arrays: plans };
    // Its chunks have keys of the stream, and other values: they must not meet in the cache.
    return new FileDataset(this.path, index, this.#pool, undefined, () => {});
  }

  get format(): string {
    return this.#index.format;
  }

  async documents(): Promise<ReadonlyMap<string, string>> {
    return this.#index.texts;
  }

  async document(key: string): Promise<string | undefined> {
    return this.#documentText(key);
  }

  #documentText(key: string): string | undefined {
    const { texts } = this.#index;
    const group = parentOf(key);
    const isMade = nameOf(key) === ".zmetadata" && texts.has(joinKey(group, ".zgroup"));
    return isMade ? consolidated(texts, group) : texts.get(key);
  }

  tag(key: string): string {
    return keyTag(this.identity, key);
  }

  async content(key: string, client?: ReadingClient): Promise<Content> {
    const tag = this.tag(key);
    const text = this.#documentText(key);
    if (text !== undefined) return { kind: "document", text, tag };
    if (isDocumentKey(key)) return NO_SUCH_DOCUMENT;
    const found = chunkOf(key, this.#index.arrays);
    return found === undefined ? UNKNOWN_KEY : this.chunk(found.plan, found.place, tag, client);
  }

  plan(path: string): ArrayPlan | undefined {
    return this.#index.arrays.get(path);
  }

  /**
   * A chunk by any plan of an array of this file: its chunks may be smaller than the stored ones, and its codecs others.
   *
   * @param tag differs with the plan, as rendered chunks are cached by it
   * @throws ReadingError; a failure is never `absent`
   */
  async chunk(
    plan: ArrayPlan,
    place: readonly number[],
    tag: string,
    client: ReadingClient | undefined,
  ): Promise<Content> {
    const found = await this.placeOf(plan, place, client);
    if (found === "unwritten") return UNWRITTEN;
    const isChecked = plan.isStoredChunk && plan.isChecked;
    if (found !== "decoded" && !isChecked) return { kind: "range", range: found, tag };
    return { kind: "bytes", data: await this.#render(plan, place, tag, client), tag };
  }

  /** The place of a chunk by any plan. A checksum at the end of a stored chunk is no part of the range. */
  async placeOf(
    plan: ArrayPlan,
    place: readonly number[],
    client: ReadingClient | undefined,
  ): Promise<ChunkPlace> {
    const contiguous = contiguousRange(plan, place);
    if (contiguous !== undefined) return this.#range(contiguous);
    if (!plan.isStoredChunk) return "decoded";
    const stored = await storedChunk(plan, place, () => this.#table(plan, client));
    return typeof stored === "string" ? stored : this.#range(stored);
  }

  async locate(key: string, client?: ReadingClient): Promise<ChunkPlace | undefined> {
    const found = chunkOf(key, this.#index.arrays);
    return found && this.placeOf(found.plan, found.place, client);
  }

  /** The file of tasks and ranges. */
  get #file(): Pick<StoredRange, "path" | "identity"> {
    return { path: this.path, identity: this.identity };
  }

  #range(range: ByteRange): StoredRange {
    return { ...this.#file, ...range };
  }

  /** The decoded values of a chunk, whatever its codecs; undefined if `content` has no bytes either. */
  async decodedChunk(key: string): Promise<Uint8Array | StoredRange | undefined> {
    const found = chunkOf(key, this.#index.arrays);
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
    const contiguous = contiguousRange(plan, place);
    if (contiguous !== undefined) return this.#range(contiguous);
    return this.#render(plain(plan), place, `${this.tag(key)} decoded`);
  }

  /** @param held bytes that are booked for what the values become a part of */
  box(
    plan: ArrayPlan,
    box: Box,
    to: Conversion | undefined,
    client?: ReadingClient,
    held = 0,
  ): Promise<Uint8Array> {
    const task = { kind: "box", ...this.#file, plan, box, to } as const;
    return this.#pool.run(task, client, undefined, held);
  }

  /** Read together at the first request for one of them, because each would need its own order. */
  #smallArrays(): Promise<ReadonlyMap<string, Uint8Array>> {
    return remembered(this.#small, "all", async () => {
      const plans = smallArrays(this.#index.arrays.values());
      const arrays = await this.#pool.run({ kind: "arrays", ...this.#file, plans });
      for (const { byteLength } of arrays.values()) this.bytes += byteLength;
      this.#onGrow();
      return arrays;
    });
  }

  #table(
    { path: name, variable }: ArrayPlan,
    client: ReadingClient | undefined,
  ): Promise<ChunkTable> {
    return remembered(this.#tables, name, async () => {
      const table = await this.#pool.run({ kind: "table", ...this.#file, variable }, client);
      this.bytes += tableBytes(table);
      this.#onGrow();
      return table;
    });
  }

  #render(
    plan: ArrayPlan,
    place: readonly number[],
    tag: string,
    client?: ReadingClient,
  ): Promise<Uint8Array> {
    return this.#made(tag, () =>
      this.#pool.run({ kind: "render", ...this.#file, plan, place }, client),
    );
  }

  #made(...[tag, make, signal]: Parameters<RenderedCache["made"]>): Promise<Uint8Array> {
    return this.#rendered?.made(tag, make, signal) ?? make(signal);
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
    const plan = this.#index.arrays.get(path);
    if (plan === undefined) throw new NotReadableFormat("There is no variable of this name.");
    const render = async (stop: AbortSignal | undefined): Promise<Uint8Array> => {
      if (plan.variable.storage.kind === "chunked") {
        requireFewChunks(selection, piecesOf(plan, selection));
      }
      return this.#pool.run({ kind: "slice", ...this.#file, plan, selection }, client, stop);
    };
    try {
      return { data: await this.#made(tag, render, signal), tag };
    } catch (error) {
      throw error === signal?.reason ? new ReadingBusy("The client has left.") : error;
    }
  }

  async header(client?: ReadingClient): Promise<DatasetHeader> {
    if (this.#characters <= SHORT) return readHeader(this.#index.texts);
    return this.#pool.run({ kind: "header", ...this.#file }, client);
  }

  summary(client?: ReadingClient): Promise<Summary> {
    return this.#pool.run({ kind: "summary", ...this.#file }, client);
  }
}
