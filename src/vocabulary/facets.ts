/**
 * The facets: the names under which documents are described, found and counted.
 *
 * This table is the only place where a facet is named. Its order is the order of facets everywhere:
 * in the overview, in a metadata search and in catalogues (search-semantics, "Facets and flavours").
 */

interface FacetTraits {
  /** The most important facets; clients may hide the others by default. */
  readonly primary?: true;
  /** Left out of a metadata search unless it is asked for by name. */
  readonly onRequest?: true;
  /** Has one value a document; every other facet may have several. */
  readonly single?: true;
  /** Only registered user data have it: a search that leaves them out would never find anything by it. */
  readonly ofUserData?: true;
  /** What a document has that does not say. The Solr schema carries the same default. */
  readonly default?: string;
  /**
   * The field with docValues that holds the value as it was stored, for those whose own field is an
   * index structure (a date range, a box) that Solr can neither count nor export.
   */
  readonly storedIn?: string;
}

const table = {
  project: { primary: true },
  product: { primary: true },
  institute: { primary: true },
  model: { primary: true },
  experiment: { primary: true },
  time_frequency: { primary: true },
  realm: { primary: true },
  variable: { primary: true },
  ensemble: { primary: true },
  time_aggregation: { primary: true, default: "mean" },
  fs_type: { single: true, default: "posix" },
  grid_label: { default: "gn" },
  cmor_table: {},
  driving_model: {},
  format: { single: true, default: "nc" },
  grid_id: {},
  level_type: { default: "2d" },
  rcm_name: {},
  rcm_version: {},
  dataset: { single: true },
  time: { onRequest: true, single: true, storedIn: "time_raw" },
  bbox: { onRequest: true, single: true },
  user: { onRequest: true, single: true, ofUserData: true },
} as const satisfies Record<string, FacetTraits>;

/** The native name of a facet, which is also the name of its field in Solr. */
export type Facet = keyof typeof table;

/** `version` is counted and filtered like a facet, but only where all versions are searched. */
export type CountedField = Facet | "version";

export const FACETS: Readonly<Record<Facet, FacetTraits>> = table;

/** Every facet, in the order of facets. */
export const FACET_NAMES = Object.keys(table) as readonly Facet[];

/** Whether a document has one value of it at the most. */
export const isSingle = (facet: CountedField): boolean =>
  facet === "version" || FACETS[facet].single === true;

/** The field that Solr counts and exports for a facet. */
export function storedField(facet: CountedField): string {
  return facet === "version" ? facet : (FACETS[facet].storedIn ?? facet);
}
