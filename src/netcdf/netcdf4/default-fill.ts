import type { ElementType } from "../model.js";

/** Values that netCDF gives where nothing was written (netcdf.h, NC_FILL_*), by zarr type. */
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

/** The default fill value in the bytes of a type; undefined where zeros are it. */
export function defaultFill(type: ElementType): Uint8Array | undefined {
  if (type.kind !== "plain") return undefined;
  const value = DEFAULTS[type.dtype.slice(1)];
  return value === undefined ? undefined : encodeNumber(type.dtype, value);
}

/** A number in the bytes of a zarr type such as `<f4`; undefined for types that are no numbers. */
export function encodeNumber(dtype: string, value: number | bigint): Uint8Array | undefined {
  const little = !dtype.startsWith(">");
  const kind = dtype.slice(1);
  const bytes = new Uint8Array(Number(dtype.slice(2)));
  const view = new DataView(bytes.buffer);
  if (kind === "f8") view.setFloat64(0, Number(value), little);
  else if (kind === "f4") view.setFloat32(0, Number(value), little);
  else if (/^[iu][1248]$/.test(kind) && isWhole(value)) {
    let rest = BigInt.asUintN(64, BigInt(value));
    for (let i = 0; i < bytes.length; i++) {
      bytes[little ? i : bytes.length - 1 - i] = Number(rest & 0xffn);
      rest >>= 8n;
    }
  } else return undefined;
  return bytes;
}

function isWhole(value: number | bigint): boolean {
  return typeof value === "bigint" || Number.isSafeInteger(value);
}
