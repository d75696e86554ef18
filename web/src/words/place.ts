/** Texts of the timeline and the map. */
import type { Preset } from "../place/period-text.js";

const PRESETS: Readonly<Record<Preset["name"], string>> = {
  historical: "Historical",
  scenario: "Scenarios",
  last30: "Last 30 years",
};

export const words = {
  title: "Period and region",
  codeBoxes: "The boxes of what is found",
  codeYears: "The years of what is found",
  anywhere: "any period, anywhere",
  period: "Period",
  from: "From",
  to: "To",
  dateHint: "A year, month or day: 1850, 1850-03, 1850-03-01. Empty is open.",
  fromHandle: "First year",
  toHandle: "Last year",
  open: "open",
  presets: "Usual periods",
  preset: (name: Preset["name"], first?: number, last?: number) =>
    `${PRESETS[name]} ${first} to ${last}`,
  timeSelect: "Data",
  timeSelects: {
    flexible: "overlap the period",
    strict: "lie wholly inside it",
    file: "cover it whole, each file alone",
  },
  clearPeriod: "Any period",
  timeline: (first: number, last: number) => `Years ${first} to ${last}`,
  histogram: (first: number, last: number, most: string) =>
    `Files by year, ${first} to ${last}; at most ${most} at once`,
  whole: (first: number, last: number) => `Show all years, ${first} to ${last}`,
  histogramTable: "Files by year, as a table",
  years: "Years",
  files: "Files",
  noYears: "Nothing that is found has a period with an end.",
  otherPeriods: "Also in the search:",
  periodFault: (reason: string) => `The period ${reason}.`,

  region: "Region",
  map: "Map: a box",
  mapHelp:
    "Draw a box by dragging, also over the edge of the map. By keyboard: arrow keys move the box by 5°, with Shift its size changes, Enter draws one in the middle, Delete takes it away.",
  noBox: "no box",
  centre: "Middle of the map",
  centres: { 0: "0°", 180: "180°" },
  west: "West",
  east: "East",
  south: "South",
  north: "North",
  degrees:
    "Degrees; longitudes from -180 to 360. A west larger than the east crosses the antimeridian.",
  boxFault: (reason: string) => `The region ${reason}.`,
  bboxSelect: "Data",
  bboxSelects: {
    flexible: "overlap the box",
    strict: "lie wholly inside it",
    file: "cover it whole, each file alone",
  },
  clearRegion: "Anywhere",
  named: "Named regions (IPCC AR6)",
  findNamed: "Find a named region",
  namedFound: (count: number) => `${count} of 58 named regions`,
  noneNamed: "No region has this name or code.",
  within: (name: string, code: string) => `The box around ${name} (${code})`,
  source:
    "IPCC WGI reference regions, version 4: Iturbide et al. (2020), doi.org/10.5194/essd-12-2959-2020, CC BY 4.0",
  boxesFound: (count: string) => `Boxes of what is found: ${count}`,
  boxesMore: (shown: string, all: string) =>
    `The ${shown} with the most files are shown, of ${all}.`,
  boxesKnown: (known: string, all: string) => `${known} of ${all} files have a box.`,
  box: "Box",
  takeBox: "Search here",
} as const;
