/** Reads the values of numeric arrays such as coordinates, from any format. */
import {
  type AsyncReadable,
  type DataType,
  open,
  type RangeQuery,
  registry,
  type Array as ZarrArray,
} from "zarrita";
import type { Variable } from "../cf/header.js";
import type { ValueSource } from "../cf/values.js";
import { chunkGrid } from "../netcdf/chunk-table.js";
import { DamagedFile, NotReadableFormat, ReadingError, TooLarge } from "../netcdf/errors.js";
import { withoutChecksum } from "../netcdf/render/filters.js";
import { type Box, eachRun } from "../netcdf/render/region.js";
import { elementCount } from "../netcdf/shape.js";
import type { Content, Dataset, StoredRange } from "./dataset/dataset.js";
import type { Datasets } from "./dataset/datasets.js";
import { FileDataset } from "./dataset/file-dataset.js";
import { parseDocument } from "./metadata/json-object.js";

registry.set("numcodecs.fletcher32", async () => ({
  fromConfig: () => ({
    kind: "bytes_to_bytes",
    decode: withoutChecksum,
    encode: () => {
      throw new Error("Checksums are not written.");
    },
  }),
}));

/** Chunks of an array that are all read. Of larger arrays only both ends are read, if that is enough. */
const MAX_CHUNKS = 256;
/** Values of an array that are all read; larger arrays as above. */
const MAX_VALUES = 4 << 20;
/** Milliseconds for the coordinates of one data set. */
const MAX_MILLISECONDS = 60_000;
const TOO_MANY = "It has more coordinate values than can be read in time.";
/** Values of a chunk, and of joined pieces. */
const MAX_CHUNK_VALUES = 32 << 20;

/**
 * Reads the arrays of a data set as numbers. The fill value of zarr v2, which stands for `_FillValue`, becomes NaN; 0
 * does not, because it is only the default.
 *
 * @param milliseconds for all arrays together, from now: the number of pieces is unlimited, as unwritten chunks take no
 * space in a file
 * @throws ReadingError
 */
export function coordinateValues(
  datasets: Datasets,
  dataset: Dataset,
  milliseconds = MAX_MILLISECONDS,
): ValueSource {
  const end = performance.now() + milliseconds;
  const opened = async <T>(
    variable: Variable,
    read: (array: NumberArray, grid: readonly number[]) => Promise<T>,
  ): Promise<T> => {
    try {
      const array = await openArray(datasets, dataset, variable);
      return await read(array, chunkGrid(array.shape, array.chunks));
    } catch (error) {
      throw readingError(error, variable);
    }
  };
  return {
    each: (variable, take, places = Number.POSITIVE_INFINITY) =>
      opened(variable, async (array, grid) => {
        for (const place of placesOf(grid, evenly(grid[0] ?? 1, places))) {
          if (performance.now() > end) throw new TooLarge(TOO_MANY);
          const values = await readChunk(array, place);
          take(values, chunkBox(array, place));
        }
      }),
    runs: (variable) =>
      opened(variable, async (array, grid) => {
        const [leading = 1] = grid;
        const isShort = elementCount(grid) <= MAX_CHUNKS && elementCount(array.shape) <= MAX_VALUES;
        const run = (from: number, to: number): Promise<Float64Array> =>
          joined(array, grid, range(from, to));
        if (isShort || leading <= 4) return [await run(0, leading)];
        return [await run(0, 2), await run(leading - 2, leading)];
      }),
  };
}

type NumberArray = ZarrArray<DataType>;

async function openArray(
  datasets: Datasets,
  dataset: Dataset,
  { path }: Variable,
): Promise<NumberArray> {
  const within = (key: string): string => (path === "" ? key.slice(1) : path + key);
  // Rooted at the array, so that zarrita does not interpret its path.
  const store: AsyncReadable = {
    get: (key) =>
      /\.zarray$|zarr\.json$/.test(key)
        ? documentBytes(dataset, within(key))
        : chunkBytes(datasets, dataset, within(key)),
    // Shards hold many chunks.
    getRange: (key, part) => chunkBytes(datasets, dataset, within(key), part),
  };
  return dataset.format === "zarr v3"
    ? await open.v3(store, { kind: "array" })
    : await open.v2(store, { kind: "array", attrs: false });
}

/** A document as standard JSON; without codecs for files, whose chunks arrive decoded. */
async function documentBytes(dataset: Dataset, key: string): Promise<Uint8Array | undefined> {
  const text = await dataset.document(key);
  if (text === undefined) return undefined;
  const document = parseDocument(text);
  const isDecoded = dataset instanceof FileDataset;
  const plain = isDecoded ? { ...document, filters: null, compressor: null } : document;
  return new TextEncoder().encode(JSON.stringify(plain));
}

/** @param part of the chunk; undefined for all of it */
async function chunkBytes(
  datasets: Datasets,
  dataset: Dataset,
  key: string,
  part: RangeQuery = { offset: 0, length: Number.POSITIVE_INFINITY },
): Promise<Uint8Array | undefined> {
  const found =
    dataset instanceof FileDataset
      ? await dataset.decodedChunk(key)
      : bytesOf(await dataset.content(key));
  if (found === undefined) return undefined;
  const { length } = found;
  const from = "offset" in part ? part.offset : Math.max(0, length - part.suffixLength);
  const count = Math.min(length - from, "offset" in part ? part.length : part.suffixLength);
  if (!(found instanceof Uint8Array)) return datasets.read(found, from, count);
  return found.subarray(from, from + count);
}

