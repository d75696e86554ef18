/** Finds the box that the latitudes and longitudes of a file span. */
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
 *
 * @throws what the source throws
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
  const lat = new Latitudes();
  const lon = new Longitudes();
  let isAllAround = false;
  const read = async (variable: Variable, take: (degrees: number) => void): Promise<void> => {
    const factor = degreesOf(variable);
    const [leading = ""] = variable.dimensions;
    const moves = variable.dimensions.length > 1 && moving.has(leading);
    const each = (values: Float64Array): void => {
      for (const value of unpack(values, variable)) take(value * factor);
    };
    await source.each(variable, each, moves ? MAX_INSTANTS : undefined);
    const cells = await cellsOf(header, variable, source);
    if (cells === undefined) return;
    for (const edge of cells) take(edge * factor);
    isAllAround ||= longitudes.includes(variable) && hasFullTurn(cells, factor);
  };
  for (const variable of latitudes) await read(variable, (degrees) => lat.add(degrees));
  for (const variable of longitudes) await read(variable, (degrees) => lon.add(degrees));
  const isAxis = [...latitudes, ...longitudes].every(isCoordinateVariable);
  return boxOf(lat, lon, { isAxis, isAllAround });
}

class Latitudes {
  #min = Number.POSITIVE_INFINITY;
  #max = Number.NEGATIVE_INFINITY;
  count = 0;

  /** Ignores values out of range, such as fill values that no attribute declares. */
  add(degrees: number): void {
    if (!(Math.abs(degrees) <= 90.000_1)) return;
    this.count += 1;
    if (degrees < this.#min) this.#min = degrees;
    if (degrees > this.#max) this.#max = degrees;
  }

  get south(): number {
    return Math.max(-90, this.#min);
  }

  get north(): number {
    return Math.min(90, this.#max);
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
