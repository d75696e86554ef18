import type { SolrDocument } from "../../../index/export/export.js";

/** Documents that are there already, as those of a list come. */
export async function* oneBatch(documents: readonly SolrDocument[]) {
  yield documents;
}
