/** The sparse coverage matrix: cell values, shades and transposition. Pure. */
import type { components } from "../../../generated/openapi.js";

export type Coverage = components["schemas"]["Coverage"];

export interface Matrix {
  readonly rowValues: readonly string[];
  readonly columnValues: readonly string[];
  /** Sums over all columns and rows, of the values above; also of columns and rows that are not shown. */
  readonly rowSums: readonly number[];
  readonly columnSums: readonly number[];
  /** The sum of all values. */
  readonly sum: number;
  /** Rows and columns that fit the filters, but are folded away. */
  readonly foldedRows: number;
  readonly foldedColumns: number;
  /** The number of a cell; undefined if it has no files. */
  at(row: number, column: number): number | undefined;
  readonly max: number;
  readonly cellCount: number;
}

interface Shown {
  /** Texts that the values of rows and columns contain. */
  readonly rowFilter: string;
  readonly columnFilter: string;
  /** Whether rare rows and columns are shown as well. */
  readonly isUnfolded: boolean;
}

/** Rows and columns shown unless they are unfolded: those with the largest sums. */
const MAX_ROWS = 60;
const MAX_COLUMNS = 40;

const EVERYTHING: Shown = { rowFilter: "", columnFilter: "", isUnfolded: true };

/** Rows and columns by their sums, the largest first. A million cells take a few megabytes. */
export function matrixOf(coverage: Coverage, shown: Shown = EVERYTHING): Matrix {
  const { row_values: rows, column_values: columns, values } = coverage;
  const numbers = new Map<number, number>();
  const sums = { row: rows.map(() => 0), column: columns.map(() => 0) };
  let [sum, max] = [0, 0];
  for (const [row = 0, column = 0, number = 0] of values) {
    numbers.set(row * columns.length + column, number);
    sums.row[row] = (sums.row[row] ?? 0) + number;
    sums.column[column] = (sums.column[column] ?? 0) + number;
    sum += number;
    if (number > max) max = number;
  }
  const [ownRows, foldedRows] = chosen(rows, sums.row, shown.rowFilter, shown, MAX_ROWS);
  const filter = shown.columnFilter;
  const [ownColumns, foldedColumns] = chosen(columns, sums.column, filter, shown, MAX_COLUMNS);
  return {
    rowValues: ownRows.map((row) => rows[row] ?? ""),
    columnValues: ownColumns.map((column) => columns[column] ?? ""),
    rowSums: ownRows.map((row) => sums.row[row] ?? 0),
    columnSums: ownColumns.map((column) => sums.column[column] ?? 0),
    sum,
    foldedRows,
    foldedColumns,
    at: (row, column) =>
      numbers.get((ownRows[row] ?? 0) * columns.length + (ownColumns[column] ?? 0)),
    max,
    cellCount: values.length,
  };
}

/** Places of the values that are shown, and how many others fit the filter. */
function chosen(
  values: readonly string[],
  sums: readonly number[],
  filter: string,
  { isUnfolded }: Shown,
  max: number,
): readonly [readonly number[], number] {
  const text = filter.trim().toLowerCase();
  const all = [...values.keys()]
    .filter((place) => (values[place] ?? "").toLowerCase().includes(text))
    .sort((a, b) => (sums[b] ?? 0) - (sums[a] ?? 0) || a - b);
  const most = isUnfolded ? all.length : max;
  return [all.slice(0, most), Math.max(0, all.length - most)];
}

/** Shade 0 is for cells whose files do not tell the number. */
export const SHADES = 6;

/** Shade by the logarithm of the number: cells range from 1 file to 100,000. */
export function shadeOf(number: number, max: number): number {
  if (number <= 0 || max <= 0) return 0;
  if (max <= 1) return number >= max ? SHADES : 1;
  return 1 + Math.round(((SHADES - 1) * Math.log1p(number)) / Math.log1p(max));
}
