/** Boxes in degrees: a normal form, and the text of the API, `bbox=min_lon,max_lon,min_lat,max_lat`. */
import { CIRCLE } from "./longitudes.js";
import type { Region } from "./region.js";

/** Hundredths of a degree, about a kilometre. */
const rounded = (degrees: number): number => Math.round(degrees * 100) / 100 + 0;

export const between = (value: number, min: number, max: number): number =>
  Math.min(Math.max(value, min), max);

/** Normalises to -180 (included) to 180. */
export const turned = (longitude: number): number =>
  rounded(longitude - CIRCLE * Math.floor((longitude + 180) / CIRCLE));

/** Normalises west, and clips latitudes to the globe. */
export function settled({ west, east, south, north }: Region): Region {
  const latitudes = {
    south: rounded(between(south, -90, 90)),
    north: rounded(between(north, -90, 90)),
  };
  if (east - west >= CIRCLE) return { west: -180, east: 180, ...latitudes };
  const from = turned(west);
  return { west: from, east: rounded(from + (east - west)), ...latitudes };
}

/** The text of the API: across the antimeridian, the first longitude is the larger one. */
export function boxText(box: Region): string {
  const { west, east, south, north } = settled(box);
  return [west, east > 180 ? rounded(east - CIRCLE) : east, south, north].join(",");
}
