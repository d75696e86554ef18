/** Texts of the coverage matrix. */
import type { Coverage } from "../coverage/matrix.js";

const CELLS: Readonly<Record<Coverage["cells"], string>> = {
  files: "files",
  datasets: "datasets",
  bytes: "bytes",
  members: "members",
  years: "years",
};

export const words = {
  title: "Coverage",
  explain:
    "What there is of each pair of values of two facets. A number leads to the search with both values; where nothing is, a cell is empty. Arrow keys go from number to number.",
  rows: "Rows",
  columns: "Columns",
  cells: "Numbers",
  cellsOf: CELLS,
  turn: "Turn over",
  csv: "Download as CSV",
  codeMatrix: "The matrix",
  codeTable: "The matrix as CSV",
  busy: "Counting …",
  nothing:
    "Nothing is found. Take away some of the search; the search itself tells which part of it.",
  same: "Choose two different facets: of one facet with itself there is little to see.",
  tooLarge:
    "Choose facets with fewer values, such as experiment instead of member, or narrow the search; then it fits.",
  found: (rows: string, columns: string, cells: string, files: string) =>
    `${rows} rows, ${columns} columns, ${cells} cells of ${files} files`,
  known: (known: string, files: string, cells: string) =>
    `The ${cells} of ${known} of the ${files} files are known; a cell whose files do not say them has 0.`,
  table: (rows: string, columns: string) => `${rows} by ${columns}`,
  cell: (row: string, column: string, number: string) => `${row}, ${column}: ${number}`,
} as const;
