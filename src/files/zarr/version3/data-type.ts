/**
 * Maps the data types and fill values of zarr v2 to those of v3.
 *
 * Sources: zarr v3 core specification, "Data types" and "Fill value"; zarr-extensions, "data-types" (names of types
 * beyond the core, as zarr-python 3 has them).
 */
import { decodeNumber, encodeFillNumber, encodeNumber, typeBySign } from "../../netcdf/numbers.js";

export interface DataType {
  /** `data_type` as JSON text. */
  readonly name: string;
  readonly kind: "bool" | "integer" | "float" | "complex" | "bytes" | "text" | "time";
  /** Byte order; undefined if an element has none. */
  readonly endian: "little" | "big" | undefined;
  /** Bytes of an element; undefined if it varies. */
  readonly size: number | undefined;
}

const NUMBERS: Readonly<Record<string, readonly [string, DataType["kind"]]>> = {
  b1: ["bool", "bool"],
  i1: ["int8", "integer"],
  i2: ["int16", "integer"],
  i4: ["int32", "integer"],
  i8: ["int64", "integer"],
  u1: ["uint8", "integer"],
  u2: ["uint16", "integer"],
  u4: ["uint32", "integer"],
  u8: ["uint64", "integer"],
  f2: ["float16", "float"],
  f4: ["float32", "float"],
  f8: ["float64", "float"],
  c8: ["complex64", "complex"],
  c16: ["complex128", "complex"],
};

const TIMES: Readonly<Record<string, string>> = {
  M8: "numpy.datetime64",
  m8: "numpy.timedelta64",
};

/** Types of fixed length, with the bytes of one unit of their length. */
const FIXED: Readonly<Record<string, readonly [string, DataType["kind"], number]>> = {
  S: ["null_terminated_bytes", "bytes", 1],
  U: ["fixed_length_utf32", "text", 4],
  V: ["raw_bytes", "bytes", 1],
};

const extended = (name: string, configuration: object): string =>
  JSON.stringify({ name, configuration });

/**
 * The type of v3 for `dtype` of v2; undefined if v3 has none. Objects (`|O`) have a type by their codec only.
 *
 * @param dtype a text, or a list of fields
 */
export function dataType(dtype: unknown): DataType | undefined {
  if (Array.isArray(dtype)) return structure(dtype);
  const [, order = "", code = "", unit] =
    /^([<>|])([a-zA-Z]\d+)(?:\[(\w+)\])?$/.exec(String(dtype)) ?? [];
  const endian = order === ">" ? "big" : "little";
  const number = Object.hasOwn(NUMBERS, code) ? NUMBERS[code] : undefined;
  if (number !== undefined) {
    const [name, kind] = number;
    const size = Number(code.slice(1));
    return { name: JSON.stringify(name), kind, size, endian: size === 1 ? undefined : endian };
  }
  const time = Object.hasOwn(TIMES, code) ? TIMES[code] : undefined;
  if (time !== undefined) {
    // A unit may be counted in steps, as in `25s`.
    const [, steps = "", word = ""] = /^(\d*)([a-zA-Z]+)$/.exec(unit ?? "generic") ?? [];
    const name = extended(time, { unit: word, scale_factor: Number(steps || 1) });
    return { name, kind: "time", size: 8, endian };
  }
  const fixed = Object.hasOwn(FIXED, code.charAt(0)) ? FIXED[code.charAt(0)] : undefined;
  const length = Number(code.slice(1));
  if (fixed === undefined || length === 0) return undefined;
  const [name, kind, unitBytes] = fixed;
  const size = length * unitBytes;
  const order3 = name === "fixed_length_utf32" ? endian : undefined;
  return { name: extended(name, { length_bytes: size }), kind, size, endian: order3 };
}

/** A structure is little-endian: zarr-python 3 reads the numbers of any other in the wrong order, whatever its codec says. */
function structure(fields: readonly unknown[]): DataType | undefined {
  const named: string[] = [];
  let size = 0;
  for (const field of fields) {
    const [name, dtype, ...more] = Array.isArray(field) ? (field as unknown[]) : [];
    const type = typeof name === "string" && more.length === 0 ? dataType(dtype) : undefined;
    if (type?.size === undefined || type.endian === "big") return undefined;
    size += type.size;
    named.push(`[${JSON.stringify(name)},${type.name}]`);
  }
  if (named.length === 0) return undefined;
  const name = `{"name":"structured","configuration":{"fields":[${named.join(",")}]}}`;
  return { name, kind: "bytes", size, endian: "little" };
}

