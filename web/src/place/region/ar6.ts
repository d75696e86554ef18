/** The AR6 reference regions of the IPCC: 46 of land and 15 of ocean, of which three are both. */
import { gapsBetween } from "../../../../src/domain/extent/longitudes.js";
import { AR6_OUTLINES } from "./ar6-outlines.js";
import { type Box, settled } from "./box.js";

type Surface = "land" | "ocean" | "land and ocean";

type Point = readonly [longitude: number, latitude: number];

export interface NamedRegion {
  readonly code: string;
  readonly name: string;
  readonly surface: Surface;
  /** One outline, or one on each side of the antimeridian; the first point is not repeated. */
  readonly outlines: readonly (readonly Point[])[];
}

const SURFACES: Readonly<Record<string, Surface>> = {
  Land: "land",
  Ocean: "ocean",
  "Land-Ocean": "land and ocean",
};

/** Expands abbreviated names: `W.C.Asia`, `Russian-Far-East`, `West&Central-Europe`. */
const spaced = (name: string): string =>
  name
    .replaceAll("-", " ")
    .replaceAll("&", " & ")
    .replace(/\.(?=\w\w)/g, ". ");

function pointOf(text: string): Point {
  const [longitude = 0, latitude = 0] = text.split(" ").map(Number);
  return [longitude, latitude];
}

export const NAMED_REGIONS: readonly NamedRegion[] = AR6_OUTLINES.map((line) => {
  const [code = "", name = "", surface = "", outlines = ""] = line.split("|");
  return {
    code,
    name: spaced(name),
    surface: SURFACES[surface] ?? "land",
    outlines: outlines.split("/").map((outline) => outline.split(",").map(pointOf)),
  };
});

/** The smallest bounding box of a region: the circle without the widest gap between its outlines. */
export function boxAround({ outlines }: Pick<NamedRegion, "outlines">): Box {
  const arcs = outlines
    .map((outline) => outline.map(([longitude]) => longitude))
    .map((longitudes) => ({ west: Math.min(...longitudes), east: Math.max(...longitudes) }))
    .sort((a, b) => a.west - b.west);
  const [widest] = gapsBetween(arcs).sort((a, b) => b.width - a.width);
  const latitudes = outlines.flat().map(([, latitude]) => latitude);
  const [west, width] = [widest?.end ?? -180, 360 - (widest?.width ?? 0)];
  return settled({
    west,
    east: west + width,
    south: Math.min(...latitudes),
    north: Math.max(...latitudes),
  });
}

/** Regions whose code or name contains all words of a text, ignoring case; an exact code comes first. */
export function findRegions(text: string): readonly NamedRegion[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const found = NAMED_REGIONS.filter(({ code, name, surface }) => {
    const all = `${code} ${name} ${surface}`.toLowerCase();
    return words.every((word) => all.includes(word));
  });
  const isCode = ({ code }: NamedRegion): boolean =>
    code.toLowerCase() === text.trim().toLowerCase();
  return [...found.filter(isCode), ...found.filter((region) => !isCode(region))];
}
