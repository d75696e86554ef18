/**
 * Clauses on the documents' boxes. Degrees, longitudes eastwards. Source: search-semantics, "Filters".
 *
 * Documents use longitudes from -180 to 180, from 0 to 360, from -280 to 80 and others, so one meridian has several numbers.
 * The index stores the four sides as numbers, so a box is compared as an interval that repeats every 360 degrees.
 */
import { type Region, readRegion } from "../extent/region.js";
import { cached } from "./lucene.js";
import type { Select } from "./period-clause.js";

/** A number for Solr, without binary rounding noise. */
const degrees = (value: number): string => String(Math.round(value * 1e9) / 1e9);
const upTo = (value: number): string => `[* TO ${degrees(value)}]`;
const from = (value: number): string => `[${degrees(value)} TO *]`;

/** Matches documents by `bbox_east` minus `bbox_west`; cached by Solr. */
const width = (range: string): string => cached(`{!frange ${range} v='sub(bbox_east,bbox_west)'}`);

/** Boxes around the globe; grids often lack the last step. */
const ROUND_THE_GLOBE = width("l=359.9999");

/**
 * A document's east may be some turns too small: 10,20 but 350,10, 350,-20 and 700,-300. Longitudes of documents lie between
 * -360 and 720 (`requireEnvelope`); with the turns added, boxes lie between `first` and `last`.
 */
const TURNS = [
  { turn: 0, documents: width("l=0"), first: -360, last: 720 },
  { turn: 360, documents: width("l=-360 u=0 incu=false"), first: -360, last: 1080 },
  { turn: 720, documents: width("l=-720 u=-360 incu=false"), first: 0, last: 1080 },
  { turn: 1080, documents: width("u=-720 incu=false"), first: 360, last: 1080 },
];

interface Sides {
  latitudes(region: Region): string;
  /** @param turn degrees to add to the document's east */
  longitudes(west: number, east: number, turn: number): string;
}

/** Conditions on the sides of a document's box */
const SIDES: Record<Select, Sides> = {
  flexible: {
    latitudes: ({ south, north }) => `+bbox_south:${upTo(north)} +bbox_north:${from(south)}`,
    longitudes: (west, east, turn) => `+bbox_west:${upTo(east)} +bbox_east:${from(west - turn)}`,
  },
  strict: {
    latitudes: ({ south, north }) => `+bbox_south:${from(south)} +bbox_north:${upTo(north)}`,
    longitudes: (west, east, turn) => `+bbox_west:${from(west)} +bbox_east:${upTo(east - turn)}`,
  },
  file: {
    latitudes: ({ south, north }) => `+bbox_south:${upTo(south)} +bbox_north:${from(north)}`,
    longitudes: (west, east, turn) => `+bbox_west:${upTo(west)} +bbox_east:${from(east - turn)}`,
  },
};

/** All shifts that can bring a region to the longitudes of documents. */
const REPETITIONS = [-1080, -720, -360, 0, 360, 720, 1080];

/** Matches documents by the relation of their box to a region. */
export function regionClause(text: string, select: Select): string {
  const region = readRegion(text);
  const { latitudes, longitudes } = SIDES[select];
  if (region.east - region.west >= 360) {
    const globe = select === "file" ? ` +${ROUND_THE_GLOBE}` : "";
    return `(${latitudes(region)}${globe})`;
  }
  const alternatives = TURNS.map(({ turn, documents, first, last }) => {
    const ranges = REPETITIONS.map((shift) => [region.west + shift, region.east + shift] as const)
      .filter(([west, east]) => east >= first && west <= last)
      .map(([west, east]) => `(${longitudes(west, east, turn)})`);
    return `(+${documents} +(${ranges.join(" ")}))`;
  });
  if (select === "file") alternatives.push(ROUND_THE_GLOBE);
  return `(${latitudes(region)} +(${alternatives.join(" ")}))`;
}
