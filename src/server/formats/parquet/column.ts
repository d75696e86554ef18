/** The columns of a Parquet file: their kinds, and their values in the encoding PLAIN (Apache Parquet, "Encodings"). */
import type { Cell } from "../cell.js";

/** `moment` is a text in ISO 8601 that becomes milliseconds in UTC, `integer` is safe, `number` a double. */
export type ColumnKind = "text" | "integer" | "moment" | "number" | "flag";

export interface ParquetColumn {
  readonly name: string;
  readonly kind: ColumnKind;
  /** Has lists of values, or none; else one value, or none. Lists are of texts. */
  readonly list: boolean;
}

/** A value as it is encoded. */
export type Value = string | number | boolean;

/** A cell of a column that is none of lists; undefined where it cannot be of its kind, which is null as well. */
export function valueIn(kind: ColumnKind, cell: Cell): Value | undefined {
  if (kind === "text") return typeof cell === "string" ? cell : undefined;
  if (kind === "flag") return typeof cell === "boolean" ? cell : undefined;
  const number = kind === "moment" ? milliseconds(cell) : cell;
  if (typeof number !== "number") return undefined;
  return (kind === "number" ? Number.isFinite(number) : Number.isSafeInteger(number))
    ? number
    : undefined;
}

/** JavaScript wants six digits of a year that has a sign. */
const SIGNED_YEAR = /^([+-])(\d{4,5})(?=-)/;

const milliseconds = (cell: Cell): number | undefined =>
  typeof cell === "string"
    ? Date.parse(cell.replace(SIGNED_YEAR, (_, sign, year) => sign + year.padStart(6, "0")))
    : undefined;

/** Values of one kind, one after the other. */
export function plain(kind: ColumnKind, values: readonly Value[]): Buffer {
  if (kind === "text") return texts(values as readonly string[]);
  if (kind === "flag") return flags(values as readonly boolean[]);
  return numbers(kind, values as readonly number[]);
}

/** Each with its length before it; half of a surrogate pair becomes U+FFFD. */
function texts(values: readonly string[]): Buffer {
  const lengths = values.map((value) => Buffer.byteLength(value));
  const out = Buffer.allocUnsafe(lengths.reduce((sum, length) => sum + 4 + length, 0));
  let at = 0;
  values.forEach((value, index) => {
    at = out.writeUInt32LE(lengths[index] ?? 0, at);
    at += out.write(value, at);
  });
  return out;
}

/** A bit for each, the lowest of a byte first. */
function flags(values: readonly boolean[]): Buffer {
  const out = Buffer.alloc(Math.ceil(values.length / 8));
  values.forEach((value, index) => {
    if (value) out[index >>> 3] = (out[index >>> 3] ?? 0) | (1 << (index % 8));
  });
  return out;
}

function numbers(kind: ColumnKind, values: readonly number[]): Buffer {
  const out = Buffer.allocUnsafe(values.length * 8);
  values.forEach((value, index) => {
    if (kind === "number") {
      out.writeDoubleLE(value, index * 8);
      return;
    }
    const high = Math.floor(value / 2 ** 32);
    out.writeUInt32LE(value - high * 2 ** 32, index * 8);
    out.writeInt32LE(high, index * 8 + 4);
  });
  return out;
}
