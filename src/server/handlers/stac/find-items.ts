/** Finds a page of items: first the names of the datasets, then their files. */

import {
  fittingDatasets,
  MAX_FILES,
  type NamedDataset,
  namesFacets,
} from "../../../domain/aggregation/dataset-page.js";
import { eachValue } from "../../../domain/aggregation/facet-request.js";
import { Unreadable } from "../../../domain/extent/period.js";
import type { Search } from "../../../domain/search/search.js";
import { filesOf, type ItemFacts, itemQuery } from "../../../domain/stac/item-facts.js";
import { allItems } from "../../../domain/stac/item-search.js";
import { propertyOf } from "../../../domain/stac/properties.js";
import {
  type Cursor,
  compareItems,
  decodeCursor,
  encodeCursor,
  type SortKey,
  sortQuery,
} from "../../../domain/stac/sorted-items.js";
import type { SearchClient } from "../../../index/query/query-admission.js";
import { bucketsOf, numberIn } from "../../formats/aggregation/buckets.js";
import type { Services } from "../services.js";
import { type ItemPaging, invalidPart } from "./requested-items.js";

type Solr = Pick<Services, "solr">;

/** Sorts before and after all dates; what items show for data without a period. */
const [BEFORE_ALL, AFTER_ALL] = ["", "~"];

/** @throws InvalidParameters */
function sortKeys({ sortby }: ItemPaging, source: "query" | "body"): SortKey[] {
  return sortby.map(({ property: name, isDescending }) => {
    const property = propertyOf(name);
    switch (property.kind) {
      case "id":
        return { field: "dataset_id", isDescending };
      case "text":
        return { field: property.field, isDescending };
      case "flag":
        if (property.field !== undefined) return { field: property.field, isDescending };
        break;
      case "instant": {
        const { field, missing } = property.start;
        const isStart = field === "time_start";
        const last = isStart ? BEFORE_ALL : AFTER_ALL;
        return { field, isDescending, ...(missing !== undefined && { missing: last }) };
      }
    }
    const reason = `has ${JSON.stringify(name.slice(0, 100))}, by which items cannot be sorted`;
    throw invalidPart("sortby", reason, source);
  });
}

interface Names {
  /** One more than a page has, if there are more. */
  readonly names: readonly string[];
  readonly cursors: ReadonlyMap<string, string>;
  readonly matched: number;
}

/** By id, for which Solr need not read the files. */
async function namesById(
  { filters }: Search,
  limit: number,
  cursor: Cursor | undefined,
  isDescending: boolean,
  { solr }: Solr,
  client: SearchClient,
): Promise<Names> {
  const { names: _, named, ...rest } = namesFacets(limit + 1, cursor?.name, isDescending);
  const facets = { ...rest, names: _ as NonNullable<typeof _> };
  const { numbers } = await solr.aggregateFacets({ filters, facets }, client);
  const names = bucketsOf(numbers.names).map(({ val }) => val);
  const cursors = names.map((name) => [name, encodeCursor({ name, values: [] })] as const);
  return { names, cursors: new Map(cursors), matched: numberIn(numbers, "datasets") };
}

async function namesByKeys(
  search: Search,
  limit: number,
  cursor: Cursor | undefined,
  keys: readonly SortKey[],
  { solr }: Solr,
  client: SearchClient,
): Promise<Names> {
  const { items } = await solr.sortedItems(sortQuery(search, keys), client);
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
  const some = items.slice(start, start + limit + 1);
  return {
    names: some.map(({ name }) => name),
    cursors: new Map(some.map((item) => [item.name, encodeCursor(item)])),
    matched: items.length,
  };
}

/** The facts of datasets by their names, in this order. @param base which files may be items at all */
export async function factsOf(
  names: readonly NamedDataset[],
  base: Search,
  { solr }: Solr,
  client: SearchClient,
): Promise<ItemFacts[]> {
  if (names.length === 0) return [];
  const texts = names.map(({ val }) => val);
  const isHeavy = names.reduce((sum, { count }) => sum + count, 0) > MAX_FILES;
  const { byName } = await solr.items(itemQuery(base, texts), { ...client, isHeavy });
  // Datasets that were deleted meanwhile are omitted.
  return texts.flatMap((name) => byName.get(name) ?? []);
}

/** The datasets with their numbers of files, whether or not the search finds these. */
export async function sizesOf(
  names: readonly string[],
  base: Search,
  { solr }: Solr,
  client: SearchClient,
): Promise<NamedDataset[]> {
  if (names.length === 0) return [];
  const { filters } = filesOf(base, names);
  const facets = { names: eachValue("dataset_id") };
  const { numbers } = await solr.aggregateFacets({ filters, facets }, client);
  const counts = new Map(bucketsOf(numbers.names).map(({ val, count }) => [val, count]));
  return names.map((val) => ({ val, count: counts.get(val) ?? 0 }));
}

export interface FoundItems {
  readonly facts: readonly ItemFacts[];
  readonly matched: number;
  /** The token of the next page; undefined if this is the last one. */
  readonly next: string | undefined;
}

/** @throws InvalidParameters; as a search; TooManyResults if too many files must be read to sort them */
export async function findItems(
  search: Search,
  paging: ItemPaging,
  source: "query" | "body",
  services: Solr,
  client: SearchClient,
): Promise<FoundItems> {
  const keys = sortKeys(paging, source);
  const [first] = keys;
  const isById = first === undefined || first.field === "dataset_id";
  const { limit, token } = paging;
  const after = cursorOf(token, isById ? 0 : keys.length, source);
  const { names, cursors, matched } = isById
    ? await namesById(search, limit, after, first?.isDescending === true, services, client)
    : await namesByKeys(search, limit, after, keys, services, client);
  const base = allItems();
  const sized = await sizesOf(names.slice(0, limit), base, services, client);
  const shown = fittingDatasets(sized);
  const last = shown.at(-1)?.val;
  const isEnd = shown.length === names.length || last === undefined;
  return {
    facts: await factsOf(shown, base, services, client),
    matched,
    next: isEnd ? undefined : cursors.get(last),
  };
}

function cursorOf(
  token: string | undefined,
  keys: number,
  source: "query" | "body",
): Cursor | undefined {
  if (token === undefined) return undefined;
  try {
    return decodeCursor(token, keys);
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    throw invalidPart("token", error.message, source);
  }
}
