/** Values of the arrays of one dataset, from its zarr stream or from the service's preview. */

import { LRUCache } from "lru-cache";
import { elementCount } from "../../../../src/files/netcdf/shape.js";
import { type Json, parseDocument } from "../../../../src/files/zarr/metadata/json-object.js";
import { joinKey } from "../../../../src/files/zarr/metadata/keys.js";
import { Parts, stepsOf } from "../../../../src/files/zarr/slice/gather.js";
import { readNpy } from "../../../../src/files/zarr/slice/npy.js";
import {
  type Selection,
  sampledRange,
  shapeOf,
} from "../../../../src/files/zarr/slice/selection.js";
import { unpacking } from "../../../../src/files/zarr/slice/unpack.js";
import {
  type DecodedChunk,
  decodedChunk,
  type NumberArray,
  openArray,
  readSelection,
} from "../../../../src/files/zarr/slice/zarr-array.js";
import { MAX_CHUNK } from "./average.js";
import { UnreadableData } from "./failures.js";
import { type Documents, sizeOf } from "./header.js";
import type { Transport } from "./transport.js";
import type { Variable } from "./types.js";

/** Above this many chunks or bytes of a slice, the service samples it. */
const MAX_CHUNKS = 48;
const MAX_BYTES = 16 << 20;
/** Browsers send at most six requests at once over HTTP/1.1. */
const MAX_CONCURRENT = 6;
/** Bytes of decoded chunks to keep, so that moving a slider back needs no request. */
const MAX_CACHED_BYTES = 64 << 20;
/** Values of a coordinate. */
const MAX_COORDINATE = 8 << 20;

export interface Slice {
  readonly values: Float32Array;
  /** The slice that was read; strided if the service sampled it. */
  readonly selection: Selection;
  readonly source: "chunks" | "preview";
}

const partHeaders = (part: { offset: number; length: number } | { suffixLength: number }) => ({
  Range:
    "offset" in part
      ? `bytes=${part.offset}-${part.offset + part.length - 1}`
      : `bytes=-${part.suffixLength}`,
});

