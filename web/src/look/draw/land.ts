/** Outlines of the land (Natural Earth 1:110 million), drawn over a map. Loaded with the view that draws, not before. */
import { geoPath, geoProjection } from "d3-geo";
import { feature } from "topojson-client";
import type { Topology } from "topojson-specification";
import type { Frame, View } from "./view.js";

/** What can be drawn: rings that go round the world as they like. */
export type Land = ReturnType<typeof feature>;

/** @throws TypeError if the assets of the page cannot be had */
export async function loadLand(): Promise<Land> {
  const { default: topology } = await import("world-atlas/land-110m.json");
  const atlas = topology as unknown as Topology;
  const { land } = atlas.objects;
  if (land === undefined) throw new TypeError("The atlas has no land.");
  return feature(atlas, land);
}

const RADIANS = Math.PI / 180;

/** Adds the outlines to the path of a canvas; nothing is stroked yet. */
export function traceLand(
  land: Land,
  context: CanvasRenderingContext2D,
  view: View,
  frame: Frame,
): void {
  const unit = frame.width / view.span;
  // Turned so that the seam of the world is always opposite to the middle of the picture.
  const projection = geoProjection((x, y) => [x, y * frame.stretch])
    .rotate([-view.x, 0])
    .center([0, 0])
    .scale(unit / RADIANS)
    .translate([frame.width / 2, frame.height / 2 + view.y * unit * frame.stretch])
    .precision(1)
    .clipExtent([
      [-2, -2],
      [frame.width + 2, frame.height + 2],
    ]);
  geoPath(projection, context)(land);
}
