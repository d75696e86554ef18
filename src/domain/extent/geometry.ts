/**
 * Reads GeoJSON geometries, and tells whether they intersect boxes. Degrees, on a plane, as GeoJSON defines it.
 *
 * Sources: RFC 7946, 3.1 (geometries); OGC 21-065r2, 7.7 (s_intersects).
 */
import { isObject, type JsonObject } from "../text/json-object.js";
import { Unreadable } from "./period.js";
import { envelopeNumbers, type Region } from "./region.js";

/** Longitude and latitude. */
type Position = readonly [x: number, y: number];

/** A geometry of any kind as its parts. */
export interface Geometry {
  readonly points: readonly Position[];
  readonly lines: readonly (readonly Position[])[];
  /** Rings; of each polygon the first is its outside, the others are holes. */
  readonly polygons: readonly (readonly (readonly Position[])[])[];
}

/** Maximum of positions of a geometry. */
const MAX_POSITIONS = 10_000;

/** A part of a geometry that is not empty, as GeoJSON requires. */
class Parts {
  readonly points: Position[] = [];
  readonly lines: (readonly Position[])[] = [];
  readonly polygons: (readonly (readonly Position[])[])[] = [];
  #positions = 0;

  position(value: unknown): Position {
    this.#positions += 1;
    if (this.#positions > MAX_POSITIONS) {
      throw new Unreadable(`has a geometry of more than ${MAX_POSITIONS} positions`);
    }
    const [x, y] = Array.isArray(value) ? (value as readonly unknown[]) : [];
    const isShort = Array.isArray(value) && value.length <= 4;
    if (!isShort || !isNumber(x) || !isNumber(y)) {
      throw new Unreadable("has a position that is not [longitude, latitude]");
    }
    if (Math.abs(x) > 360 || Math.abs(y) > 90) {
      throw new Unreadable("has a position beyond 360 degrees of longitude or 90 of latitude");
    }
    return [x, y];
  }

  line(value: unknown, what = "a line", min = 2): Position[] {
    const positions = list(value, what).map((one) => this.position(one));
    if (positions.length < min) throw new Unreadable(`has ${what} of fewer than ${min} positions`);
    return positions;
  }

  polygon(value: unknown): Position[][] {
    const rings = list(value, "a polygon").map((one) => this.line(one, "a ring", 4));
    if (rings.length === 0) throw new Unreadable("has a polygon without rings");
    for (const ring of rings) {
      const [first, last] = [ring[0], ring.at(-1)];
      if (first?.[0] !== last?.[0] || first?.[1] !== last?.[1]) {
        throw new Unreadable("has a ring that does not end where it begins");
      }
    }
    return rings;
  }
}

const isNumber = (value: unknown): value is number =>
  typeof value === "number" && Number.isFinite(value);

function list(value: unknown, what: string): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw new Unreadable(`has ${what} without its coordinates`);
}

const READERS: Readonly<Record<string, (parts: Parts, coordinates: unknown) => void>> = {
  Point: (parts, value) => parts.points.push(parts.position(value)),
  MultiPoint: (parts, value) => {
    for (const one of list(value, "points")) parts.points.push(parts.position(one));
  },
  LineString: (parts, value) => parts.lines.push(parts.line(value)),
  MultiLineString: (parts, value) => {
    for (const one of list(value, "lines")) parts.lines.push(parts.line(one));
  },
  Polygon: (parts, value) => parts.polygons.push(parts.polygon(value)),
  MultiPolygon: (parts, value) => {
    for (const one of list(value, "polygons")) parts.polygons.push(parts.polygon(one));
  },
};

/** Nesting of geometry collections. */
const MAX_DEPTH = 8;

function addTo(parts: Parts, value: unknown, depth: number): void {
  const { type, coordinates, geometries, bbox }: JsonObject = isObject(value) ? value : {};
  if (type === "bbox") {
    for (const box of boxesOf(bbox)) parts.polygons.push([ringOf(box)]);
    return;
  }
  if (type === "GeometryCollection") {
    if (depth > MAX_DEPTH) throw new Unreadable("has geometry collections nested too deep");
    for (const one of list(geometries, "a geometry collection")) addTo(parts, one, depth + 1);
    return;
  }
  const kind = typeof type === "string" && Object.hasOwn(READERS, type) ? type : "";
  const read = READERS[kind];
  if (read === undefined) {
    const kinds = [...Object.keys(READERS), "GeometryCollection"].join(", ");
    throw new Unreadable(`must be a GeoJSON geometry: ${kinds}`);
  }
  read(parts, coordinates);
}

/** Reads a GeoJSON geometry, or `{type: "bbox", bbox}`. */
export function readGeometry(value: unknown): Geometry {
  const parts = new Parts();
  addTo(parts, value, 1);
  const { points, lines, polygons } = parts;
  if (points.length + lines.length + polygons.length === 0) {
    throw new Unreadable("has a geometry without positions");
  }
  return { points, lines, polygons };
}

