/** Coastlines as an SVG path (Natural Earth 1:110 million), loaded with the first map. */
import { useEffect, useState } from "preact/hooks";

/** Degrees around the middle of the map: x from 0 to 360 eastwards, y from 0 to 180 southwards. */
const PER_RADIAN = 180 / Math.PI;

const kept = new Map<number, Promise<string>>();

/** @param centre the longitude in the middle of the map */
function landPath(centre: number): Promise<string> {
  const before = kept.get(centre);
  if (before !== undefined) return before;
  const path = drawn(centre);
  kept.set(centre, path);
  path.catch(() => kept.delete(centre));
  return path;
}

async function drawn(centre: number): Promise<string> {
  const [{ geoEquirectangular, geoPath }, { feature }, { default: atlas }] = await Promise.all([
    import("d3-geo"),
    import("topojson-client"),
    import("world-atlas/land-110m.json"),
  ]);
  const topology = atlas as unknown as TopoJSON.Topology<{ land: TopoJSON.GeometryCollection }>;
  const projection = geoEquirectangular()
    .rotate([-centre, 0])
    .scale(PER_RADIAN)
    .translate([180, 90]);
  return geoPath(projection).digits(1)(feature(topology, topology.objects.land)) ?? "";
}

/** The coastlines, once loaded; a map works without them. */
export function useLandPath(centre: number): string {
  const [land, setLand] = useState("");
  useEffect(() => {
    let isGone = false;
    landPath(centre).then(
      (path) => !isGone && setLand(path),
      () => undefined,
    );
    return () => {
      isGone = true;
    };
  }, [centre]);
  return land;
}
