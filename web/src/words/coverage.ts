/** Texts of the coverage matrix. */
import { filesText, wholeNumber } from "../service/numbers.js";

export const words = {
  title: "Coverage",
  explain:
    "Counts for each pair of values of two facets, the largest first. A number links to the search with both values; an empty cell has no files. Arrow keys move between numbers.",
  allProjects: "All projects",
  project: (name: string, files: number) => `${name} (${filesText(files)})`,
  sum: "Sum",
  filterRows: (rows: string) => `Filter rows (${rows})`,
  filterColumns: (columns: string) => `Filter columns (${columns})`,
  filteredOut: "No row or column has these texts. Change the filters.",
  more: (rows: string, moreRows: number, columns: string, moreColumns: number) =>
    `Show ${[
      ...(moreRows > 0 ? [`${wholeNumber(moreRows)} more of ${rows}`] : []),
      ...(moreColumns > 0 ? [`${wholeNumber(moreColumns)} more of ${columns}`] : []),
    ].join(" and ")}`,
  rows: "Rows",
  columns: "Columns",
  cells: "Numbers",
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
