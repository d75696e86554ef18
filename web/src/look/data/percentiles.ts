/** A field with its percentiles. */
import type { Field, FieldData } from "./types.js";

/**
 * Percentiles with linear interpolation, NumPy's default.
 *
 * @param sorted ascending, without NaN
 * @param p 0 to 100
 * @returns NaN if there are no values
 */
export function percentilesOf(sorted: Float32Array, p: readonly number[]): number[] {
  return p.map((each) => {
    const at = (Math.min(100, Math.max(0, each)) / 100) * (sorted.length - 1);
    const below = sorted[Math.floor(at)] ?? Number.NaN;
    const above = sorted[Math.ceil(at)] ?? Number.NaN;
    return below === above ? below : below + (above - below) * (at - Math.floor(at));
  });
}

export const withPercentiles = (data: FieldData): Field => ({
  ...data,
  percentiles: (p) => percentilesOf(data.sorted, p),
});

/** A field with other values in the same places. */
export function withValues(field: FieldData, values: Float32Array, units: string): Field {
  const sorted = values.filter((value) => !Number.isNaN(value)).sort();
  return withPercentiles({
    ...field,
    values,
    sorted,
    units,
    minimum: sorted[0] ?? Number.NaN,
    maximum: sorted.at(-1) ?? Number.NaN,
  });
}
