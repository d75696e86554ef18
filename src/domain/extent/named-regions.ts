/**
 * Regions with names: the AR6 reference regions of the IPCC (46 of land and 15 of ocean, of which three are both), and
 * the parts of the world that people name in everyday language.
 */
import { AR6_OUTLINES } from "./ar6-outlines.js";
import { boxText, settled } from "./box.js";
import { gapsBetween } from "./longitudes.js";
import type { Region } from "./region.js";

type Surface = "land" | "ocean" | "land and ocean";

type Point = readonly [longitude: number, latitude: number];

export interface NamedRegion {
  readonly code: string;
  readonly name: string;
  readonly surface: Surface;
  /** One outline, or one on each side of the antimeridian; the first point is not repeated. */
  readonly outlines: readonly (readonly Point[])[];
}

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
    surface: surface.toLowerCase().replace("-", " and ") as Surface,
    outlines: outlines.split("/").map((outline) => outline.split(",").map(pointOf)),
  };
});

/** The smallest bounding box of a region: the circle without the widest gap between its outlines. */
export function boxAround({ outlines }: Pick<NamedRegion, "outlines">): Region {
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

/** West, east, south and north of the box that a name stands for, in degrees. */
const EVERYDAY: Readonly<Record<string, readonly [number, number, number, number]>> = {
  Africa: [-20, 55, -36, 38],
  Antarctica: [-180, 180, -90, -60],
  Arctic: [-180, 180, 66.5, 90],
  Asia: [25, 180, -10, 82],
  Atlantic: [-100, 20, -60, 66],
  Australia: [110, 155, -45, -10],
  "Central America": [-93, -77, 7, 19],
  Europe: [-25, 45, 34, 72],
  "Indian Ocean": [20, 120, -60, 30],
  "Middle East": [25, 63, 12, 42],
  "North America": [-170, -50, 7, 84],
  "Northern Hemisphere": [-180, 180, 0, 90],
  Pacific: [120, 290, -60, 66],
  "South America": [-82, -34, -56, 13],
  "Southern Hemisphere": [-180, 180, -90, 0],
  Tropics: [-180, 180, -23.5, 23.5],
};

const INITIALS: Readonly<Record<string, readonly [string, string]>> = {
  N: ["north", "northern"],
  S: ["south", "southern"],
  E: ["east", "eastern"],
  W: ["west", "western"],
  C: ["central", "central"],
};

/** `N. Europe` -> `north europe`, `northern europe`. */
const spoken = (name: string): string[] =>
  ([0, 1] as const).map((form) =>
    name
      .replaceAll(/\b([NSEWC])\.\s*/g, (_, initial: string) => `${INITIALS[initial]?.[form]} `)
      .toLowerCase(),
  );

/** The boxes that names stand for, as the API's `bbox`, with the names as people write them. Everyday names first. */
export const NAMED_BOXES = [
  ...Object.entries(EVERYDAY).map(([name, [west, east, south, north]]) => ({
    label: name,
    names: [name],
    bbox: boxText({ west, east, south, north }),
  })),
  ...NAMED_REGIONS.map((region) => ({
    label: `${region.name} (${region.code})`,
    names: [...new Set(spoken(region.name)), region.code],
    bbox: boxText(boxAround(region)),
  })),
];
