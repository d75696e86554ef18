/** Reads and writes numbers of a type such as `<f4`: NumPy's notation of byte order, kind, and size in bytes. */

/** The number in the bytes of one element; 64-bit integers exactly, as bigint. */
export function decodeNumber(dtype: string, bytes: Uint8Array): number | bigint {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return readNumber(view, 0, dtype.slice(1), !dtype.startsWith(">"));
}

/** @param kind without the byte order, such as `f4`; unknown kinds are read as a byte */
export function readNumber(
  view: DataView,
  at: number,
  kind: string,
  little: boolean,
): number | bigint {
  switch (kind) {
    case "f8":
      return view.getFloat64(at, little);
    case "f4":
      return view.getFloat32(at, little);
    case "f2":
      return halfPrecision(view.getUint16(at, little));
    case "i8":
      return view.getBigInt64(at, little);
    case "u8":
      return view.getBigUint64(at, little);
    case "i4":
      return view.getInt32(at, little);
    case "u4":
      return view.getUint32(at, little);
    case "i2":
      return view.getInt16(at, little);
    case "u2":
      return view.getUint16(at, little);
    case "i1":
      return view.getInt8(at);
    default:
      return view.getUint8(at);
  }
}

/** Decodes IEEE 754 binary16, which DataView cannot read on Node 20. */
function halfPrecision(bits: number): number {
  const sign = (bits & 0x8000) !== 0 ? -1 : 1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 31) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

/** A number in the bytes of a type; undefined for other types, and for integers out of range. */
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

/**
 * The type that the values of an integer type are of by the attribute `_Unsigned` (NetCDF Users Guide, "Attribute Conventions"):
 * the one of the same size with the other sign, or the same.
 */
export function typeBySign(dtype: string, unsigned: unknown): string {
  const [order = "", kind = ""] = dtype;
  if (kind === "i" && unsigned === "true") return `${order}u${dtype.slice(2)}`;
  return kind === "u" && unsigned === "false" ? `${order}i${dtype.slice(2)}` : dtype;
}

/**
 * The bytes of a fill value; undefined if it would be read back as another value. Files give it as a value of the type, or of
 * the type by the attribute `_Unsigned`.
 */
export function encodeFillNumber(
  dtype: string,
  value: number | bigint,
  unsigned: unknown,
): Uint8Array | undefined {
  const bytes = encodeNumber(dtype, value);
  const isValue = (type: string): boolean =>
    bytes !== undefined && Object.is(Number(decodeNumber(type, bytes)), Number(value));
  return isValue(dtype) || isValue(typeBySign(dtype, unsigned)) ? bytes : undefined;
}

const BASE64_DOUBLE = /^[A-Za-z0-9+/]{11}=$/;

/** The double in a `_FillValue` of zarr v3, as xarray writes it for floats; undefined if it is none. */
export function doubleIn(base64: string): number | undefined {
  if (!BASE64_DOUBLE.test(base64)) return undefined;
  const bytes = Uint8Array.from(atob(base64), (one) => one.charCodeAt(0));
  return new DataView(bytes.buffer).getFloat64(0, true);
}