export class Arrays {
  readonly #id: string;
  readonly #documents: Documents;
  readonly #transport: Transport;
  readonly #opened = new Map<string, Promise<NumberArray>>();
  readonly #coordinates = new Map<string, Promise<Float64Array>>();
  readonly #chunks = new LRUCache<string, DecodedChunk>({
    maxSize: MAX_CACHED_BYTES,
    maxEntrySize: MAX_CACHED_BYTES / 4,
    sizeCalculation: ({ bytes }) => Math.max(1, bytes),
  });

  constructor(id: string, documents: Documents, transport: Transport) {
    this.#id = id;
    this.#documents = documents;
    this.#transport = transport;
  }

  #open({ path }: Variable): Promise<NumberArray> {
    const known = this.#opened.get(path);
    if (known !== undefined) return known;
    const { version, texts } = this.#documents;
    const text = texts.get(joinKey(path, version === 3 ? "zarr.json" : ".zarray"));
    const document: Json = text === undefined ? {} : parseDocument(text);
    const opening = openArray({
      version,
      document,
      chunk: (key, part, signal) =>
        this.#transport.bytes(
          `data-portal/zarr/${this.#id}.zarr/${encoded(joinKey(path, key))}`,
          signal,
          part === undefined ? {} : partHeaders(part),
        ),
    });
    this.#opened.set(path, opening);
    return opening;
  }

  /** All stored values of a coordinate. They are cached, as each slice needs them. @throws WorkerError, UnreadableData */
  coordinate(variable: Variable, signal?: AbortSignal): Promise<Float64Array> {
    const known = this.#coordinates.get(variable.path);
    if (known !== undefined) return known;
    const reading = this.#all(variable, signal);
    this.#coordinates.set(variable.path, reading);
    reading.catch(() => this.#coordinates.delete(variable.path));
    return reading;
  }

  /** Double precision: float32 cannot hold the seconds of a year or coordinates in metres. */
  async #all(variable: Variable, signal: AbortSignal | undefined): Promise<Float64Array> {
    const { shape } = variable;
    const selection = shape.map((length) => sampledRange(0, length));
    const count = elementCount(shape);
    if (count > MAX_COORDINATE) {
      throw new UnreadableData(`The coordinate ${variable.name} has too many values to be drawn.`);
    }
    const array = await this.#open(variable);
    const values = new Float64Array(count);
    await readSelection(
      array,
      selection,
      Number,
      values,
      stepsOf(shape),
      (place) => decodedChunk(array, place, signal),
      MAX_CONCURRENT,
    );
    return values;
  }

  /** Whether the service samples a slice: its stored chunks are large or many. @throws WorkerError, UnreadableData */
  async isSampled(variable: Variable, selection: Selection): Promise<boolean> {
    const { chunks } = await this.#open(variable);
    const { count } = new Parts(selection, chunks);
    const chunkBytes = elementCount(chunks) * sizeOf(variable.type);
    return chunkBytes > MAX_CHUNK || count > MAX_CHUNKS || count * chunkBytes > MAX_BYTES;
  }

  /**
   * A slice in float32, unpacked, its dimensions in the given order. Reads stored chunks if these are small and few;
   * otherwise the service samples it.
   *
   * @param selection all kept dimensions
   * @param order their numbers, slowest first
   * @param max samples of each dimension at most when the service samples
   * @param isSampled whether the service samples it in any case
   * @throws WorkerError, UnreadableData
   */
  async slice(
    variable: Variable,
    selection: Selection,
    order: readonly number[],
    max: number,
    signal?: AbortSignal,
    isSampled = false,
  ): Promise<Slice> {
    if (isSampled || (await this.isSampled(variable, selection))) {
      const sampled = selection.map((span) =>
        span.isKept ? sampledRange(span.from, span.length, max) : span,
      );
      const values = await this.#preview(variable, sampled, order, signal);
      return { source: "preview", selection: sampled, values };
    }
    const array = await this.#open(variable);
    const { type, attributes, path } = variable;
    const unpack = unpacking({ type, attributes, isUntyped: true });
    const shape = shapeOf(selection);
    const values = new Float32Array(elementCount(shape));
    const chunkAt = async (place: readonly number[]) => {
      const key = `${path}\n${place.join(".")}`;
      const kept = this.#chunks.get(key);
      if (kept !== undefined) return kept;
      const chunk = await decodedChunk(array, place, signal);
      this.#chunks.set(key, chunk);
      return chunk;
    };
    const counts = selection.map(({ count }) => count);
    const steps = stepsOf(counts, order);
    await readSelection(array, selection, unpack, values, steps, chunkAt, MAX_CONCURRENT);
    return { source: "chunks", selection, values };
  }

  async #preview(
    { path, shape }: Variable,
    selection: Selection,
    order: readonly number[],
    signal: AbortSignal | undefined,
  ): Promise<Float32Array> {
    const index = selection.map(({ from, length, isKept }, d) => {
      if (!isKept) return String(from);
      return length === shape[d] ? ":" : `${from}:${from + length}`;
    });
    const query = new URLSearchParams(index.length === 0 ? {} : { index: index.join(",") });
    const kept = selection.filter(({ isKept }) => isKept);
    const [first, second] = kept;
    if (second !== undefined) query.set("height", String(first?.count));
    const last = second ?? first;
    if (last !== undefined) query.set("width", String(last.count));
    const bytes = await this.#transport.bytes(
      `data-portal/preview/${this.#id}.zarr/${encoded(path)}?${query}`,
      signal,
    );
    if (bytes === undefined) throw new UnreadableData("These data are not there any more.");
    const answer = readNpy(bytes);
    const [one = 0, two] = order;
    if (two === undefined || one < two) return answer.values;
    const [rows = 0, columns = 0] = answer.shape;
    return transposed(answer.values, rows, columns);
  }
}

function transposed(values: Float32Array, rows: number, columns: number): Float32Array {
  const result = new Float32Array(values.length);
  for (let r = 0; r < rows; r++) {
    for (let c = 0; c < columns; c++) result[c * rows + r] = values[r * columns + c] ?? Number.NaN;
  }
  return result;
}

const encoded = (key: string): string => key.split("/").map(encodeURIComponent).join("/");
