/** Boxes as the page draws them, and as the API takes them: `bbox=min_lon,max_lon,min_lat,max_lat`. Degrees. */
import { between, boxText, settled, turned } from "../../../../src/domain/extent/box.js";
import { CIRCLE } from "../../../../src/domain/extent/longitudes.js";
import { Unreadable } from "../../../../src/domain/extent/period.js";
import { type Region, readRegion } from "../../../../src/domain/extent/region.js";
import { reading } from "../../service/reading.js";

/** From `west` eastwards to `east`, 0 to 360 degrees beyond it; west is -180 (included) to 180. */
export type Box = Region;

export { boxText, settled };

type Side = "west" | "east" | "south" | "north";

/** The box between two corners in any order; longitudes may exceed 180, such as 170 and 200. */
export const boxBetween = (
  a: readonly [longitude: number, latitude: number],
  b: readonly [longitude: number, latitude: number],
): Box =>
  settled({
    west: Math.min(a[0], b[0]),
    east: Math.max(a[0], b[0]),
    south: Math.min(a[1], b[1]),
    north: Math.max(a[1], b[1]),
  });

/** @returns undefined if the text is not a box, or excludes one: `!...`, `not ...` */
export function boxOf(text: string): Box | undefined {
  const region = reading(() => readRegion(text));
  return region instanceof Unreadable ? undefined : settled(region);
}

/** The box of a document, where east may be one or more circles too small. */
export const storedBox = ({ west, east, south, north }: Box): Box =>
  settled({
    west,
    east: east + CIRCLE * Math.max(0, Math.ceil((west - east) / CIRCLE)),
    south,
    north,
  });

/** A box of the API for people. Anything else is returned as it is. */
export function writtenBox(text: string): string {
  const box = boxOf(text);
  return box === undefined ? text : boxWords(box);
}

/** Moves a box without resizing it; stops at the poles. */
export function moved(box: Box, eastwards: number, northwards: number): Box {
  const up = between(northwards, -90 - box.south, 90 - box.north);
  return settled({
    west: box.west + eastwards,
    east: box.east + eastwards,
    south: box.south + up,
    north: box.north + up,
  });
}

/** Moves one side, which stops at the opposite side, at a pole, and after a full circle. */
export function resized(box: Box, side: Side, degrees: number): Box {
  const { west, east, south, north } = box;
  if (side === "west") return settled({ ...box, west: between(west + degrees, east - 360, east) });
  if (side === "east") return settled({ ...box, east: between(east + degrees, west, west + 360) });
  if (side === "south") return settled({ ...box, south: between(south + degrees, -90, north) });
  return settled({ ...box, north: between(north + degrees, south, 90) });
}

/** The place of a box on a map that starts at `left`: one piece, or two across its edge. */
export function onMap(
  { west, east }: Box,
  left: number,
): (readonly [west: number, east: number])[] {
  if (east - west >= CIRCLE) return [[left, left + CIRCLE]];
  return [-CIRCLE, 0, CIRCLE]
    .map((turn) => [west + turn, east + turn] as const)
    .filter(([from, to]) => to >= left && from <= left + CIRCLE && (to > left || from === to))
    .map(([from, to]) => [Math.max(from, left), Math.min(to, left + CIRCLE)] as const)
    .filter(([from, to]) => to > from || west === east);
}

/** A longitude such as 170°W. */
function meridian(longitude: number): string {
  const value = turned(longitude);
  if (value === 0) return "0°";
  if (value === -180) return "180°";
  return value < 0 ? `${-value}°W` : `${value}°E`;
}

const parallel = (latitude: number): string =>
  latitude === 0 ? "0°" : latitude < 0 ? `${-latitude}°S` : `${latitude}°N`;

/** A box as text. */
export function boxWords({ west, east, south, north }: Box): string {
  const longitudes =
    east - west >= CIRCLE ? "all longitudes" : `${meridian(west)} to ${meridian(east)}`;
  return `${longitudes}, ${parallel(south)} to ${parallel(north)}`;
}
