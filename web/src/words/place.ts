/** Texts of the timeline and the map. */
import type { Preset } from "../place/period/period-text.js";

const PRESETS: Readonly<Record<Preset["name"], string>> = {
  historical: "Historical",
  scenario: "Scenarios",
  last30: "Last 30 years",
};

export const words = {
  title: "Period and region",
  codeBoxes: "Boxes of the files found",
  codeYears: "Years of the files found",
  period: "Period",
  from: "From",
  to: "To",
  dateHint: "A year, month or day: 1850, 1850-03, 1850-03-01. Leave empty for an open end.",
  fromHandle: "First year",
  toHandle: "Last year",
  open: "open",
  presets: "Common periods",
  preset: (name: Preset["name"], first?: number, last?: number) =>
    `${PRESETS[name]} ${first} to ${last}`,
  timeSelect: "Data",
  timeSelects: {
    flexible: "overlap the period",
    strict: "lie entirely within it",
    file: "cover all of it in each file",
  },
  clearPeriod: "Any period",
  timeline: (first: number, last: number) => `Years ${first} to ${last}`,
  histogram: (first: number, last: number, max: string) =>
    `Files by year, ${first} to ${last}; at most ${max} in a year`,
  whole: (first: string, last: string) => `Show all years, ${first} to ${last}`,
  histogramTable: "Files by year, as a table",
  years: "Years",
  files: "Files",
  otherPeriods: "Also in the search:",
  periodFault: (reason: string) => `The period ${reason}.`,

  region: "Region",
  map: "Map: a box",
  mapHelp:
    "Drag to draw a box, also across the edge of the map. Arrow keys move the box by 5°, with Shift they resize it; Enter draws one in the middle, Delete removes it.",
  noBox: "no box",
  centre: "Centre of the map",
  centres: { 0: "0°", 180: "180°" },
  west: "West",
  east: "East",
  south: "South",
  north: "North",
  degrees:
    "Degrees; longitudes from -180 to 360. If west exceeds east, the box crosses the antimeridian.",
  boxFault: (reason: string) => `The region ${reason}.`,
  bboxSelect: "Data",
  bboxSelects: {
    flexible: "overlap the box",
    strict: "lie entirely within it",
    file: "cover all of it in each file",
  },
  clearRegion: "Anywhere",
  named: "Named regions (IPCC AR6)",
  findNamed: "Find a named region",
  namedFound: (count: number) => `${count} of 58 named regions`,
  noneNamed: "No region has this name or code.",
  within: (name: string, code: string) => `The box around ${name} (${code})`,
  source:
    "IPCC WGI reference regions, version 4: Iturbide et al. (2020), doi.org/10.5194/essd-12-2959-2020, CC BY 4.0",
  boxesFound: (count: string) => `Boxes of the files found: ${count}`,
  boxesMore: (shown: string, all: string) => `The ${shown} of ${all} with the most files.`,
  boxesKnown: (known: string, all: string) => `${known} of ${all} files have a box.`,
  box: "Box",
  takeBox: "Search here",
} as const;
