/** Reads the values of numeric arrays such as coordinates, from any format. */
import type { RangeQuery } from "zarrita";
import type { Variable } from "../cf/header.js";
import type { ValueSource } from "../cf/values.js";
import { chunkGrid, chunkPlace } from "../netcdf/chunk-table.js";
import { TooLarge } from "../netcdf/errors.js";
import type { Box } from "../netcdf/render/region.js";
import { elementCount } from "../netcdf/shape.js";
import type { Content, Dataset, StoredRange } from "./dataset/dataset.js";
import type { Datasets } from "./dataset/datasets.js";
import { FileDataset } from "./dataset/file-dataset.js";
import { parseDocument } from "./metadata/json-object.js";
import { joinKey } from "./metadata/keys.js";
import { stepsOf } from "./slice/gather.js";
import { sampledRange } from "./slice/selection.js";
import type { Unpack } from "./slice/unpack.js";
import {
  decodedChunk,
  type NumberArray,
  openArray,
  placeOfPart,
  readingError,
  readSelection,
} from "./slice/zarr-array.js";

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
 */
export function coordinateValues(
  datasets: Datasets,
  dataset: Dataset,
  milliseconds = MAX_MILLISECONDS,
): ValueSource {
  const end = performance.now() + milliseconds;
  const opened = async <T>(
    { path }: Variable,
    read: (array: NumberArray, grid: readonly number[]) => Promise<T>,
  ): Promise<T> => {
    try {
      const array = await openPath(datasets, dataset, path);
      if (elementCount(array.chunks) > MAX_CHUNK_VALUES) {
        throw new TooLarge("A chunk of its coordinates is too large.");
      }
      return await read(array, chunkGrid(array.shape, array.chunks));
    } catch (error) {
      throw readingError(error, `The values of ${path}`);
    }
  };
  return {
    each: (variable, take, places = Number.POSITIVE_INFINITY) =>
      opened(variable, async (array, grid) => {
        const inner = grid.slice(1);
        for (const first of evenly(grid[0] ?? 1, places)) {
          for (let n = 0; n < elementCount(inner); n++) {
            if (performance.now() > end) throw new TooLarge(TOO_MANY);
            const box = chunkBox(array, [first, ...chunkPlace(n, inner)]);
            take(await readBox(array, box), box);
          }
        }
      }),
    runs: (variable) =>
      opened(variable, async (array, grid) => {
        const [leading = 1] = grid;
        const isShort = elementCount(grid) <= MAX_CHUNKS && elementCount(array.shape) <= MAX_VALUES;
        // Chunks along the first dimension; the others are read completely.
        const run = (from: number, to: number): Promise<Float64Array> => {
          const [length = 1] = array.chunks;
          const [start, stop] = [from * length, Math.min(to * length, array.shape[0] ?? 1)];
          return readBox(array, {
            start: array.shape.map((_, d) => (d === 0 ? start : 0)),
            shape: array.shape.map((all, d) => (d === 0 ? stop - start : all)),
          });
        };
        if (isShort || leading <= 4) return [await run(0, leading)];
        return [await run(0, 2), await run(leading - 2, leading)];
      }),
  };
}

async function openPath(datasets: Datasets, dataset: Dataset, path: string): Promise<NumberArray> {
  const version = dataset.format === "zarr v3" ? 3 : 2;
  const text = await dataset.document(joinKey(path, version === 3 ? "zarr.json" : ".zarray"));
  const document = parseDocument(text ?? "{}");
  // The chunks of files arrive decoded.
  const plain = { ...document, filters: null, compressor: null };
  return openArray({
    version,
    document: dataset instanceof FileDataset ? plain : document,
    chunk: (key, part) => chunkBytes(datasets, dataset, joinKey(path, key), part),
  });
}

async function chunkBytes(
  datasets: Datasets,
  dataset: Dataset,
  key: string,
  part: RangeQuery | undefined,
): Promise<Uint8Array | undefined> {
  const found =
    dataset instanceof FileDataset
      ? await dataset.decodedChunk(key)
      : bytesOf(await dataset.content(key));
  if (found === undefined) return undefined;
  const { from, count } = placeOfPart(found.length, part);
  if (!(found instanceof Uint8Array)) return datasets.read(found, from, count);
  return found.subarray(from, from + count);
}

function bytesOf(content: Content): Uint8Array | StoredRange | undefined {
  if (content.kind === "absent" || content.kind === "unknown-key") return undefined;
  if (content.kind === "range") return content.range;
  return content.kind === "bytes" ? content.data : new TextEncoder().encode(content.text);
}

function chunkBox({ shape, chunks }: NumberArray, place: readonly number[]): Box {
  const start = chunks.map((length, d) => (place[d] ?? 0) * length);
  return {
    start,
    shape: chunks.map((length, d) => Math.min(length, (shape[d] ?? 0) - (start[d] ?? 0))),
  };
}

/** The values of a box, in row-major order. */
async function readBox(array: NumberArray, { start, shape }: Box): Promise<Float64Array> {
  if (elementCount(shape) > MAX_CHUNK_VALUES) throw new TooLarge(TOO_MANY);
  const values = new Float64Array(elementCount(shape));
  const selection = start.map((from, d) => sampledRange(from, shape[d] ?? 0));
  await readSelection(array, selection, masking(array), values, stepsOf(shape), (place) =>
    decodedChunk(array, place),
  );
  return values;
}

function masking({ fillValue, dtype }: NumberArray): Unpack {
  const fill = typeof fillValue === "bigint" ? Number(fillValue) : fillValue;
  if (typeof fill !== "number" || fill === 0 || Number.isNaN(fill)) return Number;
  const missing = dtype === "float32" ? Math.fround(fill) : fill;
  return (stored) => (Number(stored) === missing ? Number.NaN : Number(stored));
}

/** At most `max` evenly spaced numbers from 0 to count - 1, including both. */
function evenly(count: number, max: number): number[] {
  const indexes = Array.from({ length: Math.min(count, max) }, (_, i) => i);
  if (count <= max) return indexes;
  return [...new Set(indexes.map((i) => Math.round((i * (count - 1)) / (max - 1))))];
}
