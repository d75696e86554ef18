/** Solr requests for one page of the datasets of a search: first the names, then their files. */
import type { ScanQuery } from "../completeness/group-query.js";
import { exists, hasTerm, noneOf, sortedAfter, sortedBeforeText } from "../search/lucene.js";
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
  "user",
  "owner",
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
 * @param isDescending whether the last names come first
 */
export const namesFacets = (
  limit: number,
  after: string | undefined,
  isDescending = false,
): FacetTree => ({
  names: {
    type: "terms",
    field: NAME,
    limit,
    sort: isDescending ? "index desc" : "index asc",
    ...(after !== undefined && {
      domain: { filter: (isDescending ? sortedBeforeText : sortedAfter)(NAME, after) },
    }),
  },
  datasets: `unique(${NAME})`,
  named: { type: "query", q: exists(NAME) },
});

/** An order of datasets other than by name: an aggregate of their files, and its direction. */
const ORDERS = {
  size: ["sum(size)", "by desc"],
  newest: ["max(added)", "by desc"],
  // Solr sorts a missing minimum first: a late one stands for it.
  start: ["min(if(exists(time_start),ms(time_start),9e15))", "by asc"],
} as const;

type DatasetOrder = keyof typeof ORDERS;

/** As namesFacets, in another order. Datasets without a value come last; equal values go by name. */
export function orderedFacets(limit: number, offset: number, order: DatasetOrder): FacetTree {
  const [by, sort] = ORDERS[order];
  const { names: _, ...numbers } = namesFacets(limit, undefined);
  return {
    names: { type: "terms", field: NAME, limit, offset, sort, refine: true, facet: { by } },
    ...numbers,
  };
}

/** A dataset with its number of files. */
export interface NamedDataset {
  readonly val: string;
  readonly count: number;
}

/** Maximum of files of a page's datasets. A page has fewer datasets if they have more files; a single one may have any number. */
export const MAX_FILES = 10_000;

/** The first datasets that together have at most MAX_FILES files. */
export function fittingDatasets(names: readonly NamedDataset[]): readonly NamedDataset[] {
  let files = 0;
  const beyond = names.findIndex(({ count }, index) => {
    files += count;
    return index > 0 && files > MAX_FILES;
  });
  return beyond < 0 ? names : names.slice(0, beyond);
}

/** Scans the files of the named datasets. @param facets schema fields whose values are summarised */
export function datasetQuery(
  { filters }: FacetSearch,
  names: readonly string[],
  facets: readonly string[],
): ScanQuery<DatasetFacts> {
  const terms = [...new Set(names.map(lowerCase))];
  return {
    search: { filters: [...filters, hasTerm(NAME, terms)] },
    fields: [...new Set([...FIELDS, ...facets])],
    // The terms are in lower case, so the key also tells apart names that differ only in case.
    key: JSON.stringify([names, facets]),
    accumulator: () => new DatasetAccumulator(facets, new Set(names)),
  };
}

/** Scans the files without a dataset name. They are unrelated, so no facets are summarised. */
export const unnamedQuery = ({ filters }: FacetSearch): ScanQuery<DatasetFacts> => ({
  search: { filters: [...filters, noneOf([exists(NAME)])] },
  fields: FIELDS,
  key: "unnamed",
  accumulator: () => new DatasetAccumulator([], undefined),
});
