/**
 * The name of a document's dataset, in the document's own standard. It does not depend on where a copy lies: the same dataset
 * on disk and in the archive has one name.
 */
import { FACET_NAMES, FACETS, type Facet } from "./facets.js";
import { FLAVOUR_NAMES, FLAVOURS, type NamePart } from "./flavours.js";

type Fields = Readonly<Record<string, unknown>>;

/** Standards without a flavour of their own. */
const OTHERS: Readonly<Record<string, readonly NamePart[]>> = {
  // obs4MIPs data specifications (ODS 2.5), "Directory structure", and the variant: different preparations replace no others.
  obs4mips: [
    "project",
    "institute",
    "model",
    "time_frequency",
    "variable",
    "grid_label",
    "ensemble",
  ],
  // Bias-adjusted data: like those of CORDEX, below two other words.
  "cordex-adjust": [
    { word: "cordex-adjust" },
    { word: "bias-adjusted-output" },
    ...(FLAVOURS.cordex.datasetId ?? []).slice(2),
  ],
};

/** The parts of dataset names, by project. */
const BY_PROJECT: ReadonlyMap<string, readonly NamePart[]> = new Map([
  ...Object.entries(OTHERS),
  ...FLAVOUR_NAMES.flatMap((flavour) => {
    const { projects = [], datasetId = [] } = FLAVOURS[flavour];
    return projects.map((project) => [project, datasetId] as const);
  }),
]);

/** Facets of a copy, or of a single file, rather than of the dataset. */
const OF_A_COPY = new Set<Facet>(["fs_type", "format", "dataset", "time", "bbox", "user"]);

/** Parts of the name for documents of unknown standards, or without a part that the standard requires. */
const GENERAL: readonly Facet[] = FACET_NAMES.filter((facet) => !OF_A_COPY.has(facet));

/** A general name needs one of these: project and variable alone do not identify a dataset. */
const NEEDED: readonly Facet[] = ["product", "model", "experiment"];

/** A facet's value in a name. Several values are sorted, as the index does not keep their order. */
function partOf(document: Fields, facet: Facet): string | undefined {
  const value = document[facet];
  if (typeof value === "string" && value !== "") return value;
  if (Array.isArray(value)) {
    if (value.length === 1 && typeof value[0] === "string" && value[0] !== "") return value[0];
    const texts = value.flatMap((one) => (one === null || one === "" ? [] : [String(one)]));
    if (texts.length > 0) return [...new Set(texts)].sort().join("-");
  } else if (typeof value === "number" || typeof value === "boolean") return String(value);
  return FACETS[facet].default;
}

/**
 * The name of a document's dataset, without a version; undefined if the document does not identify one.
 *
 * @param document by native names; values may be lists
 */
export function datasetId(document: Fields): string | undefined {
  return standardDatasetId(document) ?? generalDatasetId(document);
}

/** The name of a document without a standard, or without a part that its standard requires. */
export function generalDatasetId(document: Fields): string | undefined {
  if (partOf(document, "project") === undefined) return undefined;
  if (NEEDED.every((facet) => partOf(document, facet) === undefined)) return undefined;
  return GENERAL.flatMap((facet) => partOf(document, facet) ?? []).join(".");
}

/** The name by the standard of the document's project; undefined without all parts that the standard requires. */
export function standardDatasetId(document: Fields): string | undefined {
  const standard = BY_PROJECT.get(partOf(document, "project")?.toLowerCase() ?? "");
  const values = standard?.map((part) =>
    typeof part === "string" ? partOf(document, part) : part.word,
  );
  return values?.includes(undefined) ? undefined : values?.join(".");
}
