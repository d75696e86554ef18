/** Texts of the search view. */
import { filesText, wholeNumber } from "../service/numbers.js";

const meant = (value: string, isExcluded: boolean): string => (isExcluded ? `not ${value}` : value);

export const words = {
  title: "Search",
  facets: "Facets",
  facetsOnPhone: (chosen: number) => (chosen === 0 ? "Filter" : `Filter (${chosen} chosen)`),
  closeFacets: "Close",
  showFound: (count: number) => `Show ${filesText(count)}`,
  moreFacets: "More facets",
  facetsHint: "Escape leads to the results.",
  number: wholeNumber,
  flavour: "Vocabulary",
  flavourHelp: "The names of the facets. They do not change what is found.",
  ofUser: (name: string, owner: string) => `${name} (${owner})`,
  allVersions: "All versions",
  allVersionsHelp: "Not only the newest version of each dataset.",

  filter: (name: string) => `Filter ${name}`,
  filterShort: (count: number) => `Filter ${wholeNumber(count)} values (* matches anything)`,
  shown: (shown: number, all: number) => `${wholeNumber(shown)} of ${wholeNumber(all)} values`,
  none: "None",
  noneOf: (name: string) => ` of ${name}`,
  all: (count: number) => `All ${wholeNumber(count)}`,
  allOf: (name: string) => ` shown of ${name}`,
  choosePattern: (pattern: string) => `All ${pattern}`,
  values: (name: string) => `Values of ${name}`,
  namedValues: (name: string) => `Chosen values of ${name}`,
  nothingMatches: "No value matches.",
  noValues: "The files found have no value.",
  chosen: (count: number) => `${count} chosen`,
  exclude: (value: string) => `Exclude ${value}`,
  excludeAgain: (value: string) => `Stop excluding ${value}`,

  constraints: "Chosen",
  clearAll: "Clear all",
  remove: (text: string) => `Remove ${text}`,
  meant,
  value: (name: string, value: string, isExcluded: boolean) =>
    `${name}: ${meant(value, isExcluded)}`,
  period: (text: string, isExcluded: boolean) => `Period: ${meant(text, isExcluded)}`,
  region: (text: string, isExcluded: boolean) => `Region: ${meant(text, isExcluded)}`,
  setting: (name: string, value: string) => `${name}: ${value}`,

  nothing: "Nothing is found",
  nothingAtAll: "The index has no data yet.",
  whichToDrop: "Remove one of these to find files:",
  together: "No single constraint is the cause. Together these exclude everything:",
  named: { time: "Period", bbox: "Region" },
  drop: (name: string, values: string) => `Without ${name}: ${values}`,
  gives: filesText,
  dropTogether: (names: string) => `Without ${names}`,
  unmatched: (name: string, value: string) =>
    `No file that meets the other constraints has ${name} “${value}”.`,
  unknown: (name: string, value: string) => `No file has ${name} “${value}”.`,
  unknownValues: "Unknown values",
  near: "Did you mean:",
  insteadOf: (value: string) => ` instead of ${value}`,
  asking: "Finding the cause …",
  askingFacets: "Counting …",

  codeFacets: "Facet values with counts",
  codeFiles: "Files as paths",
  codeSummary: "Summary",
  codeWhy: "Why nothing is found",
} as const;
