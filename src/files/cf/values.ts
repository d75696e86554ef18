/** Reads and unpacks the values of coordinates. */
import type { Box } from "../netcdf/render/region.js";
import { numbersOf, textOf, type Variable } from "./header.js";

/** Reads variables of a file; missing values that zarr recognises are NaN. */
export interface ValueSource {
  /**
   * Calls `take` with all values, piece by piece, and with each piece's place in the array.
   *
   * @param places at most this many indexes along the first dimension, including both ends
   */
  each(
    variable: Variable,
    take: (values: Float64Array, box: Box) => void,
    places?: number,
  ): Promise<void>;
  /** All values in order; for an array in very many pieces, only those at its start and at its end. */
  runs(variable: Variable): Promise<readonly Float64Array[]>;
}

/** Default fill values of netCDF (netcdf.h) that cannot be meant as values. */
const UNWRITTEN = new Set([
  9.969209968386869e36,
  -(2 ** 31 - 1),
  2 ** 32 - 1,
  // The 64-bit defaults, rounded to doubles.
  -(2 ** 63),
  2 ** 64,
]);

const isFloat = ({ type }: Variable): boolean => /^[<>|]?f|^float/.test(type);

/**
 * Replaces missing values by NaN and unpacks packed ones (CF, 2.5.1 and 8.1).
 *
 * Zero always counts as a value: coordinates have no missing values (CF, 2.5.1), but zarr stores have 0 as the default fill value.
 */
export function unpack(values: Float64Array, variable: Variable): Float64Array {
  const missing = new Set(
    ["_FillValue", "missing_value"].flatMap((name) => numbersOf(variable, name)),
  );
  missing.delete(0);
  // The attribute may have another precision than the variable.
  if (isFloat(variable)) for (const one of [...missing]) missing.add(Math.fround(one));
  const [factor = 1] = numbersOf(variable, "scale_factor");
  const [offset = 0] = numbersOf(variable, "add_offset");
  return values.map((value) =>
    missing.has(value) || UNWRITTEN.has(value) ? Number.NaN : value * factor + offset,
  );
}

/** The factor that turns a coordinate's values into degrees. */
export const degreesOf = (variable: Variable): number =>
  /^rad/i.test(textOf(variable, "units")) ? 180 / Math.PI : 1;
