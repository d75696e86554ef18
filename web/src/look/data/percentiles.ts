/** The values of a field in order. */
import type { Field } from "./types.js";

/**
 * A percentile with linear interpolation, NumPy's default.
 *
 * @param sorted ascending, without NaN
 * @param p 0 to 100
 * @returns NaN if there are no values
 */
export function percentileOf(sorted: Float32Array, p: number): number {
  const at = (Math.min(100, Math.max(0, p)) / 100) * (sorted.length - 1);
  const below = sorted[Math.floor(at)] ?? Number.NaN;
  const above = sorted[Math.ceil(at)] ?? Number.NaN;
  return below === above ? below : below + (above - below) * (at - Math.floor(at));
}

/** A field with values in its places. */
export function withValues(
  places: Omit<Field, "values" | "sorted" | "units" | "minimum" | "maximum">,
  values: Float32Array,
  units: string,
): Field {
  const sorted = values.filter((value) => !Number.isNaN(value)).sort();
  return {
    ...places,
    values,
    sorted,
    units,
    minimum: sorted[0] ?? Number.NaN,
    maximum: sorted.at(-1) ?? Number.NaN,
  };
}
