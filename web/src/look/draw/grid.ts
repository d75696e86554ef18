/** Where the cells of a field lie: what is asked to draw them, and to tell what is under the pointer. */
import type { Extent } from "./view.js";

/** No cell. */
export const OUTSIDE = -1;

export interface Grid {
  /** All that has cells. */
  readonly extent: Extent;
  /** Whether x and y are longitudes and latitudes, in degrees; else columns and rows, from the lower left corner. */
  readonly isRound: boolean;
  readonly count: number;
  /**
   * The cell at each of these places, row by row; OUTSIDE where none is.
   *
   * @param reach degrees within which a cell is found that is drawn as a dot
   */
  cellsAt(xs: Float64Array, ys: Float64Array, reach: number): Int32Array;
  /** The place of a cell, as the file has it. */
  centre(cell: number): readonly [number, number];
}
