/** A sparse matrix of coverage as the page shows it: what is in a cell, how dark it is, turned over, as addresses of a search. */

/** What the operation answers. */
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
  /** What is in a cell; undefined where no file is. */
  at(row: number, column: number): number | undefined;
  /** The largest number of all cells. */
  readonly most: number;
  readonly cellCount: number;
}

/** By row and column; a million cells take a few megabytes. */
export function matrixOf(coverage: Coverage): Matrix {
  const width = coverage.column_values.length;
  const numbers = new Map<number, number>();
  let most = 0;
  for (const [row = 0, column = 0, number = 0] of coverage.values) {
    numbers.set(row * width + column, number);
    if (number > most) most = number;
  }
  return {
    rowValues: coverage.row_values,
    columnValues: coverage.column_values,
    at: (row, column) => numbers.get(row * width + column),
    most,
    cellCount: coverage.values.length,
  };
}

/** Shades of cells: 0 is that of a cell with files that do not tell the number. */
export const SHADES = 6;

/** Which shade a number has: by its logarithm, as archives have 1 file here and 100,000 there. */
export function shadeOf(number: number, most: number): number {
  if (number <= 0 || most <= 0) return 0;
  if (most <= 1) return number >= most ? SHADES : 1;
  return 1 + Math.round(((SHADES - 1) * Math.log1p(number)) / Math.log1p(most));
}
