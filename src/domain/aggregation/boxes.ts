/** What is asked about the boxes of all that a search finds. */
import type { FacetTree } from "./facet-request.js";

/** Texts of boxes that are told, the most frequent: some 60 bytes each. */
export const MAX_BOX_TEXTS = 10_000;

/** Solr asks shards again for what not all of them told, so that each number is of all of them. */
export const BOX_FACETS: FacetTree = {
  boxes: { type: "terms", field: "bbox", limit: MAX_BOX_TEXTS, refine: true },
  texts: "unique(bbox)",
  known: "countvals(bbox)",
};
