/** Converts values of files that are packed or typed differently to one type. */

import type { Variable } from "../../netcdf/model.js";
import { cfAttributes, elementsIn, unpacking } from "../slice/unpack.js";

/** The attributes that say how stored values are read (CF, 2.5.1 and 8.1). */
export const PACKING: ReadonlySet<string> = new Set([
  "scale_factor",
  "add_offset",
  "_FillValue",
  "missing_value",
]);

/** Whether a type is one of floating-point numbers. */
export const isFloatType = (dtype: string): boolean => dtype[1] === "f";

/** How values are converted. */
export interface Conversion {
  readonly dtype: string;
  /** Whether values are unpacked, missing ones as NaN. If not, only the byte order is changed. */
  readonly isUnpacked: boolean;
}

/** The values of a variable in another type. @param to `<f4` or `<f8` for unpacked values */
export function converted(
  values: Uint8Array,
  { type, attributes }: Pick<Variable, "type" | "attributes">,
  { dtype: to, isUnpacked }: Conversion,
): Uint8Array {
  if (type.kind !== "plain") return values;
  const { dtype, size } = type;
  if (!isUnpacked) return dtype === to ? values : swapped(values, size);
  const unpack = unpacking({ type: dtype, attributes: cfAttributes(attributes), isUntyped: true });
  const stored = elementsIn(values, dtype);
  const count = values.byteLength / size;
  const result = to === "<f4" ? new Float32Array(count) : new Float64Array(count);
  for (let i = 0; i < count; i++) result[i] = unpack(stored(i));
  return new Uint8Array(result.buffer);
}

/** Values with their bytes in the other order. @param size bytes of a value */
export function swapped(values: Uint8Array, size: number): Uint8Array {
  const result = new Uint8Array(values.length);
  for (let at = 0; at < values.length; at += size) {
    for (let i = 0; i < size; i++) result[at + i] = values[at + size - 1 - i] ?? 0;
  }
  return result;
}
