/** What is asked about all that a search finds: how much it is, of when, of what formats, and where. */
import { eachValue, type FacetTree } from "./facet-tree.js";
import { exactly, startsWith } from "./lucene.js";

/** `sized` counts the files of which the size is known. */
const SIZES = { bytes: "sum(size)", sized: "countvals(size)" } as const;

export const SUMMARY_FACETS: FacetTree = {
  ...SIZES,
  datasets: "unique(dataset_id)",
  start: "min(time_start)",
  end: "max(time_end)",
  formats: eachValue("format"),
  storage: eachValue("fs_type", SIZES),
  retracted: { type: "query", q: exactly("retracted", "true") },
};

/** Documents of which lists of a search are made up to tell how long they would be. */
export const SAMPLE_ROWS = 64;

/**
 * Everything, and before all others what has digests that begin alike: one in 4,096, 256, 16 documents, of any folder and
 * dataset, as digests have nothing to do with what they are of. Each is kept by Solr as a filter.
 */
export const SAMPLE_QUERY = [
  "+*:*",
  ...["a", "a3", "a3f"].map(
    (begin) => `filter(${startsWith("file_digest", begin)})^=${16 ** begin.length}`,
  ),
].join(" ");
