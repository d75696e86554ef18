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
    "Counts for each pair of values of two facets. A number links to the search with both values; an empty cell has no files. Arrow keys move between numbers.",
  rows: "Rows",
  columns: "Columns",
  cells: "Numbers",
  cellsOf: CELLS,
  turn: "Swap rows and columns",
  csv: "Download as CSV",
  codeMatrix: "Matrix",
  codeTable: "Matrix as CSV",
  busy: "Counting …",
  nothing: "Nothing is found. Remove a constraint; the search view suggests which one.",
  tooLarge:
    "Choose facets with fewer values, such as experiment instead of member, or narrow the search.",
  found: (rows: string, columns: string, cells: string, files: string) =>
    `${rows} rows, ${columns} columns, ${cells} cells of ${files} files`,
  known: (known: string, files: string, cells: string) =>
    `The ${cells} of ${known} of the ${files} files are known. Files with unknown ${cells} count as 0.`,
  table: (rows: string, columns: string) => `${rows} by ${columns}`,
  cell: (row: string, column: string, number: string) => `${row}, ${column}: ${number}`,
} as const;
