/**
 * The generation of solr/configset, increased by each change after which `solr upgrade` must copy the documents. Its schema writes the
 * number into every document, so that a search shows the generation of an index.
 */
export const GENERATION = 3;

/**
 * Fields that Solr computes when a document is written. A document that is copied must be written without them: `_version_`
 * would be a condition on the stored document, and the others would have two values.
 */
export const COMPUTED: readonly string[] = [
  "_version_",
  "_root_",
  "_generation_",
  "time_raw",
  "file_digest",
];

/**
 * The field by which SolrCloud chooses the shard of a document. solr/configset derives it from `file`, so that the files
 * of a dataset share a shard. The collection `state` uses its key instead.
 */
export const ROUTE = "route";

/** The collection of the catalogue. */
export const FILES = "files";

/** The collections of the service. `state` has a configset of its own. */
export const COLLECTIONS = [FILES, "state"] as const;

/** The collection that earlier generations had beside `files`, with the newest versions. */
export const FORMER_LATEST = "latest";

/** The configset of a collection: a folder of solr/. */
export function configsetOf(collection: string): string {
  return collection === "state" ? "state" : "configset";
}

/** The name of a configset in an outside Solr, where earlier generations are kept under other names. */
export const configsetName = (configset: string): string =>
  configset === "state" ? "climate-nextgen-state" : `climate-nextgen-${GENERATION}`;
