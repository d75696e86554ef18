/** Coastlines (Natural Earth 1:110 million), loaded with the first map. */
import { geoPath, geoProjection } from "d3-geo";
import { useEffect, useState } from "preact/hooks";
import { feature } from "topojson-client";
import type { Topology } from "topojson-specification";
import type { Frame, View } from "./view.js";

/** Rings in either direction. */
export type Land = ReturnType<typeof feature>;

/** @throws TypeError if the file cannot be loaded */
export async function loadLand(): Promise<Land> {
  const { default: topology } = await import("world-atlas/land-110m.json");
  const atlas = topology as unknown as Topology;
  const { land } = atlas.objects;
  if (land === undefined) throw new TypeError("The atlas has no land.");
  return feature(atlas, land);
}

const RADIANS = Math.PI / 180;

/** Adds the coastlines to the path of a canvas, without stroking it. */
export function traceLand(
  land: Land,
  context: CanvasRenderingContext2D,
  view: View,
  frame: Frame,
): void {
  const unit = frame.width / view.span;
  // Rotated so that the seam is opposite the middle of the picture.
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

let loaded: Promise<Land> | undefined;

/** The coastlines once loaded; the map works without them. */
export function useLand(): Land | undefined {
  const [land, setLand] = useState<Land>();
  useEffect(() => {
    loaded ??= loadLand();
    loaded.then(setLand, () => {
      loaded = undefined;
    });
  }, []);
  return land;
}
