/** Reads regions, as callers and documents write them. All in degrees, longitudes eastwards. */
import { bounded, Unreadable } from "./period.js";

/**
 * A box that extends from `west` eastwards to `east`: at most to west + 360 if it was read from text, and also over several turns
 * if it is compared with shapes (geometry.ts).
 */
export interface Region {
  readonly west: number;
  readonly east: number;
  readonly south: number;
  readonly north: number;
}

const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d{1,2})?$/i;

/**
 * Reads `min_lon,max_lon,min_lat,max_lat`. The box extends eastwards from min_lon to max_lon: 350,10 crosses Greenwich,
 * and 170,-170 the antimeridian.
 *
 * @throws Unreadable if it is not four numbers, or one is out of range
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

/** The sides of `ENVELOPE(west,east,north,south)`; undefined for other text. */
export function envelopeNumbers(
  text: string,
): readonly [west: number, east: number, north: number, south: number] | undefined {
  const parts = ENVELOPE.exec(text)?.[1]?.split(",") ?? [];
  const texts = parts.map((part) => part.trim());
  if (texts.length !== 4 || !texts.every((part) => NUMBER.test(part))) return undefined;
  const [west = 0, east = 0, north = 0, south = 0] = texts.map(Number);
  return [west, east, north, south];
}

/** The ENVELOPE text of a document's box, from `west,east,south,north` or from an ENVELOPE. */
export function envelope(text: string): string {
  const inner = ENVELOPE.exec(bounded(text))?.[1];
  const [west = "", east = "", ...latitudes] = (inner ?? text).split(",");
  const ordered = inner === undefined ? latitudes : latitudes.reverse();
  readRegion([west, east, ...ordered].join(","));
  // Longitudes stay as given: 350 is not rewritten to -10.
  const [south = 0, north = 0] = ordered.map(Number);
  return `ENVELOPE(${Number(west)},${Number(east)},${north},${south})`;
}

/** Longitudes allowed in documents: all conventions, plus half a grid cell. */
const MIN_LONGITUDE = -360;
const MAX_LONGITUDE = 720;

/** Checks the stored form of a box, `ENVELOPE(west,east,north,south)` in degrees. */
export function requireEnvelope(text: string): void {
  const numbers = envelopeNumbers(bounded(text));
  if (numbers === undefined) {
    throw new Unreadable("must be ENVELOPE(west,east,north,south), with four numbers");
  }
  const [west, east, north, south] = numbers;
  if ([west, east].some((longitude) => longitude < MIN_LONGITUDE || longitude > MAX_LONGITUDE)) {
    throw new Unreadable(`has a longitude outside ${MIN_LONGITUDE} to ${MAX_LONGITUDE}`);
  }
  if ([south, north].some((latitude) => latitude < -90 || latitude > 90)) {
    throw new Unreadable("has a latitude outside -90 to 90");
  }
  if (south > north) throw new Unreadable("has north below south");
}
