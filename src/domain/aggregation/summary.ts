/** What is asked about all that a search finds: how much it is, of when, of what formats, and where. */

import { before, exactly } from "../search/lucene.js";
import { eachValue, type FacetTree } from "./facet-request.js";

/** `sized` counts the files of which the size is known. */
const SIZES = { bytes: "sum(size)", sized: "countvals(size)" } as const;

/** How much it is all together follows from the kinds of storage, of which every document has one. */
export const SUMMARY_FACETS: FacetTree = {
  datasets: "unique(dataset_id)",
  start: "min(time_start)",
  end: "max(time_end)",
  formats: eachValue("format"),
  storage: eachValue("fs_type", SIZES),
  retracted: { type: "query", q: exactly("retracted", "true") },
};

/** Documents by which the lengths of lists are judged. */
export const SAMPLE_ROWS = 256;

/** Shares of all documents, as powers of a half: from the largest to one in 250,000. */
const [LARGEST, SMALLEST] = [2, 18];

/**
 * Everything, and before all others what has the first digests: each time half as many documents, of any folder and dataset, as
 * digests have nothing to do with what they are of. Solr keeps each share as a filter. The score of a document tells the smallest
 * share that it is in.
 */
export const SAMPLE_QUERY = [
  "+*:*",
  ...Array.from({ length: SMALLEST - LARGEST + 1 }, (_, index) => LARGEST + index).map(
    (power) => `filter(${before("file_digest", firstDigests(power))})^=${2 ** power}`,
  ),
].join(" ");

/** The digest before which there are so many halvings of all. */
function firstDigests(power: number): string {
  return (2 ** (20 - power)).toString(16).padStart(5, "0");
}
