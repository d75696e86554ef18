/** Solr requests for one page of the datasets of a search: first the names, then their files. */
import type { ScanQuery } from "../completeness/group-query.js";
import { exists, hasTerm, noneOf, sortedAfter } from "../search/lucene.js";
import type { FacetSearch } from "../search/search.js";
import { lowerCase } from "../text/case-folding.js";
import { DatasetAccumulator } from "./dataset-accumulator.js";
import type { DatasetFacts } from "./datasets.js";
import type { FacetTree } from "./facet-request.js";

const NAME = "dataset_id";

/** Fields read of every file, besides its facets. */
const FIELDS = [
  "file",
  "uri",
  NAME,
  "version",
  "retracted",
  "size",
  "format",
  "fs_type",
  "bbox",
  "time_raw",
  "time_frequency",
];

/**
 * Facets for the next dataset names with their file counts, and the number of all datasets.
 *
 * @param after names sorted up to this one are skipped
 */
export const namesFacets = (limit: number, after: string | undefined): FacetTree => ({
  names: {
    type: "terms",
    field: NAME,
    limit,
    sort: "index asc",
    ...(after !== undefined && { domain: { filter: sortedAfter(NAME, after) } }),
  },
  datasets: `unique(${NAME})`,
  named: { type: "query", q: exists(NAME) },
});

/** Scans the files of the named datasets. @param facets schema fields whose values are summarised */
export function datasetQuery(
  { collection, filters }: FacetSearch,
  names: readonly string[],
  facets: readonly string[],
): ScanQuery<DatasetFacts> {
  const terms = [...new Set(names.map(lowerCase))];
  return {
    search: { collection, filters: [...filters, hasTerm(NAME, terms)] },
    fields: [...new Set([...FIELDS, ...facets])],
    // The terms are in lower case, so the key also tells apart names that differ only in case.
    key: JSON.stringify([names, facets]),
    accumulator: () => new DatasetAccumulator(facets, new Set(names)),
  };
}

/** Scans the files without a dataset name. They are unrelated, so no facets are summarised. */
export const unnamedQuery = ({ collection, filters }: FacetSearch): ScanQuery<DatasetFacts> => ({
  search: { collection, filters: [...filters, noneOf([exists(NAME)])] },
  fields: FIELDS,
  key: "unnamed",
  accumulator: () => new DatasetAccumulator([], undefined),
});
