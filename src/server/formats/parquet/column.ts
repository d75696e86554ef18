/** The columns of a Parquet file: their kinds, and their values in the encoding PLAIN (Apache Parquet, "Encodings"). */
import type { Cell } from "../csv.js";

/** `bytes` is any; `timestamp` is ISO 8601 text, stored as milliseconds in UTC; `integer` is a safe integer, `number` a double. */
export type ColumnKind = "text" | "bytes" | "integer" | "timestamp" | "number" | "flag";

export interface ParquetColumn {
  readonly name: string;
  readonly kind: ColumnKind;
  /** Whether a cell is a list of texts. */
  readonly list: boolean;
  /** Set if no cell is null: fastparquet reads integers that may be null as floating-point numbers. */
  readonly isRequired?: true;
}

/** A cell of a row. */
export type ParquetCell = Cell | Uint8Array;

/** A value as it is encoded. */
export type Value = string | Uint8Array | number | boolean;

/** The value of a cell in a column without lists; undefined, which is null in the file, if it is not of the kind. */
export function valueIn(kind: ColumnKind, cell: ParquetCell): Value | undefined {
  if (kind === "text") return typeof cell === "string" ? cell : undefined;
  if (kind === "bytes") return cell instanceof Uint8Array ? cell : undefined;
  if (kind === "flag") return typeof cell === "boolean" ? cell : undefined;
  const number = kind === "timestamp" ? milliseconds(cell) : cell;
  if (typeof number !== "number") return undefined;
  return (kind === "number" ? Number.isFinite(number) : Number.isSafeInteger(number))
    ? number
    : undefined;
}

/** `Date.parse` accepts a signed year with six digits only. */
const SIGNED_YEAR = /^([+-])(\d{4,5})(?=-)/;

const milliseconds = (cell: ParquetCell): number | undefined =>
  typeof cell === "string"
    ? Date.parse(cell.replace(SIGNED_YEAR, (_, sign, year) => sign + year.padStart(6, "0")))
    : undefined;

/** Values of one kind in the encoding PLAIN. */
export function plain(kind: ColumnKind, values: readonly Value[]): Buffer {
  if (kind === "text" || kind === "bytes") return blobs(values as readonly (string | Uint8Array)[]);
  if (kind === "flag") return flags(values as readonly boolean[]);
  return numbers(kind, values as readonly number[]);
}

/** Each text or bytes preceded by the length. Half of a surrogate pair becomes U+FFFD. */
function blobs(values: readonly (string | Uint8Array)[]): Buffer {
  const lengths = values.map((value) => Buffer.byteLength(value));
  const out = Buffer.allocUnsafe(lengths.reduce((sum, length) => sum + 4 + length, 0));
  let at = 0;
  values.forEach((value, index) => {
    at = out.writeUInt32LE(lengths[index] ?? 0, at);
    if (typeof value === "string") out.write(value, at);
    else out.set(value, at);
    at += lengths[index] ?? 0;
  });
  return out;
}

/** One bit for each flag, the lowest bit of a byte first. */
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
