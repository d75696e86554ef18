/** Reads a slice of an array in a store, decoding one chunk at a time. */
import type { RangeQuery } from "zarrita";
import { asReadingError, FileChanged, ReadingTimeout, TooLarge } from "../../netcdf/errors.js";
import type { ReaderLimits } from "../../netcdf/file-reader.js";
import { joinKey } from "../metadata/keys.js";
import { keptSteps } from "../slice/file-slice.js";
import { makeNpy } from "../slice/npy.js";
import { type Selection, shapeOf } from "../slice/selection.js";
import { unpacking } from "../slice/unpack.js";
import {
  decodedChunk,
  openArray,
  placeOfPart,
  readingError,
  readSelection,
} from "../slice/zarr-array.js";
import type { StoredArrayDocument } from "./array-document.js";
import type { StoreFolder } from "./folder.js";

/** Maximum bytes of a decoded chunk. A stored one may be slightly longer. */
const MAX_BYTES = 128 << 20;

/** The bytes of an NPY file with values of the array at a path. */
export async function readStoreSlice(
  files: StoreFolder,
  path: string,
  array: StoredArrayDocument,
  selection: Selection,
  { time = Number.POSITIVE_INFINITY }: ReaderLimits,
): Promise<Uint8Array> {
  const fits =
    array.shape.length === selection.length &&
    selection.every(({ from, length }, d) => from + length <= (array.shape[d] ?? 0));
  if (!fits) throw new FileChanged("The store was changed.");
  if (array.chunkBytes > MAX_BYTES) {
    throw new TooLarge(
      `A chunk of this variable is larger than the ${MAX_BYTES / 2 ** 20} MiB that are decoded here.`,
    );
  }
  const end = performance.now() + time;
  // File errors are rethrown unchanged, even if zarrita wraps them.
  let failure: unknown;
  const chunk = async (key: string, part?: RangeQuery): Promise<Uint8Array | undefined> => {
    if (performance.now() > end) throw new ReadingTimeout("Reading this takes too long.");
    try {
      return await storedBytes(files, joinKey(path, key), part);
    } catch (error) {
      failure ??= asReadingError(error);
      throw failure;
    }
  };
  const { bytes, values } = makeNpy(shapeOf(selection));
  const { type, attributes } = array;
  const unpack = unpacking({ type, attributes, isUntyped: true });
  try {
    const opened = await openArray({ version: array.version, document: array.document, chunk });
    await readSelection(opened, selection, unpack, values, keptSteps(selection), (place) =>
      decodedChunk(opened, place),
    );
  } catch (error) {
    throw failure ?? readingError(error, "The values");
  }
  return bytes;
}

async function storedBytes(
  files: StoreFolder,
  key: string,
  part: RangeQuery | undefined,
): Promise<Uint8Array | undefined> {
  const found = await files.chunk(key);
  if (found === undefined) return undefined;
  try {
    const { from, count } = placeOfPart(Number(found.stats.size), part);
    if (count > MAX_BYTES + (MAX_BYTES >> 3)) throw new TooLarge("A stored chunk is too large.");
    const bytes = new Uint8Array(count);
    let done = 0;
    while (done < count) {
      const { bytesRead } = await found.handle.read(bytes, done, count - done, from + done);
      if (bytesRead === 0) throw new FileChanged("The store was changed.");
      done += bytesRead;
    }
    return bytes;
  } finally {
    await found.handle.close();
  }
}
