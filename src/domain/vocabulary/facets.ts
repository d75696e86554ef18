/**
 * The facets: the names under which documents are described, found and counted.
 *
 * This table is the only place where a facet is named. Its order is the order of facets everywhere:
 * in the overview, in a metadata search and in catalogues (search-semantics, "Facets and flavours").
 */

import { type CountableDetail, DETAILS, isDetail } from "./details.js";

interface FacetTraits {
  /** What it is, as the contract describes it: a phrase with a capital and no full stop. */
  readonly description: string;
  /** A value that the sample catalogue has. */
  readonly example: string;
  /** The most important facets; clients may hide the others by default. */
  readonly primary?: true;
  /** Left out of a metadata search unless it is asked for by name. */
  readonly onRequest?: true;
  /** Has one value a document; every other facet may have several. */
  readonly single?: true;
  /** Only registered user data have it: a search that leaves them out would never find anything by it. */
  readonly ofUserData?: true;
  /**
   * Few standards have it: a flavour lists and counts it only if it names it as its own, and is else not searched by it,
   * but where names are native.
   */
  readonly special?: true;
  /** What a document has that does not say. The Solr schema carries the same default. */
  readonly default?: string;
  /**
   * The field with docValues that holds the value as it was stored, for those whose own field is an
   * index structure (a date range, a box) that Solr can neither count nor export.
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

/** The native name of a facet, which is also the name of its field in Solr. */
export type Facet = keyof typeof table;

/**
 * What values can be counted of: `version` is like a facet, but only where all versions are searched, a detail only
 * where it is asked for by name.
 */
export type CountedField = Facet | "version" | CountableDetail;

export const FACETS: Readonly<Record<Facet, FacetTraits>> = table;

/** Every facet, in the order of facets. */
export const FACET_NAMES = Object.keys(table) as readonly Facet[];

/** Whether a document has one value of it at the most. */
export function isSingle(facet: CountedField): boolean {
  if (facet === "version") return true;
  return isDetail(facet) ? DETAILS[facet].several !== true : FACETS[facet].single === true;
}

/** The field that Solr counts and exports for a facet. */
export function storedField(facet: CountedField): string {
  return facet === "version" || isDetail(facet) ? facet : (FACETS[facet].storedIn ?? facet);
}
