/** Shapes of the chunks under which values go out that are not chunked in the file. */
import { elementCount } from "../../netcdf/shape.js";

/** Arrays up to this many bytes go out as one chunk: a client asks once, not once a time step. */
export const SMALL = 1 << 20;

/**
 * The shape of a block that lies in one piece: whole trailing dimensions, a part of one, and one of
 * each before; of about as many elements as wanted.
 *
 * The part divides its dimension where a near divisor does, so that no block is cut short.
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

/** How many of a record's pieces make about a mebibyte. */
export function recordsPerChunk(shape: readonly number[], size: number): number {
  const bytes = elementCount(shape.slice(1)) * size;
  const count = Math.max(1, Math.round(SMALL / Math.max(1, bytes)));
  return Math.min(count, Math.max(1, shape[0] ?? 1));
}
