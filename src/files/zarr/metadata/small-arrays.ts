/**
 * Reads all small arrays of a file at once. A description needs all coordinates, and each may have one chunk per time.
 */
import { chunkGrid, chunkPlace } from "../../netcdf/chunk-table.js";
import { asReadingError, DamagedFile, ReadingError } from "../../netcdf/errors.js";
import { appliedFilters, isNative } from "../../netcdf/render/filters.js";
import { elementCount } from "../../netcdf/shape.js";
import type { Source } from "../../netcdf/source/source.js";
import { renderChunk } from "../body/render.js";
import { type ArrayPlan, decoded } from "./array-plan.js";

/** Values per array, and in total. */
const MAX_VALUES = 1 << 14;
const MAX_VALUES_TOGETHER = 1 << 17;
const MAX_CHUNKS = 512;

/** The plan of an array without codecs. */
export const plain = (plan: ArrayPlan): ArrayPlan => ({ ...plan, ...decoded(plan.chunks) });

/** The arrays that are as small as coordinates. */
export function smallArrays(plans: Iterable<ArrayPlan>): ArrayPlan[] {
  let values = 0;
  const small: ArrayPlan[] = [];
  for (const plan of plans) {
    const { shape, storage, type } = plan.variable;
    const count = elementCount(shape);
    const isSmall =
      type.kind === "plain" &&
      shape.length <= 2 &&
      count > 0 &&
      count <= MAX_VALUES &&
      elementCount(plan.chunks) <= MAX_VALUES &&
      elementCount(chunkGrid(shape, plan.chunks)) <= MAX_CHUNKS;
    // A decoder library may crash the process, which would lose all arrays.
    const isSafe = storage.kind !== "chunked" || isNative(appliedFilters(storage.filters, 0));
    if (!isSmall || !isSafe || values + count > MAX_VALUES_TOGETHER) continue;
    values += count;
    small.push(plain(plan));
  }
  return small;
}

/** Their bytes by path, chunk after chunk. Unreadable arrays are omitted; a request for one of them reports the error. */
export function readArrays(source: Source, plans: readonly ArrayPlan[]): Map<string, Uint8Array> {
  const values = new Map<string, Uint8Array>();
  for (const plan of plans) {
    try {
      const table = source.chunkTable(plan.variable);
      const grid = chunkGrid(plan.variable.shape, plan.chunks);
      const chunks = Array.from({ length: elementCount(grid) }, (_, n) =>
        renderChunk(source, plan, chunkPlace(n, grid), { table, decoder: undefined }),
      );
      values.set(plan.path, Buffer.concat(chunks));
    } catch (error) {
      const isOfArray =
        error instanceof ReadingError || asReadingError(error) instanceof DamagedFile;
      if (!isOfArray) throw error;
    }
  }
  return values;
}
