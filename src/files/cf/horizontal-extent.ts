/** Finds the box that the latitudes and longitudes of a file span. */

import { type Box, eachRun } from "../netcdf/render/region.js";
import { elementCount } from "../netcdf/shape.js";
import { Longitudes } from "./arc.js";
import { type Header, isCoordinateVariable, namesIn, type Variable } from "./header.js";
import type { Roles } from "./roles.js";
import { degreesOf, unpack, type ValueSource } from "./values.js";

/** Bounds of axes with more values are not read. */
const MAX_BOUNDS = 100_000;
/** Time steps that are read of coordinates that change with time. */
const MAX_INSTANTS = 64;

/**
 * The box as `west,east,south,north` in degrees; undefined if the file lacks true latitudes or longitudes. Longitudes span the
 * smallest arc that holds all of them, from -180 to 180; west is greater than east across the antimeridian.
 */
export async function readBox(
  header: Header,
  { latitudes, longitudes, times }: Roles,
  source: ValueSource,
): Promise<string | undefined> {
  if (latitudes.length === 0 || longitudes.length === 0) return undefined;
  const moving = new Set([
    "time",
    "Time",
    ...times.filter(isCoordinateVariable).map(({ name }) => name),
  ]);
  let lat = new Latitudes();
  const lon = new Longitudes();
  let isAllAround = false;
  const read = async (
    variable: Variable,
    take: (degrees: number, points: Points | undefined, at: number) => void,
  ): Promise<void> => {
    const factor = degreesOf(variable);
    const [leading = ""] = variable.dimensions;
    const moves = variable.dimensions.length > 1 && moving.has(leading);
    const points = pointsOf(variable);
    const whole: Box = { start: variable.shape.map(() => 0), shape: variable.shape };
    const each = (values: Float64Array, box: Box): void => {
      const unpacked = unpack(values, variable);
      eachRun(box, box, whole, 1, (from, to, length) => {
        for (let i = 0; i < length; i++) {
          take((unpacked[from + i] ?? Number.NaN) * factor, points, to + i);
        }
      });
    };
    await source.each(variable, each, moves ? MAX_INSTANTS : undefined);
    const cells = await cellsOf(header, variable, source);
    if (cells === undefined) return;
    for (const edge of cells) take(edge * factor, undefined, 0);
    isAllAround ||= longitudes.includes(variable) && hasFullTurn(cells, factor);
  };
  const pointsOf = pointsOfGrids(latitudes, longitudes);
  for (const variable of latitudes) {
    await read(variable, (degrees, points, at) => {
      if (isLatitude(degrees)) lat.add(degrees);
      else points?.drop(at);
    });
  }
  let isComplete = true;
  for (const variable of longitudes) {
    await read(variable, (degrees, points, at) => {
      if (points?.isDropped(at)) return;
      if (isLongitude(degrees)) lon.add(degrees);
      else if (points !== undefined) {
        points.drop(at);
        isComplete = false;
      }
    });
  }
  if (!isComplete) {
    // Latitudes of points without a longitude were taken.
    lat = new Latitudes();
    for (const variable of latitudes) {
      await read(variable, (degrees, points, at) => {
        if (isLatitude(degrees) && !points?.isDropped(at)) lat.add(degrees);
      });
    }
  }
  const isAxis = [...latitudes, ...longitudes].every(isCoordinateVariable);
  return boxOf(lat, lon, { isAxis, isAllAround });
}

/** Whether a value is a latitude: others are fill values, declared or not. */
const isLatitude = (degrees: number): boolean => Math.abs(degrees) <= 90.000_1;

const isLongitude = (degrees: number): boolean => degrees >= -360 && degrees <= 720;

/** Points of a grid, 32 MB at most. Half of a larger grid's point may count. */
const MAX_POINTS = 1 << 28;

/** The points of a grid that have no position. */
class Points {
  #dropped: Uint8Array | undefined;

  constructor(readonly count: number) {}

  drop(at: number): void {
    this.#dropped ??= new Uint8Array(Math.ceil(this.count / 8));
    this.#dropped[at >> 3] = (this.#dropped[at >> 3] ?? 0) | (1 << (at & 7));
  }