/**
 * `fill_value` of v3, as JSON text. v3 has no null: arrays without a fill value get one that no client takes for data,
 * NaN, or zero if the type has no NaN. Their unwritten chunks are sent, so it never becomes a value.
 *
 * @param text of `fill_value` in `.zarray`
 */
export function fillValue(text: string, { kind, size = 0 }: DataType): string {
  if (/^-?(NaN|Infinity|1e999)$/.test(text)) {
    return JSON.stringify(text.replace("1e999", "Infinity"));
  }
  // zarr-python 2 writes 0 where it has no value of the type.
  const isNoNumber = (kind === "bytes" || kind === "text") && /^-?\d/.test(text);
  return text === "null" || isNoNumber ? none(kind, size) : text;
}

function none(kind: DataType["kind"], size: number): string {
  switch (kind) {
    case "bool":
      return "false";
    case "float":
      return '"NaN"';
    case "complex":
      return '["NaN","NaN"]';
    case "bytes":
      return JSON.stringify(Buffer.alloc(size).toString("base64"));
    case "text":
      return '""';
    default:
      return "0";
  }
}

/** A fill value of v3, as JSON texts. */
export interface FillTexts {
  /** For `fill_value`. */
  readonly value: string;
  /** For the attribute `_FillValue`. */
  readonly attribute: string;
}

/**
 * A fill value as v3 has it; undefined if xarray has no form for the type, or the value is none of the type.
 *
 * @param dtype of v2
 * @param text the value as JSON
 * @param unsigned the attribute `_Unsigned`
 */
export function fillTexts(
  text: string,
  type: DataType,
  dtype: string,
  unsigned: unknown,
): FillTexts | undefined {
  if (type.kind === "integer") return integer(text, dtype, unsigned);
  const attribute = encoded(text, type, dtype);
  return attribute === undefined ? undefined : { value: fillValue(text, type), attribute };
}

/** An integer. Files also have it as a floating-point number, which xarray compares with the integers. */
function integer(text: string, dtype: string, unsigned: unknown): FillTexts | undefined {
  const number = numberOf(text);
  if (number === undefined || !Number.isInteger(number)) return undefined;
  const value = BigInt(/^-?\d{1,20}$/.test(text) ? text : number);
  const bytes = encodeFillNumber(dtype, value, unsigned);
  if (bytes === undefined) return undefined;
  // xarray raises OverflowError if the attribute exceeds the signed type.
  const attributeType = dtype[1] === "u" ? typeBySign(dtype, unsigned) : dtype;
  const as = (one: string): string => String(decodeNumber(one, bytes));
  return { value: as(dtype), attribute: as(attributeType) };
}

/** The attribute `_FillValue` as xarray has it in v3: the double of a floating-point number in base64. */
function encoded(text: string, { kind }: DataType, dtype: string): string | undefined {
  if (kind === "bool") return text === "true" || text === "false" ? text : undefined;
  if (kind === "float") return doubleText(text, dtype);
  if (kind !== "complex") return undefined;
  const parts = /^\[\s*([^,\s]+)\s*,\s*([^,\s]+)\s*\]$/.exec(text)?.slice(1) ?? [];
  const [real, imaginary] = parts.map((part) => doubleText(part, ""));
  return real && imaginary && `[${real},${imaginary}]`;
}

/** The double of a number in base64, little-endian, rounded to the type. */
function doubleText(text: string, dtype: string): string | undefined {
  const value = numberOf(text);
  if (value === undefined) return undefined;
  const bytes = encodeNumber(dtype, value);
  const double = Buffer.alloc(8);
  double.writeDoubleLE(Number(bytes === undefined ? value : decodeNumber(dtype, bytes)));
  return JSON.stringify(double.toString("base64"));
}

/** A number as zarr v2 or Python writes it, which may be a word; undefined if it is none. */
function numberOf(text: string): number | undefined {
  const word = text.startsWith('"') ? text.slice(1, -1) : text;
  if (/^-?(Infinity|1e999)$/.test(word)) {
    return word.startsWith("-") ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  }
  if (word === "NaN") return Number.NaN;
  return /^-?\d/.test(text) ? Number(text) : undefined;
}
