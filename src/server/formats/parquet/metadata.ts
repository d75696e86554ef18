/** The headers of pages and the footer of a file (Apache Parquet, parquet.thrift); field numbers are from there. */
import type { ColumnKind, ParquetColumn } from "./column.js";
import { i32, i64, list, struct, type Thrift, TRUE, text } from "./thrift.js";

export const ENCODING = { plain: 0, rle: 3, dictionary: 8 } as const;
const GZIP = 2;
const PHYSICAL = { flag: 0, integer: 2, timestamp: 2, number: 5, text: 6, bytes: 6 } as const;
const OPTIONAL = 1;
const REQUIRED = 0;
const REPEATED = 2;
/** Converted types, for readers that do not support logical types. */
const CONVERTED = { text: 0, list: 3, timestamp: 9 } as const;

/** Bytes before and after compression. */
interface PageSize {
  readonly raw: number;
  readonly packed: number;
}

/** @param values number of values, nulls included */
export const dataPageHeader = (size: PageSize, values: number, encoding: number): Buffer =>
  // Definition and repetition levels are run-length encoded.
  pageHeader(size, { type: 0, field: 5 }, [values, encoding, ENCODING.rle, ENCODING.rle]);

export const dictionaryPageHeader = (size: PageSize, values: number): Buffer =>
  pageHeader(size, { type: 2, field: 7 }, [values, ENCODING.plain]);

/** @param kind type of the page, and the field of the header that describes it by `numbers` */
function pageHeader(
  size: PageSize,
  kind: { readonly type: number; readonly field: number },
  numbers: readonly number[],
): Buffer {
  const described = struct(numbers.map((number, index) => [index + 1, i32(number)]));
  const fields = [kind.type, size.raw, size.packed].map(
    (number, index) => [index + 1, i32(number)] as const,
  );
  return struct([...fields, [kind.field, described]]).bytes;
}

/** All pages of a column in one row group. */
export interface ColumnChunk {
  readonly encodings: readonly number[];
  /** Number of values, nulls included. */
  readonly values: number;
  /** Headers included. */
  readonly size: PageSize;
  /** Position of the first page in the file, in bytes. */
  readonly offset: number;
  /** Bytes of the dictionary page, which comes first, if there is one. */
  readonly dictionary: number | undefined;
}

export interface RowGroup {
  readonly rows: number;
  readonly chunks: readonly ColumnChunk[];
}

/** Statistics that say that no value is null, which fastparquet does not conclude from the schema. */
const NO_NULLS = struct([[3, i64(0)]]);

const path = ({ name, list }: ParquetColumn): string[] =>
  list ? [name, "list", "element"] : [name];

function chunk(column: ParquetColumn, made: ColumnChunk): Thrift {
  const { encodings, values, size, offset, dictionary } = made;
  const metadata = struct([
    [1, i32(PHYSICAL[column.kind])],
    [2, list(encodings.map(i32))],
    [3, list(path(column).map(text))],
    [4, i32(GZIP)],
    [5, i64(values)],
    [6, i64(size.raw)],
    [7, i64(size.packed)],
    [9, i64(offset + (dictionary ?? 0))],
    [11, dictionary === undefined ? undefined : i64(offset)],
    [12, column.isRequired && NO_NULLS],
  ]);
  return struct([
    [2, i64(offset)],
    [3, metadata],
  ]);
}

function rowGroup(columns: readonly ParquetColumn[], { rows, chunks }: RowGroup): Thrift {
  const sum = (of: (size: PageSize) => number): number =>
    chunks.reduce((total, { size }) => total + of(size), 0);
  const parts = columns.flatMap((column, index) => {
    const made = chunks[index];
    return made === undefined ? [] : [chunk(column, made)];
  });
  return struct([
    [1, list(parts)],
    [2, i64(sum(({ raw }) => raw))],
    [3, i64(rows)],
    [5, i64(chunks[0]?.offset ?? 0)],
    [6, i64(sum(({ packed }) => packed))],
  ]);
}

const NO_FIELDS = struct([]);
const TIMESTAMP = struct([
  [1, TRUE],
  [2, struct([[1, NO_FIELDS]])],
]);

/** The fields of a schema element that say more than the physical type. */
function meaning(kind: ColumnKind): readonly (readonly [number, Thrift])[] {
  if (kind === "text")
    return [
      [6, i32(CONVERTED.text)],
      [10, struct([[1, NO_FIELDS]])],
    ];
  if (kind === "timestamp")
    return [
      [6, i32(CONVERTED.timestamp)],
      [10, struct([[8, TIMESTAMP]])],
    ];
  return [];
}

/** The schema elements of a column. A list has three levels ("LogicalTypes", Lists): optional, repeated, required. */
function schema({ name, kind, list: isList, isRequired }: ParquetColumn): Thrift[] {
  const leaf = (called: string, repetition: number): Thrift =>
    struct([[1, i32(PHYSICAL[kind])], [3, i32(repetition)], [4, text(called)], ...meaning(kind)]);
  if (!isList) return [leaf(name, isRequired ? REQUIRED : OPTIONAL)];
  const outer = struct([
    [3, i32(OPTIONAL)],
    [4, text(name)],
    [5, i32(1)],
    [6, i32(CONVERTED.list)],
    [10, struct([[3, NO_FIELDS]])],
  ]);
  const middle = struct([
    [3, i32(REPEATED)],
    [4, text("list")],
    [5, i32(1)],
  ]);
  return [outer, middle, leaf("element", REQUIRED)];
}

/** The end of a file, after all pages. */
export function footer(columns: readonly ParquetColumn[], groups: readonly RowGroup[]): Buffer {
  const root = struct([
    [4, text("schema")],
    [5, i32(columns.length)],
  ]);
  const { bytes } = struct([
    [1, i32(1)],
    [2, list([root, ...columns.flatMap(schema)])],
    [3, i64(groups.reduce((sum, { rows }) => sum + rows, 0))],
    [4, list(groups.map((group) => rowGroup(columns, group)))],
    [6, text("climate-nextgen")],
  ]);
  const end = Buffer.alloc(8);
  end.writeUInt32LE(bytes.length);
  end.write("PAR1", 4);
  return Buffer.concat([bytes, end]);
}
