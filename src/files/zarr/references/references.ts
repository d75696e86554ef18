import { TimeSlice } from "../../../platform/concurrency/time-slices.js";
import { FileChanged } from "../../netcdf/errors.js";
import { elementCount } from "../../netcdf/shape.js";
import type { StoredRange } from "../dataset/dataset.js";
import type { ReadingClient } from "../worker/client.js";
import { chunkKey, type ReferencedArray, type ReferencePlan } from "./plan.js";

/** A range of a file, the bytes of a chunk, or undefined for a chunk that was never written. */
export type Reference = StoredRange | Uint8Array | undefined;

/** The references of an array, in the row-major order of its chunks, in batches. */
export async function* referencesOf(
  { dataset }: ReferencePlan,
  array: ReferencedArray,
  client: ReadingClient | undefined,
  batchSize = 1000,
): AsyncGenerator<Reference[], void, undefined> {
  const count = elementCount(array.grid);
  const slice = new TimeSlice();
  let batch: Reference[] = [];
  for (let number = 0; number < count; number++) {
    batch.push(array.inlined.get(number) ?? (await rangeOf(dataset, array, number, client)));
    if (batch.length === batchSize) {
      yield batch;
      batch = [];
    }
    if (slice.isOver) await slice.next();
  }
  if (batch.length > 0) yield batch;
}

async function rangeOf(
  dataset: ReferencePlan["dataset"],
  array: ReferencedArray,
  number: number,
  client: ReadingClient | undefined,
): Promise<StoredRange | undefined> {
  const place = await dataset.locate(chunkKey(array, number), client);
  if (place === "unwritten") return undefined;
  if (place === undefined || place === "decoded") {
    throw new FileChanged("The file was changed while its references were made.");
  }
  return place;
}
