import type { SolrDocument } from "../../../index/export/export.js";

/** Documents in memory as the batches of a list. */
export async function* oneBatch(documents: readonly SolrDocument[]) {
  yield documents;
}
