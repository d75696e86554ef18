/** What is asked of Solr about a page of the datasets of a search: their names first, then their files. */

import type { GroupQuestion } from "../completeness/group-query.js";
import { behind, exists, hasTerm, noneOf } from "../search/lucene.js";
import type { FacetSearch } from "../search/search.js";
import { lowerCase } from "../text/case-folding.js";
import { DatasetTally } from "./dataset-accumulator.js";
import type { DatasetFacts } from "./datasets.js";
import type { FacetTree } from "./facet-request.js";

const NAME = "dataset_id";

/** What every file of a page tells of its dataset, beside facets. */
const FIELDS = [
  ...["file", "uri", NAME, "version", "retracted", "size", "format", "fs_type", "bbox"],
  ...["time_raw", "time_frequency"],
];

/**
 * The names that follow, each with the number of its files, and how many there are in all.
 *
 * @param after the name behind which they begin
 */
export const namesFacets = (limit: number, after: string | undefined): FacetTree => ({
  names: {
    ...{ type: "terms", field: NAME, limit, sort: "index asc" },
    ...(after !== undefined && { domain: { filter: behind(NAME, after) } }),
  },
  datasets: `unique(${NAME})`,
  named: { type: "query", q: exists(NAME) },
});

/** The files of datasets of these names. @param facets fields of the schema whose values are told */
export function datasetQuestion(
  { collection, filters }: FacetSearch,
  names: readonly string[],
  facets: readonly string[],
): GroupQuestion<DatasetFacts> {
  const terms = [...new Set(names.map(lowerCase))];
  return {
    search: { collection, filters: [...filters, hasTerm(NAME, terms)] },
    fields: [...new Set([...FIELDS, ...facets])],
    // Names that differ in case alone are found by the same terms.
    key: JSON.stringify([names, facets]),
    begin: () => new DatasetTally(facets, new Set(names)),
  };
}

/** The files that do not say of which dataset they are. They have nothing in common, so that no facets of theirs are told. */
export const unnamedQuestion = ({
  collection,
  filters,
}: FacetSearch): GroupQuestion<DatasetFacts> => ({
  search: { collection, filters: [...filters, noneOf([exists(NAME)])] },
  fields: FIELDS,
  key: "unnamed",
  begin: () => new DatasetTally([], undefined),
});
