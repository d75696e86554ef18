/** A drag on the map draws a box, moves it by its middle, or resizes it by a corner. */
import { type Box, boxBetween, moved } from "./box.js";

/** A place under the pointer, in degrees; longitudes continue beyond the edge of the map. */
export interface MapPoint {
  readonly longitude: number;
  readonly latitude: number;
  /** Degrees per pixel. */
  readonly perPixel: number;
}

export type Drag =
  | { readonly kind: "draw"; readonly from: MapPoint; readonly start: MapPoint }
  | { readonly kind: "move"; readonly box: Box; readonly start: MapPoint };

/** Pixels around a handle that grab it: half the size of a touch target. */
const REACH = 14;
/** A drag of fewer pixels is a click. */
const MIN_DRAG = 4;

/** @param left the longitude at the left edge of the map */
export function dragAt(start: MapPoint, box: Box | undefined, left: number): Drag {
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

/** The full circles, in degrees, that bring a point within reach of the pointer; undefined if none do. */
function turnTo(
  [longitude, latitude]: readonly [number, number],
  { longitude: x, latitude: y, perPixel }: MapPoint,
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

/** @returns undefined for a click */
export function boxAfterDrag(drag: Drag, spot: MapPoint): Box | undefined {
  const { start } = drag;
  const [eastwards, northwards] = [
    spot.longitude - start.longitude,
    spot.latitude - start.latitude,
  ];
  const slip = MIN_DRAG * spot.perPixel;
  if (Math.abs(eastwards) < slip && Math.abs(northwards) < slip) return undefined;
  if (drag.kind === "move") return rounded(moved(drag.box, eastwards, northwards), spot);
  const { from } = drag;
  return rounded(
    boxBetween([from.longitude, from.latitude], [spot.longitude, spot.latitude]),
    spot,
  );
}

/** Rounds to tenths of a degree, or whole degrees on a small map: no finer than a pixel. */
function rounded(box: Box, { perPixel }: MapPoint): Box {
  const step = perPixel > 0.5 ? 1 : 0.1;
  const near = (degrees: number): number => Math.round(degrees / step) * step;
  return boxBetween([near(box.west), near(box.south)], [near(box.east), near(box.north)]);
}
