/** The values of coordinates: how they are asked for, and which of them are values at all. */
import { numbersOf, textOf, type Variable } from "./header.js";

/** Reads variables of a file; missing values that zarr itself knows of are NaN. */
export interface ValueSource {
  /**
   * Hands out all values, piece by piece.
   *
   * @param places at most so many places along the first dimension, both its ends among them
   */
  each(variable: Variable, take: (values: Float64Array) => void, places?: number): Promise<void>;
  /**
   * All values, in the order of the array; of one that lies in very many pieces those at its beginning
   * and those at its end.
   */
  runs(variable: Variable): Promise<readonly Float64Array[]>;
}

/** What netCDF fills with where nobody wrote (netcdf.h), as far as nobody could mean it. */
const UNWRITTEN = new Set([
  9.969209968386869e36,
  -(2 ** 31 - 1),
  2 ** 32 - 1,
  // Those of 64 bits, as near as numbers come to them.
  -(2 ** 63),
  2 ** 64,
]);

const isFloat = ({ type }: Variable): boolean => /^[<>|]?f|^float/.test(type);

/**
 * Missing values become NaN, packed ones are unpacked (CF, 2.5.1 and 8.1).
 *
 * Zero is taken for a value whatever the attributes say: coordinates have no missing values (CF, 2.5.1),
 * but stores of zarr whose fill value nobody chose have 0.
 */
export function unpack(values: Float64Array, variable: Variable): Float64Array {
  const missing = new Set(
    ["_FillValue", "missing_value"].flatMap((name) => numbersOf(variable, name)),
  );
  missing.delete(0);
  // In an attribute of another precision the value reads differently.
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