  isDropped(at: number): boolean {
    return ((this.#dropped?.[at >> 3] ?? 0) & (1 << (at & 7))) !== 0;
  }
}

/** The points that a coordinate of a curvilinear or unstructured grid shares with the other one; undefined of an axis. */
function pointsOfGrids(
  latitudes: readonly Variable[],
  longitudes: readonly Variable[],
): (variable: Variable) => Points | undefined {
  const keyOf = ({ dimensions, shape }: Variable): string => JSON.stringify([dimensions, shape]);
  const grids = new Map<string, Points>();
  const others = new Set(longitudes.map(keyOf));
  for (const variable of latitudes) {
    const count = elementCount(variable.shape);
    const isGrid = variable.dimensions.length > 0 && others.has(keyOf(variable));
    if (isGrid && count <= MAX_POINTS) grids.set(keyOf(variable), new Points(count));
  }
  return (variable) => grids.get(keyOf(variable));
}

class Latitudes {
  south = Number.POSITIVE_INFINITY;
  north = Number.NEGATIVE_INFINITY;
  count = 0;

  add(degrees: number): void {
    this.count += 1;
    if (degrees < this.south) this.south = Math.max(-90, degrees);
    if (degrees > this.north) this.north = Math.min(90, degrees);
  }
}

interface Grid {
  /** Whether latitudes and longitudes are separate axes. */
  readonly isAxis: boolean;
  /** Whether a single cell spans all longitudes. */
  readonly isAllAround: boolean;
}

function boxOf(lat: Latitudes, lon: Longitudes, grid: Grid): string | undefined {
  const arc = lon.arc();
  if (arc === undefined || lat.count === 0) return undefined;
  const { south, north } = lat;
  const gap = 360 - arc.width;
  const isGlobe =
    grid.isAllAround || (lon.count >= 4 && gap <= 2 * usualGap(arc.usualGap, lon, grid));
  if (!isGlobe) {
    const east = arc.west + arc.width;
    return textOfBox(arc.west, east > 180 ? east - 360 : east, south, north);
  }
  // Extends the outermost row of cells to the pole if no other row would fit between them.
  const rows = grid.isAxis ? lat.count : Math.sqrt(lat.count);
  const row = (north - south) / Math.max(1, rows - 1);
  const isNear = (rest: number): boolean => rest <= row * 1.01;
  return textOfBox(-180, 180, isNear(90 + south) ? -90 : south, isNear(90 - north) ? 90 : north);
}

/** Area of the sphere in square degrees. */
const SPHERE = 41_253;
const MAX_USUAL = 15;

/**
 * The expected gap between neighbouring longitudes: on an axis, the median. Points of curvilinear and unstructured grids have
 * arbitrary longitudes, so for these it is their distance if they were spread evenly over the globe.
 */
function usualGap(median: number, { count }: Longitudes, { isAxis }: Grid): number {
  const slack = 1e-3;
  if (isAxis) return median + slack;
  return Math.max(median, Math.min(MAX_USUAL, Math.sqrt(SPHERE / count))) + slack;
}

/** Decimal places: about ten metres. */
const DIGITS = 4;

const textOfBox = (...degrees: readonly number[]): string =>
  degrees.map((one) => String(Number(one.toFixed(DIGITS)) + 0)).join(",");

/** The bounds of a coordinate variable as pairs (CF, 7.1); undefined if it has none. */
async function cellsOf(
  header: Header,
  variable: Variable,
  source: ValueSource,
): Promise<Float64Array | undefined> {
  if (!isCoordinateVariable(variable)) return undefined;
  const [name] = namesIn(variable, "bounds");
  const bounds = header.variables.find((one) => one.name === name);
  const isPair = bounds?.shape.length === 2 && bounds.shape[1] === 2;
  if (bounds === undefined || !isPair || elementCount(bounds.shape) > MAX_BOUNDS) return undefined;
  const [values, ...more] = await source.runs(bounds);
  return values === undefined || more.length > 0 ? undefined : unpack(values, bounds);
}

function hasFullTurn(cells: Float64Array, factor: number): boolean {
  for (let i = 0; i + 1 < cells.length; i += 2) {
    if (Math.abs((cells[i + 1] ?? 0) - (cells[i] ?? 0)) * factor >= 359.99) return true;
  }
  return false;
}
