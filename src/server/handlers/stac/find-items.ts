/** Finds a page of items: first the names of the datasets, then their files. */
import {
  fittingDatasets,
  MAX_FILES,
  type NamedDataset,
  namesFacets,
} from "../../../domain/aggregation/dataset-page.js";
import { eachValue } from "../../../domain/aggregation/facet-request.js";
import { invalidParameter } from "../../../domain/errors.js";
import { ofSame } from "../../../domain/search/lucene.js";
import type { Search } from "../../../domain/search/search.js";
import { filesOf, type ItemFacts, itemQuery } from "../../../domain/stac/item-facts.js";
import { allItems, type ItemSearchInput, resolverOf } from "../../../domain/stac/item-search.js";
import {
  type Cursor,
  compareItems,
  decodeCursor,
  encodeCursor,
  type SortKey,
  sortQuery,
} from "../../../domain/stac/sorted-items.js";
import { bucketsOf, numberIn } from "../../formats/aggregation/buckets.js";
import type { StacIndex } from "./known-values.js";
import { type ItemPaging, reading } from "./requested-items.js";

/** Sorts before and after all dates; what items show for data without a period. */
const [BEFORE_ALL, AFTER_ALL] = ["", "~"];

/** Properties are those that filters of the same search compare. */
function sortKeys({ sortby, location }: ItemPaging, input: ItemSearchInput): SortKey[] {
  const propertyOf = resolverOf(input);
  return sortby.map(({ property: name, isDescending }) => {
    const property = reading("sortby", location, () => propertyOf(name));
    switch (property.kind) {
      case "id":
        return { field: "dataset_id", isDescending };
      case "text":
        return {
          field: property.field,
          isDescending,
          ...(property.owners && { projects: property.owners.projects }),
        };
      case "flag":
        if (property.field === undefined) break;
        // As items show it: true if it is of one of the files, and false without a value.
        return { field: property.field, isDescending, missing: "false", shown: "last" };
      case "instant": {
        const { field, missing, ...shown } = property.start;
        const isStart = field === "time_start";
        const last = isStart ? BEFORE_ALL : AFTER_ALL;
        return { field, isDescending, ...shown, ...(missing !== undefined && { missing: last }) };
      }
    }
    const reason = `has ${JSON.stringify(name.slice(0, 100))}, by which items cannot be sorted`;
    throw invalidParameter("sortby", reason, location);
  });
}

interface Names {
  /** One more than a page has, if there are more. */
  readonly items: readonly Cursor[];
  readonly matched: number;
}

/** By id, for which Solr need not read the files. */
async function namesById(
  { filters }: Search,
  limit: number,
  cursor: Cursor | undefined,
  isDescending: boolean,
  { solr, client }: StacIndex,
): Promise<Names> {
  const { named: _, ...facets } = namesFacets(limit + 1, cursor?.name, isDescending);
  const { numbers } = await solr.aggregateFacets({ filters, facets }, client);
  const items = bucketsOf(numbers.names).map(({ val }) => ({ name: val, values: [] }));
  return { items, matched: numberIn(numbers, "datasets") };
}

/** @param isPartial whether the search may find some files of a dataset only */
async function namesByKeys(
  search: Search,
  limit: number,
  cursor: Cursor | undefined,
  keys: readonly SortKey[],
  isPartial: boolean,
  { solr, client }: StacIndex,
): Promise<Names> {
  // Items show the values of all their files, not only of those found.
  const filters = [...allItems().filters, ofSame("dataset_id", search.filters)];
  const whole = isPartial ? { filters } : search;
  const { items } = await solr.scan("sortedItems", sortQuery(whole, keys), client);
  let start = 0;
  if (cursor !== undefined) {
    let end = items.length;
    while (start < end) {
      const middle = Math.floor((start + end) / 2);
      const item = items[middle];
      if (item !== undefined && compareItems(item, cursor, keys) <= 0) start = middle + 1;
      else end = middle;
    }
  }
  return { items: items.slice(start, start + limit + 1), matched: items.length };
}

/** The facts of datasets by their names, in this order. @param base which files may be items at all */
export async function factsOf(
  names: readonly NamedDataset[],
  base: Search,
  { solr, client }: StacIndex,
): Promise<ItemFacts[]> {
  if (names.length === 0) return [];
  const texts = names.map(({ val }) => val);
  const isHeavy = names.reduce((sum, { count }) => sum + count, 0) > MAX_FILES;
  const { byName } = await solr.scan("items", itemQuery(base, texts), { ...client, isHeavy });
  // Datasets that were deleted meanwhile are omitted.
  return texts.flatMap((name) => byName.get(name) ?? []);
}

/** The datasets with their numbers of files, whether or not the search finds these. */
export async function sizesOf(
  names: readonly string[],
  base: Search,
  { solr, client }: StacIndex,
): Promise<NamedDataset[]> {
  if (names.length === 0) return [];
  const { filters } = filesOf(base, names);
  const facets = { names: eachValue("dataset_id") };
  const { numbers } = await solr.aggregateFacets({ filters, facets }, client);
  const counts = new Map(bucketsOf(numbers.names).map(({ val, count }) => [val, count]));
  return names.map((val) => ({ val, count: counts.get(val) ?? 0 }));
}

interface FoundItems {
  readonly facts: readonly ItemFacts[];
  readonly matched: number;
  /** The token of the next page; undefined if this is the last one. */
  readonly next: string | undefined;
}

/** @param input what `search` was made of. Refuses a search if too many files must be read to sort its items. */
export async function findItems(
  search: Search,
  input: ItemSearchInput,
  paging: ItemPaging,
  index: StacIndex,
): Promise<FoundItems> {
  const keys = sortKeys(paging, input);
  const [first] = keys;
  const isById = first === undefined || first.field === "dataset_id";
  const { limit } = paging;
  const after = cursorOf(paging, isById ? 0 : keys.length);
  const { items, matched } = isById
    ? await namesById(search, limit, after, first?.isDescending === true, index)
    : await namesByKeys(search, limit, after, keys, isPartial(input), index);
  const base = allItems();
  const names = items.slice(0, limit).map(({ name }) => name);
  const shown = fittingDatasets(await sizesOf(names, base, index));
  const last = items[shown.length - 1];
  const isEnd = shown.length === items.length || last === undefined;
  const facts = await factsOf(shown, base, index);
  return { facts, matched, next: isEnd ? undefined : encodeCursor(last) };
}

/** Whether a search may find some files of a dataset only: collections and ids are those of whole datasets. */
const isPartial = ({ bbox, datetime, intersects, q, filter, query }: ItemSearchInput): boolean =>
  [bbox, datetime, intersects, q, filter, query].some((part) => part !== undefined);

function cursorOf({ token, location }: ItemPaging, keys: number): Cursor | undefined {
  if (token === undefined) return undefined;
  return reading("token", location, () => decodeCursor(token, keys));
}
