/** A region as a caller writes it, in a search or of a document. Degrees throughout, longitudes eastwards. */
import { bounded, Unreadable } from "./period.js";

/** A box in degrees, from `west` eastwards to `east`, which is 0 to 360 degrees beyond it. */
export interface Region {
  readonly west: number;
  readonly east: number;
  readonly south: number;
  readonly north: number;
}

const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d{1,2})?$/i;

/**
 * Reads `min_lon,max_lon,min_lat,max_lat`.
 *
 * The box always extends eastwards from min_lon to max_lon, so that 350,10 lies around Greenwich
 * and 170,-170 around the antimeridian.
 *
 * @throws Unreadable when it is not four numbers, or one is out of range
 */
export function readRegion(text: string): Region {
  const parts = bounded(text)
    .split(",")
    .map((part) => part.trim());
  if (parts.length !== 4 || !parts.every((part) => NUMBER.test(part))) {
    throw new Unreadable("must be four numbers, min_lon,max_lon,min_lat,max_lat");
  }
  const [west = 0, maxLon = 0, south = 0, north = 0] = parts.map(Number);
  if ([west, maxLon].some((lon) => lon < -180 || lon > 360)) {
    throw new Unreadable("has a longitude outside -180 to 360");
  }
  if ([south, north].some((lat) => lat < -90 || lat > 90)) {
    throw new Unreadable("has a latitude outside -90 to 90");
  }
  if (south > north) throw new Unreadable("has min_lat above max_lat");
  let east = maxLon;
  while (east < west) east += 360;
  return { west, east: Math.min(east, west + 360), south, north };
}

const ENVELOPE = /^\s*ENVELOPE\s*\(([^()]*)\)\s*$/i;

/** West, east, north and south of a text `ENVELOPE(west,east,north,south)`; undefined for what is no such text. */
export function envelopeNumbers(
  text: string,
): readonly [west: number, east: number, north: number, south: number] | undefined {
  const parts = ENVELOPE.exec(text)?.[1]?.split(",") ?? [];
  const texts = parts.map((part) => part.trim());
  if (texts.length !== 4 || !texts.every((part) => NUMBER.test(part))) return undefined;
  const [west = 0, east = 0, north = 0, south = 0] = texts.map(Number);
  return [west, east, north, south];
}

/**
 * A box as a document has it, from `west,east,south,north` or from that form itself.
 *
 * @throws Unreadable as readRegion
 */
export function envelope(text: string): string {
  const inner = ENVELOPE.exec(bounded(text))?.[1];
  const [west = "", east = "", ...latitudes] = (inner ?? text).split(",");
  const ordered = inner === undefined ? latitudes : latitudes.reverse();
  readRegion([west, east, ...ordered].join(","));
  // As it was given: 350 stays 350, though it is -10 as well.
  const [south = 0, north = 0] = ordered.map(Number);
  return `ENVELOPE(${Number(west)},${Number(east)},${north},${south})`;
}

/** How far west and east the boxes of documents may go: longitudes of all customs, and half a cell of a grid. */
const DOCUMENT_LONGITUDES = { least: -360, most: 720 };

/**
 * Requires that a text is a box as documents of the index have it: `ENVELOPE(west,east,north,south)` in degrees, which lies on
 * the globe.
 *
 * @throws Unreadable
 */
export function requireEnvelope(text: string): void {
  const numbers = envelopeNumbers(bounded(text));
  if (numbers === undefined) {
    throw new Unreadable("must be ENVELOPE(west,east,north,south), with four numbers");
  }
  const [west, east, north, south] = numbers;
  const { least, most } = DOCUMENT_LONGITUDES;
  if ([west, east].some((longitude) => longitude < least || longitude > most)) {
    throw new Unreadable(`has a longitude outside ${least} to ${most}`);
  }
  if ([south, north].some((latitude) => latitude < -90 || latitude > 90)) {
    throw new Unreadable("has a latitude outside -90 to 90");
  }
  if (south > north) throw new Unreadable("has its north below its south");
}
