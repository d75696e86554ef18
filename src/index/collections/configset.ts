/**
 * The generation of solr/configset: one more with each change that documents must be copied for. Its schema writes the
 * number into every document, so that who may only search can tell what an index is of.
 */
export const GENERATION = 2;

/**
 * Fields that Solr makes itself when a document is written. A document that is read from an index and written again leaves
 * them behind: `_version_` would be a condition on what is stored already, the others would come twice.
 */
export const COMPUTED: readonly string[] = [
  ...["_version_", "_root_", "_generation_", "_copied_version_"],
  ...["drs_key", "time_raw", "file_digest"],
];

/**
 * The field by which SolrCloud chooses a document's shard; solr/configset makes it of `file`, so that the files of a
 * dataset share one. `state` has its keys for that.
 */
export const ROUTE = "route";

/** The collections of the catalogue; the third, `state`, has a configset of its own. */
export const CATALOGUE = ["files", "latest"] as const;
export type Catalogue = (typeof CATALOGUE)[number];

/** Which of the shipped configsets (folders of solr/) a collection has. */
export function configsetOf(collection: string): string {
  return collection === "state" ? "state" : "configset";
}

/** What a shipped configset is called in a Solr that keeps several: earlier ones stay beside it. */
export const configsetName = (configset: string): string =>
  configset === "state" ? "climate-nextgen-state" : `climate-nextgen-${GENERATION}`;
