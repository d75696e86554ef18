/** Chooses zarr chunk shapes for values that are not chunked in the file. */
import { elementCount } from "../../netcdf/shape.js";

/** Arrays up to this many bytes become one chunk, so that a client needs one request. */
export const SMALL = 1 << 20;

/**
 * The shape of a contiguous block of about `wanted` elements: whole trailing dimensions, a part of one, and length 1 in
 * all before.
 *
 * The part is a divisor of its dimension if a near one exists, so that no block is cut short.
 */
export function blockShape(shape: readonly number[], wanted: number): number[] {
  const block = shape.map(() => 1);
  let inner = 1;
  for (let d = shape.length - 1; d >= 0; d--) {
    const length = Math.max(1, shape[d] ?? 1);
    const most = Math.max(1, Math.floor(wanted / inner));
    block[d] = most >= length ? length : nearDivisor(length, most);
    if (most < length) break;
    inner *= length;
  }
  return block;
}

function nearDivisor(length: number, most: number): number {
  for (let part = most; part > most / 2; part--) if (length % part === 0) return part;
  return most;
}

/** Number of records whose pieces add up to about a mebibyte. */
export function recordsPerChunk(shape: readonly number[], size: number): number {
  const bytes = elementCount(shape.slice(1)) * size;
  const count = Math.max(1, Math.round(SMALL / Math.max(1, bytes)));
  return Math.min(count, Math.max(1, shape[0] ?? 1));
}
