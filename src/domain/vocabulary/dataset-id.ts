/**
 * The name of the dataset that a document belongs to.
 *
 * It is what the document's own standard calls it, and never depends on where a copy lies: the same dataset on disk and
 * in the archive has one name.
 */
import { FACET_NAMES, FACETS, type Facet } from "./facets.js";
import { FLAVOUR_NAMES, FLAVOURS, type NamePart } from "./flavours.js";

type Fields = Readonly<Record<string, unknown>>;

/** The parts of names in each standard, by the projects that follow it. */
const BY_PROJECT: ReadonlyMap<string, readonly NamePart[]> = new Map(
  FLAVOUR_NAMES.flatMap((flavour) => {
    const { projects = [], datasetId = [] } = FLAVOURS[flavour];
    return projects.map((project) => [project, datasetId] as const);
  }),
);

/** Where and how a copy is kept, and what differs between the files of a dataset. */
const OF_A_COPY = new Set<Facet>(["fs_type", "format", "dataset", "time", "bbox", "user"]);

/** For what follows no standard that is known, or lacks a part of its name: all that is said of it. */
const GENERAL: readonly Facet[] = FACET_NAMES.filter((facet) => !OF_A_COPY.has(facet));

/** One of them must be there besides a project: monthly temperature alone is not of one dataset. */
const NEEDED: readonly Facet[] = ["product", "model", "experiment"];

/** A facet's value in a name. Several are in an order of their own, as an index does not keep that of the document. */
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
 * The name of a document's dataset, without a version; undefined where the document says too little of what it is.
 *
 * @param document by native names, values alone or in lists
 */
export function datasetId(document: Fields): string | undefined {
  const project = partOf(document, "project");
  if (project === undefined) return undefined;
  const standard = BY_PROJECT.get(project.toLowerCase());
  const name = standard && nameOf(document, standard);
  if (name !== undefined) return name;
  if (NEEDED.every((facet) => partOf(document, facet) === undefined)) return undefined;
  let general = "";
  for (const facet of GENERAL) {
    const value = partOf(document, facet);
    if (value !== undefined) general += general === "" ? value : `.${value}`;
  }
  return general;
}

/** Undefined where a part is missing. */
function nameOf(document: Fields, parts: readonly NamePart[]): string | undefined {
  let name = "";
  for (const part of parts) {
    const value = typeof part === "string" ? partOf(document, part) : part.word;
    if (value === undefined) return undefined;
    name += name === "" ? value : `.${value}`;
  }
  return name;
}

/** The name of one version of a dataset, such as `....v20190710`; without one where the document has none. */
export const versionedDatasetId = (document: Fields): string | undefined =>
  versioned(datasetId(document), document.version);

/** A dataset's name with a document's `version` behind it. */
export function versioned(name: string | undefined, version: unknown): string | undefined {
  const text = String((Array.isArray(version) ? version[0] : version) ?? "");
  if (name === undefined || text === "") return name;
  return `${name}.${/^\d+$/.test(text) ? "v" : ""}${text}`;
}