/**
 * The regions of `[west, south, east, north]`, or of six numbers with heights: two if it crosses the antimeridian. Longitudes
 * and latitudes somewhat outside are cut off.
 */
export function boxesOf(value: unknown): Region[] {
  const numbers = Array.isArray(value) ? (value as readonly unknown[]) : [];
  if (![4, 6].includes(numbers.length) || !numbers.every(isNumber)) {
    throw new Unreadable("must be four numbers, west,south,east,north, or six with heights");
  }
  const order = numbers.length === 4 ? [0, 1, 2, 3] : [0, 1, 3, 4];
  const [west = 0, south = 0, east = 0, north = 0] = order.map((index) => Number(numbers[index]));
  if (south > north) throw new Unreadable("has its south above its north");
  const latitudes = { south: Math.max(south, -90), north: Math.min(north, 90) };
  if (latitudes.south > latitudes.north) return [];
  if (west <= east) {
    if (west > 360 || east < -360) return [];
    // A box beyond the antimeridian, such as 170 to 190, goes on at its other side.
    return [{ west: Math.max(west, -360), east: Math.min(east, 360), ...latitudes }];
  }
  const [from, to] = [turned(west), turned(east)];
  if (from <= to) return [{ west: from, east: to, ...latitudes }];
  return [
    { west: from, east: 180, ...latitudes },
    { west: -180, east: to, ...latitudes },
  ];
}

/** The same longitude from -180 to 180. */
function turned(longitude: number): number {
  if (longitude >= -180 && longitude <= 180) return longitude;
  return ((((longitude + 180) % 360) + 360) % 360) - 180;
}

const ringOf = ({ west, south, east, north }: Region): Position[] => [
  [west, south],
  [east, south],
  [east, north],
  [west, north],
  [west, south],
];

/** Longitudes repeat. */
const TURNS = [-720, -360, 0, 360];
/** Degrees from which a box is global: grids often lack the last step. */
const ROUND_THE_GLOBE = 359.9999;

/**
 * The box of a document's `ENVELOPE(west,east,north,south)`, in any convention of longitudes; a global one spans several turns.
 *
 * @returns undefined for other text
 */
export function boxOfEnvelope(text: string): Region | undefined {
  const numbers = envelopeNumbers(text);
  if (numbers === undefined) return undefined;
  const [west, end, north, south] = numbers;
  let east = end;
  while (east < west) east += 360;
  const isGlobal = east - west >= ROUND_THE_GLOBE;
  return isGlobal ? { west: -360, east: 720, south, north } : { west, east, south, north };
}

/** Whether a geometry has a point in common with a box, borders included. */
export const intersectsBox = (geometry: Geometry, box: Region): boolean =>
  TURNS.some((turn) => {
    const moved = { ...box, west: box.west + turn, east: box.east + turn };
    return (
      geometry.points.some((point) => isInside(point, moved)) ||
      geometry.lines.some((line) => lineMeets(line, moved)) ||
      geometry.polygons.some((rings) => polygonMeets(rings, moved))
    );
  });

const isInside = ([x, y]: Position, { west, east, south, north }: Region): boolean =>
  x >= west && x <= east && y >= south && y <= north;

function lineMeets(line: readonly Position[], box: Region): boolean {
  for (let i = 0; i < line.length; i++) {
    const from = line[i] as Position;
    const to = line[i + 1];
    if (to === undefined ? isInside(from, box) : segmentMeets(from, to, box)) return true;
  }
  return false;
}

/** Whether their extents overlap, and the corners of the box are not all on one side of the segment. */
function segmentMeets(from: Position, to: Position, box: Region): boolean {
  // No destructuring: this runs for millions of segments.
  const dx = to[0] - from[0];
  const dy = to[1] - from[1];
  const west = box.west - from[0];
  const east = box.east - from[0];
  const south = box.south - from[1];
  const north = box.north - from[1];
  if (Math.max(0, dx) < west || Math.min(0, dx) > east) return false;
  if (Math.max(0, dy) < south || Math.min(0, dy) > north) return false;
  const least = Math.min(dx * south, dx * north) - Math.max(dy * west, dy * east);
  const most = Math.max(dx * south, dx * north) - Math.min(dy * west, dy * east);
  return least <= 0 && most >= 0;
}

/** If no border of the polygon meets the box, the box is inside or outside as a whole. */
function polygonMeets(rings: readonly (readonly Position[])[], box: Region): boolean {
  if (rings.some((ring) => lineMeets(ring, box))) return true;
  return rings.filter((ring) => encloses(ring, [box.west, box.south])).length % 2 === 1;
}

/** Counts the edges east of the position. */
function encloses(ring: readonly Position[], [x, y]: Position): boolean {
  let isWithin = false;
  for (let i = 0; i < ring.length; i++) {
    const from = ring[i] as Position;
    const to = ring[i + 1] ?? from;
    if (from[1] > y === to[1] > y) continue;
    const crossing = from[0] + ((y - from[1]) / (to[1] - from[1])) * (to[0] - from[0]);
    if (x < crossing) isWithin = !isWithin;
  }
  return isWithin;
}
