/**
 * The facets by which documents are described, found and counted. This table is the only list of them.
 *
 * Its order is the order of facets everywhere: in the overview, in metadata searches and in catalogues (search-semantics,
 * "Facets and flavours").
 */

import { type CountableDetail, DETAILS, isDetail } from "./details.js";

interface FacetTraits {
  /** For the contract: a phrase with a capital and no full stop. */
  readonly description: string;
  /** A value from the sample catalogue. */
  readonly example: string;
  /** Clients may hide all others by default. */
  readonly primary?: true;
  /** Metadata searches leave it out unless it is requested by name. */
  readonly onRequest?: true;
  /** A document has at most one value. */
  readonly single?: true;
  /** Only user data has it, so searches without user data cannot use it. */
  readonly ofUserData?: true;
  /** Few standards have it: a flavour uses it only if it names it, or if it uses native names. */
  readonly special?: true;
  /** Value of documents without one; the Solr schema has the same default. */
  readonly default?: string;
  /**
   * The docValues field with the stored value, for facets whose own field (a date range, a box) Solr can neither count nor
   * export.
   */
  readonly storedIn?: string;
}

const table = {
  project: { description: "Project that the data were made for", example: "CMIP6", primary: true },
  product: { description: "Product, activity or region", example: "CMIP", primary: true },
  institute: { description: "Institution that made the data", example: "MPI-M", primary: true },
  model: { description: "Model, or source", example: "MPI-ESM1-2-LR", primary: true },
  experiment: { description: "Experiment or simulation", example: "historical", primary: true },
  time_frequency: { description: "Frequency in time", example: "mon", primary: true },
  realm: { description: "Part of the climate system", example: "atmos", primary: true },
  variable: { description: "Variable", example: "tas", primary: true },
  ensemble: { description: "Ensemble member", example: "r1i1p1f1", primary: true },
  time_aggregation: {
    description: "Kind of mean in time",
    example: "mean",
    primary: true,
    default: "mean",
  },
  fs_type: { description: "Kind of storage", example: "posix", single: true, default: "posix" },
  grid_label: { description: "Label of the grid", example: "gn", default: "gn" },
  cmor_table: { description: "Table of the variable in its project", example: "Amon" },
  driving_model: { description: "Driving model", example: "MPI-M-MPI-ESM-LR" },
  format: { description: "Format of the file", example: "nc", single: true, default: "nc" },
  grid_id: { description: "Identifier of the grid", example: "n320" },
  level_type: { description: "Kind of levels", example: "2d", default: "2d" },
  rcm_name: { description: "Name of the regional model", example: "CLMcom-CCLM4-8-17" },
  rcm_version: { description: "Version of the regional run", example: "v1" },
  region: { description: "Region that the data cover, by its name", example: "glb", special: true },
  branding_suffix: {
    description: "What was done to the variable in time and space, and where it is given",
    example: "tavg-h2m-hxy-u",
    special: true,
  },
  dataset: { description: "Collection of the catalogue", example: "sample", single: true },
  time: {
    description: "Period of the data",
    example: "1990 to 1994",
    onRequest: true,
    single: true,
    storedIn: "time_raw",
  },
  bbox: {
    description: "Region of the data",
    example: "-10,30,35,70",
    onRequest: true,
    single: true,
  },
  user: {
    description: "User who registered the data",
    example: "demo",
    onRequest: true,
    single: true,
    ofUserData: true,
  },
} as const satisfies Record<string, FacetTraits>;

/** The native name of a facet and of its Solr field. */
export type Facet = keyof typeof table;

/** Countable fields: `version` if all versions are searched, and details if requested by name. */
export type CountedField = Facet | "version" | CountableDetail;

export const FACETS: Readonly<Record<Facet, FacetTraits>> = table;

/** In the order of facets. */
export const FACET_NAMES = Object.keys(table) as readonly Facet[];

/** Whether a document has at most one value. */
export function isSingle(facet: CountedField): boolean {
  if (facet === "version") return true;
  return isDetail(facet) ? DETAILS[facet].several !== true : FACETS[facet].single === true;
}

/** The field that Solr counts and exports for a facet. */
export function storedField(facet: CountedField): string {
  return facet === "version" || isDetail(facet) ? facet : (FACETS[facet].storedIn ?? facet);
}
