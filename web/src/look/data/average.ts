/** The mean of a variable over a dimension. */
import type { Axis, Variable } from "./types.js";

/** Decoded bytes of a stored chunk above which the service samples slices, so that their mean is not exact. */
export const MAX_CHUNK = 4 << 20;
/** Limits of the data read for a mean, so that it takes seconds. */
const MAX_BYTES = 96 << 20;
const MAX_CHUNKS = 600;

/** Whether a mean over a dimension reads few enough chunks. @param indexed dimensions of which one index is read */
export function canAverage(
  { shape, chunks, chunkBytes, dimensions }: Variable,
  dimension: string,
  indexed: readonly string[],
): boolean {
  const over = dimensions.indexOf(dimension);
  if (over < 0 || (shape[over] ?? 0) < 2 || chunkBytes > MAX_CHUNK) return false;
  const count = shape.reduce((product, length, d) => {
    const isOne = dimensions[d] !== dimension && indexed.includes(dimensions[d] ?? "");
    return product * (isOne ? 1 : Math.ceil(length / (chunks[d] || 1)));
  }, 1);
  return count <= MAX_CHUNKS && count * chunkBytes <= MAX_BYTES;
}

/** Adds up slices in double precision; missing values do not count. */
export class Mean {
  readonly #sums: Float64Array;
  readonly #counts: Uint32Array;

  constructor(length: number) {
    this.#sums = new Float64Array(length);
    this.#counts = new Uint32Array(length);
  }

  add(values: Float32Array): void {
    for (let i = 0; i < values.length; i++) {
      const value = values[i] ?? Number.NaN;
      if (Number.isNaN(value)) continue;
      this.#sums[i] = (this.#sums[i] ?? 0) + value;
      this.#counts[i] = (this.#counts[i] ?? 0) + 1;
    }
  }

  /** NaN where no slice has a value, as xarray's `mean`. */
  values(): Float32Array {
    return Float32Array.from(this.#sums, (sum, i) => sum / (this.#counts[i] || Number.NaN));
  }
}

/** The axis that a mean over time goes along. */
export const timeAxisOf = (axes: readonly Axis[]): Axis | undefined =>
  axes.find(({ kind, length }) => kind === "time" && length > 1);
