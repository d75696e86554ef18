/** The next cell with a number in the direction of an arrow key. Pure. */
import type { Matrix } from "./matrix.js";

export interface Cell {
  readonly row: number;
  readonly column: number;
}

const STEPS: Readonly<Record<string, readonly [rows: number, columns: number]>> = {
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
};

/** @returns undefined for other keys, and at the end */
export function nextCell(matrix: Matrix, { row, column }: Cell, key: string): Cell | undefined {
  if (key === "Home") return inRow(matrix, row, -1, 1);
  if (key === "End") return inRow(matrix, row, matrix.columnValues.length, -1);
  const step = STEPS[key];
  if (step === undefined) return undefined;
  const [down, right] = step;
  if (down === 0) return inRow(matrix, row, column, right);
  for (let at = row + down; at >= 0 && at < matrix.rowValues.length; at += down) {
    if (matrix.at(at, column) !== undefined) return { row: at, column };
  }
  // If the column has nothing more, takes the nearest cell of the next row that has one.
  for (let at = row + down; at >= 0 && at < matrix.rowValues.length; at += down) {
    const near = [inRow(matrix, at, column, -1), inRow(matrix, at, column, 1)]
      .filter((cell) => cell !== undefined)
      .sort((a, b) => Math.abs(a.column - column) - Math.abs(b.column - column));
    if (near[0] !== undefined) return near[0];
  }
  return undefined;
}

/** The next cell in a row after a column. */
function inRow(matrix: Matrix, row: number, behind: number, step: number): Cell | undefined {
  for (let at = behind + step; at >= 0 && at < matrix.columnValues.length; at += step) {
    if (matrix.at(row, at) !== undefined) return { row, column: at };
  }
  return undefined;
}
