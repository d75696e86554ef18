import type { ElementType } from "../model.js";
import { encodeNumber } from "../numbers.js";

/** Default values of netCDF for unwritten elements (netcdf.h, NC_FILL_*), by zarr type. */
const DEFAULTS: Readonly<Record<string, number | bigint>> = {
  i1: -127,
  u1: 255,
  i2: -32767,
  u2: 65535,
  i4: -2147483647,
  u4: 4294967295,
  i8: -9223372036854775806n,
  u8: 18446744073709551614n,
  f4: 9.969209968386869e36,
  f8: 9.969209968386869e36,
};

/** The default fill value in the bytes of a type; undefined if it is zero. */
export function defaultFill(type: ElementType): Uint8Array | undefined {
  if (type.kind !== "plain") return undefined;
  const value = DEFAULTS[type.dtype.slice(1)];
  return value === undefined ? undefined : encodeNumber(type.dtype, value);
}
