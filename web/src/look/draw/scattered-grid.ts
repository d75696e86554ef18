/** Grids with a latitude and longitude per cell: curvilinear, rotated and unstructured. */
import { type Grid, OUTSIDE } from "./grid.js";
import { chordOf, NearestPlace } from "./nearest-place.js";
import type { Extent } from "./view.js";

/** Fewer cells without rows and columns are drawn as dots (stations), more as a mesh that fills its area. */
const MIN_MESH = 1000;
/** Points sampled to estimate the spacing of a mesh. */
const SAMPLE = 2000;
/** Factor of the nearest-neighbour distance: to the corner of a triangle, and some margin. */
const MESH_REACH = 1.3;
/** Corners of skewed cells lie farther away than half a diagonal. */
const CELL_REACH = 1.25;

/**
 * A grid of rows and columns by its cell centres. A place belongs to the cell with the nearest centre, unless it is
 * farther away than the cell's own corners, so regional grids end at their outermost cells.
 *
 * @param longitudes degrees, row by row; NaN where there is no cell
 */
export function curvilinearGrid(
  longitudes: Float64Array,
  latitudes: Float64Array,
  rows: number,
  columns: number,
): Grid {
  const places = new NearestPlace(longitudes, latitudes);
  const reaches = cellReaches(longitudes, latitudes, rows, columns);
  const sorted = Float64Array.from(reaches).sort();
  // Percentile, so that a seam or one misplaced cell does not enlarge the reach of all.
  const max = Math.min(2 * (sorted[Math.floor(sorted.length * 0.99)] ?? 0), sorted.at(-1) ?? 0);
  const around = sorted[Math.floor(sorted.length / 2)] ?? 0;
  return scattered(
    places,
    longitudes,
    latitudes,
    around,
    () => max,
    (cell) => reaches[cell] ?? 0,
  );
}

/** Cells without rows and columns: a mesh whose cells reach halfway to their neighbours, or dots if there are few. */
export function pointGrid(longitudes: Float64Array, latitudes: Float64Array): Grid {
  const places = new NearestPlace(longitudes, latitudes);
  const mesh = places.count < MIN_MESH ? 0 : meshReach(places, longitudes, latitudes);
  const reaching = (reach: number): number => Math.max(mesh, chordOf(reach));
  return scattered(places, longitudes, latitudes, mesh, reaching);
}

/** @param around chord by which the extent exceeds the centres @param reachOf of all cells, and of one */
function scattered(
  places: NearestPlace,
  longitudes: Float64Array,
  latitudes: Float64Array,
  around: number,
  reachOf: (reach: number) => number,
  reachOfCell?: (cell: number) => number,
): Grid {
  const centre = (cell: number): readonly [number, number] => [
    longitudes[cell] ?? Number.NaN,
    latitudes[cell] ?? Number.NaN,
  ];
  return {
    isRound: true,
    count: longitudes.length,
    extent: widened(places.extent, (around * 180) / Math.PI),
    centre,
    cellsAt(xs, ys, reach) {
      const max = reachOf(reach);
      const cells = new Int32Array(xs.length * ys.length).fill(OUTSIDE);
      let at = 0;
      for (const y of ys) {
        // Start from the cell of the previous pixel, which is usually close.
        let former = OUTSIDE;
        for (const x of xs) {
          const [longitude, latitude] = centre(former);
          const known = former === OUTSIDE ? max : chordBetween(x, y, longitude, latitude);
          const { found, chord } = places.find(x, y, Math.min(known * (1 + 1e-9), max));
          former = found;
          const own = found === OUTSIDE ? 0 : (reachOfCell?.(found) ?? max);
          if (chord <= own) cells[at] = found;
          at += 1;
        }
      }
      return cells;
    },
  };
}

function widened({ west, east, south, north }: Extent, by: number): Extent {
  if (east - west >= 360)
    return { west, east, south: Math.max(south - by, -90), north: Math.min(north + by, 90) };
  const middle = (((south + north) / 2) * Math.PI) / 180;
  // Dots, and above all a single one, are shown with some surroundings.
  const aside = Math.max(
    by / Math.max(Math.cos(middle), 0.2),
    by > 0 ? 0 : Math.max((east - west) / 20, 2),
  );
  const above = Math.max(by, by > 0 ? 0 : Math.max((north - south) / 20, 2));
  const half = Math.min((east - west) / 2 + aside, 180);
  return {
    west: (west + east) / 2 - half,
    east: (west + east) / 2 + half,
    south: Math.max(south - above, -90),
    north: Math.min(north + above, 90),
  };
}

/** Chord on the unit sphere. */
function chordBetween(lonA: number, latA: number, lonB: number, latB: number): number {
  const radians = Math.PI / 180;
  const vertical = Math.sin(((latA - latB) * radians) / 2);
  const across = Math.sin(((lonA - lonB) * radians) / 2);
  const cosines = Math.cos(latA * radians) * Math.cos(latB * radians);
  return 2 * Math.sqrt(vertical * vertical + cosines * across * across);
}

/** Reach of each cell: half the diagonal that its neighbours span. */
function cellReaches(
  longitudes: Float64Array,
  latitudes: Float64Array,
  rows: number,
  columns: number,
): Float64Array {
  const chord = (a: number, b: number): number =>
    chordBetween(
      longitudes[a] ?? Number.NaN,
      latitudes[a] ?? Number.NaN,
      longitudes[b] ?? Number.NaN,
      latitudes[b] ?? Number.NaN,
    );
  /** If the two neighbours differ much, one lies across a seam of the grid. */
  const step = (before: number, after: number): number => {
    if (Number.isNaN(before) || Number.isNaN(after)) return Number.isNaN(before) ? after : before;
    const [less, more] = before < after ? [before, after] : [after, before];
    return more > 4 * less && less > 0 ? less : more;
  };
  const reaches = new Float64Array(rows * columns);
  for (let row = 0, cell = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++, cell++) {
      const across = step(
        column > 0 ? chord(cell, cell - 1) : Number.NaN,
        column + 1 < columns ? chord(cell, cell + 1) : Number.NaN,
      );
      const along = step(
        row > 0 ? chord(cell, cell - columns) : Number.NaN,
        row + 1 < rows ? chord(cell, cell + columns) : Number.NaN,
      );
      const [a, b] = [across || along || 0, along || across || 0];
      reaches[cell] = (CELL_REACH * Math.sqrt(a * a + b * b)) / 2;
    }
  }
  return reaches;
}

/** Reach of the cells of a mesh, ignoring the few largest. */
function meshReach(
  places: NearestPlace,
  longitudes: Float64Array,
  latitudes: Float64Array,
): number {
  const every = Math.max(1, Math.floor(longitudes.length / SAMPLE));
  const chords: number[] = [];
  for (let i = 0; i < longitudes.length; i += every) {
    const { found, chord } = places.find(
      longitudes[i] ?? Number.NaN,
      latitudes[i] ?? Number.NaN,
      2,
      i,
    );
    if (found !== OUTSIDE && chord > 0) chords.push(chord);
  }
  chords.sort((a, b) => a - b);
  return MESH_REACH * (chords[Math.floor(chords.length * 0.98)] ?? 0);
}
