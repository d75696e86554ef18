/** Documents in batches. */
import type { DocumentBatches, SolrDocument } from "./export.js";

/** Batches without their first `count` documents; none of them is empty. */
export async function* without(
  count: number,
  batches: DocumentBatches,
): AsyncGenerator<readonly SolrDocument[], void, undefined> {
  let left = count;
  for await (const documents of batches) {
    const rest = left > 0 ? documents.slice(left) : documents;
    left -= documents.length - rest.length;
    if (rest.length > 0) yield rest;
  }
}
