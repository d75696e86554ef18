/** The geometry of a dataset -> the grid that is drawn. */
import type { Field, Geometry } from "../data/types.js";
import type { Grid } from "./grid.js";
import { matrixGrid, regularGrid } from "./rectangular-grid.js";
import { curvilinearGrid, pointGrid } from "./scattered-grid.js";

/** Points of an unstructured grid drawn at most. */
export const MAX_POINTS = 1_000_000;

/** Which cells of the file a field has. */
type Sampling = Pick<Field, "rows" | "columns" | "rowIndex" | "columnIndex">;

/** The grid of a field's cells, in its order; of a sampled field, the sampled cells. */
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
  const all = cellsTaken(geometry, field);
  return curvilinearGrid(
    pick(geometry.longitudes, all),
    pick(geometry.latitudes, all),
    rows,
    columns,
  );
}

/** The sampled cells of a grid of rows and columns; undefined if the field has a value for each of its places. */
function cellsTaken(
  { rows: height, columns: width }: Pick<Field, "rows" | "columns">,
  { rows, columns, rowIndex, columnIndex }: Sampling,
) {
  if (rows === height && columns === width) return undefined;
  return Uint32Array.from({ length: rows * columns }, (_, i) => {
    const row = Math.floor(i / columns);
    return (rowIndex?.[row] ?? row) * width + (columnIndex?.[i % columns] ?? i % columns);
  });
}

/** File row and column of a field's cell; for points, the column is the cell. */
export function placeInFile(cell: number, { columns, rowIndex, columnIndex }: Sampling) {
  const row = Math.floor(cell / columns);
  const column = cell % columns;
  return { row: rowIndex?.[row] ?? row, column: columnIndex?.[column] ?? column };
}
