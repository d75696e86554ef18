/** Where a data set says that its values lie -> the grid that is drawn. */
import type { FieldData, Geometry } from "../data/types.js";
import type { Grid } from "./grid.js";
import { matrixGrid, regularGrid } from "./rectangular-grid.js";
import { curvilinearGrid, pointGrid } from "./scattered-grid.js";

/** Points of an unstructured grid that are drawn at most. */
export const MAX_POINTS = 1_000_000;

/** Which cells of the file a field has. */
export type Sampling = Pick<FieldData, "rows" | "columns" | "rowIndex" | "columnIndex">;

/** The grid of the cells that a field has, in its order: where the field is sampled, of those that were taken. */
export function makeGrid(geometry: Geometry, field: Sampling): Grid {
  const { rows, columns, rowIndex, columnIndex } = field;
  const pick = (values: Float64Array, index: Uint32Array | undefined): Float64Array =>
    index === undefined ? values : Float64Array.from(index, (i) => values[i] ?? Number.NaN);
  if (geometry.kind === "regular") {
    return regularGrid(pick(geometry.longitudes, columnIndex), pick(geometry.latitudes, rowIndex));
  }
  if (geometry.kind === "points") {
    return pointGrid(pick(geometry.longitudes, columnIndex), pick(geometry.latitudes, columnIndex));
  }
  if (geometry.kind === "none") return matrixGrid(columns, rows);
  const all = cellsTaken(geometry.columns, field);
  return curvilinearGrid(
    pick(geometry.longitudes, all),
    pick(geometry.latitudes, all),
    rows,
    columns,
  );
}

/** Of a grid of rows and columns, the cells that a field has; undefined where it has all. */
function cellsTaken(width: number, { rows, columns, rowIndex, columnIndex }: Sampling) {
  if (rowIndex === undefined && columnIndex === undefined) return undefined;
  return Uint32Array.from({ length: rows * columns }, (_, i) => {
    const row = Math.floor(i / columns);
    return (rowIndex?.[row] ?? row) * width + (columnIndex?.[i % columns] ?? i % columns);
  });
}

/** Row and column in the file of a cell of the field; of points, the column is the cell. */
export function placeInFile(cell: number, { columns, rowIndex, columnIndex }: Sampling) {
  const row = Math.floor(cell / columns);
  const column = cell % columns;
  return { row: rowIndex?.[row] ?? row, column: columnIndex?.[column] ?? column };
}
