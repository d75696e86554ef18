/** The sparse coverage matrix: cell values, shades and transposition. Pure. */

/** The answer of the operation. */
export interface Coverage {
  readonly rows: string;
  readonly columns: string;
  readonly cells: "files" | "datasets" | "bytes" | "members" | "years";
  readonly total_count: number;
  readonly known_files?: number;
  readonly row_values: readonly string[];
  readonly column_values: readonly string[];
  readonly values: readonly (readonly number[])[];
}

export interface Matrix {
  readonly rowValues: readonly string[];
  readonly columnValues: readonly string[];
  /** The number of a cell; undefined if it has no files. */
  at(row: number, column: number): number | undefined;
  readonly max: number;
  readonly cellCount: number;
}

/** By row and column; a million cells take a few megabytes. */
export function matrixOf(coverage: Coverage): Matrix {
  const width = coverage.column_values.length;
  const numbers = new Map<number, number>();
  let max = 0;
  for (const [row = 0, column = 0, number = 0] of coverage.values) {
    numbers.set(row * width + column, number);
    if (number > max) max = number;
  }
  return {
    rowValues: coverage.row_values,
    columnValues: coverage.column_values,
    at: (row, column) => numbers.get(row * width + column),
    max,
    cellCount: coverage.values.length,
  };
}

/** Shade 0 is for cells whose files do not tell the number. */
export const SHADES = 6;

/** Shade by the logarithm of the number: cells range from 1 file to 100,000. */
export function shadeOf(number: number, max: number): number {
  if (number <= 0 || max <= 0) return 0;
  if (max <= 1) return number >= max ? SHADES : 1;
  return 1 + Math.round(((SHADES - 1) * Math.log1p(number)) / Math.log1p(max));
}
