/**
 * Converts boxes and periods of documents into GeoJSON and RFC 3339, and their union over a collection.
 *
 * Sources: RFC 7946 (3.1.9 antimeridian cutting, 5.2 bounding boxes), STAC 1.1 item and collection
 * specification. Values that cannot be parsed are omitted.
 */
import { gapsBetween } from "../../../domain/extent/longitudes.js";
import { pointsOf } from "../../../domain/extent/period.js";
import { envelopeNumbers } from "../../../domain/extent/region.js";

/** A box in degrees, longitudes from -180 to 180; west > east crosses the antimeridian. */
export interface Box {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

/** Degrees from which a box is global: grids often lack the last step. */
const ROUND_THE_GLOBE = 359.9999;

const wrap = (longitude: number): number => {
  // Longitudes in range are unchanged: a turn would add rounding noise.
  if (longitude >= -180 && longitude <= 180) return longitude;
  const exact = ((((longitude + 180) % 360) + 360) % 360) - 180;
  const turned = Math.round(exact * 1e9) / 1e9;
  // A box that ends at the antimeridian ends at 180, not where the next one begins.
  return turned === -180 && longitude > 0 ? 180 : turned;
};

/** `ENVELOPE(west,east,north,south)` in any convention of longitudes; undefined: no box. */
export function readBox(text: unknown): Box | undefined {
  const numbers = envelopeNumbers(String(text ?? ""));
  if (numbers === undefined) return undefined;
  const [west, east, north, south] = numbers;
  if (south > north || south < -90 || north > 90) return undefined;
  if (east - west >= ROUND_THE_GLOBE) return { west: -180, south, east: 180, north };
  const from = wrap(west) === 180 && east > west ? -180 : wrap(west);
  return { west: from, south, east: wrap(east), north };
}

type Position = readonly [longitude: number, latitude: number];
interface Geometry {
  readonly type: "Point" | "LineString" | "Polygon" | "MultiPolygon";
  readonly coordinates: unknown;
}

/** Exterior rings are counterclockwise (RFC 7946, 3.1.6). */
function ring(west: number, south: number, east: number, north: number): Position[] {
  return [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ];
}

/** A box as GeoJSON; one that crosses the antimeridian is cut at it. */
export function geometry({ west, south, east, north }: Box): Geometry {
  if (west > east) {
    const halves = [ring(west, south, 180, north), ring(-180, south, east, north)];
    return { type: "MultiPolygon", coordinates: halves.map((half) => [half]) };
  }
  if (west === east && south === north) return { type: "Point", coordinates: [west, south] };
  if (west === east || south === north) {
    return {
      type: "LineString",
      coordinates: [
        [west, south],
        [east, north],
      ],
    };
  }
  return { type: "Polygon", coordinates: [ring(west, south, east, north)] };
}

export const bboxArray = (box: Box): number[] => [box.west, box.south, box.east, box.north];

/** A period; undefined ends are open. */
export interface Interval {
  readonly start: string | undefined;
  readonly end: string | undefined;
}

/**
 * The first instant that RFC 3339 and its readers support: Python's datetime has no year 0. STAC requires both ends of an
 * item, so open ends and fixed fields extend to these instants.
 */
export const FIRST_INSTANT = "0001-01-01T00:00:00Z";
export const LAST_INSTANT = "9999-12-31T23:59:59Z";

/** A point in time, limited to these instants. */
export function withinYears(point: string | undefined): string | undefined {
  if (point === undefined) return undefined;
  if (point.startsWith("-") || point.startsWith("0000")) return FIRST_INSTANT;
  if (point.startsWith("+")) return LAST_INSTANT;
  return point.replace(/\.\d+Z$/, "Z");
}

/**
 * Parses `[A TO B]` or a single date; undefined if there is none, or if it always holds. Dates are limited to the years
 * 1 to 9999, the only ones in STAC; a period outside becomes the nearest instant.
 */
export function readInterval(text: unknown): Interval | undefined {
  const range = /^\[\s*(\S+)\s+TO\s+(\S+)\s*\]$/.exec(String(text ?? ""));
  const [from, to] = range ? [range[1] ?? "*", range[2] ?? "*"] : [String(text), String(text)];
  const points = pointsOf(range ? `[${from} TO ${to}]` : from);
  const [start, end] = [withinYears(points.start), withinYears(points.end)];
  if ((start === undefined && from !== "*") || (end === undefined && to !== "*")) return undefined;
  if (start === undefined && end === undefined) return undefined;
  return { start, end };
}

/** Whether a document's period has years that STAC does not support. */
export function isBeyondYears(text: unknown): boolean {
  const { start, end } = pointsOf(String(text ?? ""));
  return [start, end].some((one) => one !== undefined && /^(?:[+-]|0000)/.test(one));
}

/** A period with both ends, as items require. */
export const wholeInterval = (interval: Interval | undefined): Period => ({
  start: interval?.start ?? FIRST_INSTANT,
  end: interval?.end ?? LAST_INSTANT,
});

/** A closed period, RFC 3339. */
interface Period {
  readonly start: string;
  readonly end: string;
}

/** The union of the items' boxes and periods. */
export class Extent {
  #period: Period | undefined;
  #empty = true;
  #south = Number.POSITIVE_INFINITY;
  #north = Number.NEGATIVE_INFINITY;
  /** Disjoint arcs of longitude, sorted by start; `east` is never less than `west`. */
  #arcs: { west: number; east: number }[] = [];

  /** @param interval undefined for fixed fields, which do not extend the period */
  add(box: Box | undefined, interval: Interval | undefined): void {
    this.#empty = false;
    if (interval) this.#addPeriod(wholeInterval(interval));
    if (box) this.#addBox(box);
  }

  #addPeriod({ start, end }: Period): void {
    const { start: first, end: last } = this.#period ?? { start, end };
    // RFC 3339 in UTC with years of four digits sorts as text.
    this.#period = { start: start < first ? start : first, end: end > last ? end : last };
  }

  #addBox({ west, south, east, north }: Box): void {
    this.#south = Math.min(this.#south, south);
    this.#north = Math.max(this.#north, north);
    const added =
      west <= east
        ? [{ west, east }]
        : [
            { west, east: 180 },
            { west: -180, east },
          ];
    if (
      added.every((one) => this.#arcs.some((arc) => arc.west <= one.west && arc.east >= one.east))
    )
      return;
    const sorted = [...this.#arcs, ...added].sort((a, b) => a.west - b.west);
    const merged: { west: number; east: number }[] = [];
    for (const arc of sorted) {
      const last = merged.at(-1);
      if (last && arc.west <= last.east) last.east = Math.max(last.east, arc.east);
      else merged.push({ ...arc });
    }
    this.#arcs = merged;
  }

  /** The smallest box around all boxes; it may cross the antimeridian. The globe if there are none. */
  bbox(): number[] {
    // The box omits the widest gap; of equals, the one at the antimeridian.
    const [round, ...others] = gapsBetween(this.#arcs).reverse();
    if (round === undefined) return [-180, -90, 180, 90];
    let widest = round;
    for (const gap of others.reverse()) if (gap.width > widest.width) widest = gap;
    return [widest.end, this.#south, widest.start, this.#north];
  }

  /** `[start, end]`; nulls without items, all times if all items are fixed fields. */
  interval(): (string | null)[] {
    if (this.#empty) return [null, null];
    const { start, end } = this.#period ?? wholeInterval(undefined);
    return [start, end];
  }
}
