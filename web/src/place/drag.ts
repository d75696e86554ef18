/** What a drag on the map does: draws a new box, moves the one there is by its middle, or pulls it by a corner. */
import { type Box, boxBetween, moved } from "./box.js";

/** A place under the pointer, in degrees: beyond the edge of the map longitudes go on. */
export interface Spot {
  readonly longitude: number;
  readonly latitude: number;
  /** Degrees of a pixel. */
  readonly perPixel: number;
}

export type Drag =
  | { readonly kind: "draw"; readonly from: Spot; readonly start: Spot }
  | { readonly kind: "move"; readonly box: Box; readonly start: Spot };

/** Pixels around a corner or the middle that take hold of it: half of what a finger needs. */
const REACH = 14;
/** Pixels below which a drag is a click. */
const SLIP = 4;

/** @param left the longitude at the left edge of the map */
export function dragAt(start: Spot, box: Box | undefined, left: number): Drag {
  if (box !== undefined) {
    const { west, east, south, north } = box;
    const corners = [
      { at: [west, south], opposite: [east, north] },
      { at: [west, north], opposite: [east, south] },
      { at: [east, south], opposite: [west, north] },
      { at: [east, north], opposite: [west, south] },
    ] as const;
    for (const { at, opposite } of corners) {
      const turn = turnTo(at, start, left);
      if (turn === undefined) continue;
      const [longitude, latitude] = opposite;
      return { kind: "draw", from: { ...start, longitude: longitude + turn, latitude }, start };
    }
    const middle = [(west + east) / 2, (south + north) / 2] as const;
    if (turnTo(middle, start, left) !== undefined) return { kind: "move", box, start };
  }
  return { kind: "draw", from: start, start };
}

/** How many degrees further a point lies within reach: the map shows it wherever it is on the circle. */
function turnTo(
  [longitude, latitude]: readonly [number, number],
  { longitude: x, latitude: y, perPixel }: Spot,
  left: number,
): number | undefined {
  const reach = REACH * perPixel;
  if (Math.abs(latitude - y) > reach) return undefined;
  const turns = [-720, -360, 0, 360, 720].filter((turn) => {
    const place = longitude + turn;
    return place >= left && place <= left + 360 && Math.abs(place - x) <= reach;
  });
  return turns[0];
}

/** @returns undefined for what was a click */
export function boxAfterDrag(drag: Drag, spot: Spot): Box | undefined {
  const { start } = drag;
  const [eastwards, northwards] = [
    spot.longitude - start.longitude,
    spot.latitude - start.latitude,
  ];
  const slip = SLIP * spot.perPixel;
  if (Math.abs(eastwards) < slip && Math.abs(northwards) < slip) return undefined;
  if (drag.kind === "move") return rounded(moved(drag.box, eastwards, northwards), spot);
  const { from } = drag;
  return rounded(
    boxBetween([from.longitude, from.latitude], [spot.longitude, spot.latitude]),
    spot,
  );
}

/** No finer than a pixel: tenths of a degree, whole ones on a small map. */
function rounded(box: Box, { perPixel }: Spot): Box {
  const step = perPixel > 0.5 ? 1 : 0.1;
  const near = (degrees: number): number => Math.round(degrees / step) * step;
  return boxBetween([near(box.west), near(box.south)], [near(box.east), near(box.north)]);
}
