/** The headers of pages and the footer of a file (Apache Parquet, parquet.thrift); field numbers are from there. */
import type { ColumnKind, ParquetColumn } from "./column.js";
import { i32, i64, list, struct, type Thrift, text, truth } from "./thrift.js";

export const ENCODING = { plain: 0, rle: 3, dictionary: 8 } as const;
const GZIP = 2;
const PHYSICAL = { flag: 0, integer: 2, moment: 2, number: 5, text: 6 } as const;
const OPTIONAL = 1;
const REQUIRED = 0;
const REPEATED = 2;
/** Converted types, for readers that know no logical ones. */
const CONVERTED = { text: 0, list: 3, moment: 9 } as const;

/** Bytes of a page, before and after it was compressed. */
export interface PageSize {
  readonly raw: number;
  readonly packed: number;
}

/** @param values how many there are, with what is null */
export const dataPageHeader = (size: PageSize, values: number, encoding: number): Buffer =>
  struct([
    [1, i32(0)],
    [2, i32(size.raw)],
    [3, i32(size.packed)],
    [
      5,
      struct([
        [1, i32(values)],
        [2, i32(encoding)],
        [3, i32(ENCODING.rle)],
        [4, i32(ENCODING.rle)],
      ]),
    ],
  ]).bytes;

export const dictionaryPageHeader = (size: PageSize, values: number): Buffer =>
  struct([
    [1, i32(2)],
    [2, i32(size.raw)],
    [3, i32(size.packed)],
    [
      7,
      struct([
        [1, i32(values)],
        [2, i32(ENCODING.plain)],
      ]),
    ],
  ]).bytes;

/** All pages of a column in one row group. */
export interface ColumnChunk {
  readonly encodings: readonly number[];
  /** How many there are, with what is null. */
  readonly values: number;
  /** Bytes with headers. */
  readonly size: PageSize;
  /** Where its first page begins in the file. */
  readonly offset: number;
  /** Bytes of the dictionary's page, which is then the first. */
  readonly dictionary: number | undefined;
}

export interface RowGroup {
  readonly rows: number;
  readonly chunks: readonly ColumnChunk[];
}

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
const MOMENT = struct([
  [1, truth(true)],
  [2, struct([[1, NO_FIELDS]])],
]);

/** What the bytes of a value mean, where that is more than their physical type. */
function meaning(kind: ColumnKind): readonly (readonly [number, Thrift])[] {
  if (kind === "text")
    return [
      [6, i32(CONVERTED.text)],
      [10, struct([[1, NO_FIELDS]])],
    ];
  if (kind === "moment")
    return [
      [6, i32(CONVERTED.moment)],
      [10, struct([[8, MOMENT]])],
    ];
  return [];
}

/** Of a list three levels ("LogicalTypes", Lists): what may be null, what comes again, and what is never null. */
function schema({ name, kind, list: isList }: ParquetColumn): Thrift[] {
  const leaf = (called: string, repetition: number): Thrift =>
    struct([[1, i32(PHYSICAL[kind])], [3, i32(repetition)], [4, text(called)], ...meaning(kind)]);
  if (!isList) return [leaf(name, OPTIONAL)];
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

/** All that stands behind the pages. */
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
