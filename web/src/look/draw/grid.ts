/** The places of a field's cells, for drawing and for the value under the pointer. */
import type { Extent } from "./view.js";

/** No cell. */
export const OUTSIDE = -1;

export interface Grid {
  /** Extent of all cells. */
  readonly extent: Extent;
  /** Whether x and y are longitudes and latitudes in degrees, else columns and rows from the lower left. */
  readonly isRound: boolean;
  readonly count: number;
  /** The cell at each place, or OUTSIDE. @param reach degrees within which a cell drawn as a dot is found */
  cellsAt(xs: Float64Array, ys: Float64Array, reach: number): Int32Array;
  /** The place of a cell, as in the file. */
  centre(cell: number): readonly [number, number];
}
