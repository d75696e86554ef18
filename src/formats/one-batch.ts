import type { SolrDocument } from "../solr/export.js";

/** Documents that are there already, as those of a list come. */
export async function* oneBatch(documents: readonly SolrDocument[]) {
  yield documents;
}
