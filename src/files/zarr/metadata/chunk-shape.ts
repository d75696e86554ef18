/** Chooses zarr chunk shapes for values that are not chunked in the file. */
import { elementCount } from "../../netcdf/shape.js";

/** Arrays up to this many bytes become one chunk, so that a client needs one request. */
export const SMALL = 1 << 20;
/** Bytes of a chunk of values that are not chunked in the file. */
export const PIECE_BYTES = 2 << 20;

/**
 * The shape of a contiguous block of about `wanted` elements: whole trailing dimensions, a part of one, and length 1 in
 * all before.
 *
 * The part is a divisor of its dimension if a near one exists, so that no block is cut short.
 *
 * @param divisor chooses the part of a dimension of more than `limit` elements
 */
export function blockShape(
  shape: readonly number[],
  wanted: number,
  divisor: (length: number, limit: number) => number = nearDivisor,
): number[] {
  const block = shape.map(() => 1);
  let inner = 1;
  for (let d = shape.length - 1; d >= 0; d--) {
    const length = Math.max(1, shape[d] ?? 1);
    const limit = Math.max(1, Math.floor(wanted / inner));
    block[d] = limit >= length ? length : divisor(length, limit);
    if (limit < length) break;
    inner *= length;
  }
  return block;
}

function nearDivisor(length: number, limit: number): number {
  for (let part = limit; part > limit / 2; part--) if (length % part === 0) return part;
  return limit;
}

/** The largest divisor of a number up to a limit; 1 at least. */
export function largestDivisor(length: number, limit: number): number {
  for (let part = Math.min(length, limit); part > 1; part--) if (length % part === 0) return part;
  return 1;
}

/** Whether the values of a box lie in one piece: of the dimensions along which it is longer than 1, only the first may be cut. */
export function isUnbroken(box: readonly number[], shape: readonly number[]): boolean {
  const first = box.findIndex((length) => length > 1);
  return first < 0 || box.every((length, d) => d <= first || length >= (shape[d] ?? 0));
}

/** Number of records whose pieces add up to about a mebibyte. */
export function recordsPerChunk(shape: readonly number[], size: number): number {
  const bytes = elementCount(shape.slice(1)) * size;
  const count = Math.max(1, Math.round(SMALL / Math.max(1, bytes)));
  return Math.min(count, Math.max(1, shape[0] ?? 1));
}

/** Chunks of this many records along the first dimension; if one record is larger than a piece, of blocks of one record. */
export function recordChunks(shape: readonly number[], size: number, records: number): number[] {
  const inner = shape.slice(1);
  const block = blockShape(inner, Math.floor(PIECE_BYTES / size));
  const isWhole = block.every((length, d) => length === Math.max(1, inner[d] ?? 1));
  return [isWhole ? records : 1, ...block];
}
