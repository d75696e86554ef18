/** Grids with one latitude per row and one longitude per column, and matrices. */
import { type AxisLookup, circleLookup, lineLookup } from "./axis-lookup.js";
import { type Grid, OUTSIDE } from "./grid.js";

/** @param longitudes of the columns @param latitudes of the rows; degrees, in any spacing and order */
export function regularGrid(longitudes: Float64Array, latitudes: Float64Array): Grid {
  const x = circleLookup(longitudes);
  const y = lineLookup(latitudes, -90, 90);
  return rectangular(x, y, longitudes, latitudes, true);
}

/** Row 0 is at the bottom, as in matplotlib's plots. */
export function matrixGrid(columns: number, rows: number): Grid {
  const xs = Float64Array.from({ length: columns }, (_, i) => i + 0.5);
  const ys = Float64Array.from({ length: rows }, (_, i) => i + 0.5);
  return rectangular(lineLookup(xs), lineLookup(ys), xs, ys, false);
}

function rectangular(
  x: AxisLookup,
  y: AxisLookup,
  xs: Float64Array,
  ys: Float64Array,
  isRound: boolean,
): Grid {
  const columns = xs.length;
  return {
    isRound,
    count: columns * ys.length,
    extent: { west: x.from, east: x.to, south: y.from, north: y.to },
    centre: (cell) => [xs[cell % columns] ?? 0, ys[Math.floor(cell / columns)] ?? 0],
    cellsAt(places, heights) {
      const column = Int32Array.from(places, (place) => x.at(place));
      const cells = new Int32Array(places.length * heights.length).fill(OUTSIDE);
      for (const [i, height] of heights.entries()) {
        const row = y.at(height);
        if (row === OUTSIDE) continue;
        const start = i * places.length;
        for (let j = 0; j < places.length; j++) {
          const found = column[j] ?? OUTSIDE;
          if (found !== OUTSIDE) cells[start + j] = row * columns + found;
        }
      }
      return cells;
    },
  };
}
