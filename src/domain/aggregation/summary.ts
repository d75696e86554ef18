/** Solr facets and samples that describe the whole result of a search. */
import { exactly, sortedBefore } from "../search/lucene.js";
import { eachValue, type FacetTree } from "./facet-request.js";

/** `sized` counts the files with a known size. */
const SIZES = { bytes: "sum(size)", sized: "countvals(size)" } as const;

/** The total size is the sum over kinds of storage, which every document has. */
export const SUMMARY_FACETS: FacetTree = {
  datasets: "unique(dataset_id)",
  start: "min(time_start)",
  end: "max(time_end)",
  formats: eachValue("format"),
  storage: eachValue("fs_type", SIZES),
  retracted: { type: "query", q: exactly("retracted", "true") },
};

/** Reported box texts, the most frequent first: about 60 bytes each. */
export const MAX_BOX_TEXTS = 10_000;

/** `refine` makes counts exact across shards. */
export const BOX_FACETS: FacetTree = {
  boxes: { type: "terms", field: "bbox", limit: MAX_BOX_TEXTS, refine: true },
  texts: "unique(bbox)",
  known: "countvals(bbox)",
};

/** Documents sampled to estimate the length of a list. */
export const SAMPLE_ROWS = 256;

/** Sample sizes as powers of one half: a quarter of all documents down to one in 250,000. */
const [LARGEST, SMALLEST] = [2, 18];
/**
 * Sorts all documents so that those with the lowest digests come first: digests are independent of folder and dataset.
 * Each power selects half of the one before; Solr caches each as a filter. The score names the smallest share a document is in.
 */
export const SAMPLE_QUERY = [
  "+*:*",
  ...Array.from({ length: SMALLEST - LARGEST + 1 }, (_, index) => LARGEST + index).map(
    (power) => `filter(${sortedBefore("file_digest", firstDigests(power))})^=${2 ** power}`,
  ),
].join(" ");
/** The digest before which a share of 1 / 2^power of all digests lies. */
function firstDigests(power: number): string {
  return (2 ** (20 - power)).toString(16).padStart(5, "0");
}
