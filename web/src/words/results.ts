/** Texts of the datasets found. */
import { counted, filesText, wholeNumber } from "../service/numbers.js";
import { USUAL } from "../service/years.js";

export const words = {
  title: "Datasets",
  busy: "Loading datasets …",
  code: "Datasets",
  found: (datasets: number, count: number): string =>
    `${counted(datasets, "dataset", "datasets")}, ${filesText(count)}`,
  shown: (shown: number, all: number): string =>
    `${wholeNumber(shown)} of ${counted(all, "dataset", "datasets")} shown`,
  more: (count: number): string => `Show ${wholeNumber(count)} more`,
  loading: "Loading …",
  max: "The page shows no more. Narrow the search to see the others.",
  nothing: "No files found.",
  table: "Datasets of this search",
  name: "Dataset",
  period: "Period",
  size: "Files",
  actions: "Actions",
  unnamed: "Files without a dataset",
  files: filesText,
  bytes: (text: string, isAll: boolean): string => (isAll ? text : `at least ${text}`),
  versions: (names: readonly string[], all: number): string =>
    all > names.length ? `${names.join(", ")} and ${all - names.length} more` : names.join(", "),
  retracted: "Retracted",
  partlyRetracted: (retracted: number, all: number): string =>
    `${wholeNumber(retracted)} of ${filesText(all)} retracted`,
  archive: (fsType: string): string =>
    /^(?:hsm|tape)$/i.test(fsType) ? "On tape" : `On ${fsType}`,
  origin: "Model · experiment",
  sort: "Sort by",
  sortOf: { name: "Name", size: "Size", newest: "Newest", start: "Start of period" },
  density: "Height of rows",
  compact: "Compact",
  comfortable: "Comfortable",
  noPeriod: "no period given",
  constant: "constant in time",
  open: "…",
  gap: "gap",
  overlap: "overlap",
  gaps: (texts: readonly string[], more: number): string =>
    `${counted(texts.length + more, "gap", "gaps")}: ${texts.join(", ")}${more > 0 ? " …" : ""}`,
  overlaps: (texts: readonly string[], more: number): string =>
    `${counted(texts.length + more, "overlap", "overlaps")}: ${texts.join(", ")}${more > 0 ? " …" : ""}`,
  undated: (count: number): string => `${filesText(count)} without a period`,
  legend: "In the bars:",
  covered: "covered",
  earlier: `begins before ${USUAL.first}`,
  look: "First look",
  lookAt: (name: string): string => `First look at ${name}`,
  add: "Add to cart",
  addName: (name: string): string => `Add to cart: ${name}`,
  added: "In the cart",
  addedName: (name: string): string => `In the cart: ${name}`,
  isAdded: "Added to the cart.",
  full: "The cart is full. Download it, or remove entries.",
  filesOf: (count: number, name: string): string => `${filesText(count)} of ${name}`,
  stacItem: "STAC item",
  stacCode: "pystac-client code",
  fileTable: "Files of this dataset",
  file: "File",
  version: "Version",
  bytesOfFile: "Size",
  moreFiles: "Show more files",
  filesShown: (shown: number, all: number): string =>
    `${wholeNumber(shown)} of ${filesText(all)} shown`,
} as const;