function bytesOf(content: Content): Uint8Array | StoredRange | undefined {
  if (content.kind === "absent" || content.kind === "unknown-key") return undefined;
  if (content.kind === "range") return content.range;
  return content.kind === "bytes" ? content.data : new TextEncoder().encode(content.text);
}

/** The values of a chunk that lie within the array, in row-major order. */
async function readChunk(array: NumberArray, place: readonly number[]): Promise<Float64Array> {
  const size = elementCount(array.chunks);
  if (size > MAX_CHUNK_VALUES) throw new TooLarge("A chunk of its coordinates is too large.");
  const { data, stride } = await array.getChunk([...place]);
  if (!isNumbers(data)) throw new NotReadableFormat("Its coordinates are no numbers.");
  if (data.length !== size) throw new DamagedFile("A chunk of its coordinates is cut off.");
  return masked(inner(data, stride, chunkBox(array, place).shape), array);
}

/** The part of an array that a chunk holds. */
function chunkBox({ shape, chunks }: NumberArray, place: readonly number[]): Box {
  const start = chunks.map((length, d) => (place[d] ?? 0) * length);
  return {
    start,
    shape: chunks.map((length, d) => Math.min(length, (shape[d] ?? 0) - (start[d] ?? 0))),
  };
}

type Numbers = ArrayLike<number | bigint> & ArrayBufferView;

const isNumbers = (data: unknown): data is Numbers =>
  ArrayBuffer.isView(data) && "length" in data && !(data instanceof DataView);

/** @param inside number of elements along each dimension that belong to the array */
function inner(data: Numbers, stride: readonly number[], inside: readonly number[]): Float64Array {
  const values = new Float64Array(elementCount(inside));
  const position = inside.map(() => 0);
  for (let i = 0; i < values.length; i++) {
    let from = 0;
    for (let d = 0; d < position.length; d++) from += (position[d] ?? 0) * (stride[d] ?? 0);
    values[i] = Number(data[from]);
    for (let d = position.length - 1; d >= 0; d--) {
      position[d] = (position[d] ?? 0) + 1;
      if ((position[d] ?? 0) < (inside[d] ?? 0)) break;
      position[d] = 0;
    }
  }
  return values;
}

function masked(values: Float64Array, { fillValue, dtype }: NumberArray): Float64Array {
  const fill = typeof fillValue === "bigint" ? Number(fillValue) : fillValue;
  if (typeof fill !== "number" || fill === 0 || Number.isNaN(fill)) return values;
  const stored = dtype === "float32" ? Math.fround(fill) : fill;
  return values.map((value) => (value === stored ? Number.NaN : value));
}

/** Joins chunks along the first dimension; the others have one chunk. */
async function joined(
  array: NumberArray,
  grid: readonly number[],
  leading: readonly number[],
): Promise<Float64Array> {
  const first = (leading[0] ?? 0) * (array.chunks[0] ?? 1);
  const end = ((leading.at(-1) ?? 0) + 1) * (array.chunks[0] ?? 1);
  const box = array.shape.map((length, d) => (d === 0 ? Math.min(length, end) - first : length));
  if (elementCount(box) > MAX_CHUNK_VALUES) throw new TooLarge(TOO_MANY);
  const whole: Box = { start: box.map(() => 0), shape: box };
  const values = new Float64Array(elementCount(box));
  for (const place of placesOf(grid, leading)) {
    const start = place.map((index, d) => index * (array.chunks[d] ?? 1) - (d === 0 ? first : 0));
    const shape = start.map((from, d) => Math.min(array.chunks[d] ?? 1, (box[d] ?? 0) - from));
    const piece = await readChunk(array, place);
    const own: Box = { start, shape };
    eachRun(own, own, whole, 1, (from, to, length) =>
      values.set(piece.subarray(from, from + length), to),
    );
  }
  return values;
}

const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from }, (_, i) => from + i);

/** At most `max` evenly spaced numbers from 0 to count - 1, including both. */
function evenly(count: number, max: number): number[] {
  if (count <= max) return range(0, count);
  return [...new Set(range(0, max).map((i) => Math.round((i * (count - 1)) / (max - 1))))];
}

function* placesOf(grid: readonly number[], leading: readonly number[]): Generator<number[]> {
  if (grid.length === 0) {
    yield [];
    return;
  }
  const inner = grid.slice(1);
  const count = elementCount(inner);
  for (const first of leading) {
    for (let n = 0; n < count; n++) {
      let rest = n;
      const place = inner.map(() => 0);
      for (let d = inner.length - 1; d >= 0; d--) {
        place[d] = rest % (inner[d] ?? 1);
        rest = Math.floor(rest / (inner[d] ?? 1));
      }
      yield [first, ...place];
    }
  }
}

function readingError(error: unknown, { path }: Variable): ReadingError {
  if (error instanceof ReadingError) return error;
  const detail = error instanceof Error ? error.message : String(error);
  const isUnknown = error instanceof Error && error.name === "UnknownCodecError";
  return isUnknown
    ? new NotReadableFormat(`The values of ${path} are stored in a way that is not read: ${detail}`)
    : new DamagedFile(`The values of ${path} cannot be read: ${detail}`, { cause: error });
}
