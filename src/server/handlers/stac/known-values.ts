/** Values in the index that must be known before a search for items is made. */
import type { FacetTree } from "../../../domain/aggregation/facet-request.js";
import { invalidParameter } from "../../../domain/errors.js";
import type { Search } from "../../../domain/search/search.js";
import {
  allItems,
  InvalidPart,
  type ItemSearchInput,
  itemSearch,
  type KnownValues,
  neededValues,
} from "../../../domain/stac/item-search.js";
import { collectionsClause, isCountable } from "../../../domain/stac/properties.js";
import { flavourOf, searchedValues } from "../../../domain/stac/searched-values.js";
import type { SearchClient } from "../../../index/query/query-admission.js";
import type { AnyRequest } from "../../contract/operation.js";
import { bucketsOf, numberIn } from "../../formats/aggregation/buckets.js";
import { listedFields, MAX_LISTED } from "../../formats/stac-api/queryables.js";
import { clientOf } from "../common/client.js";
import { recordSearch } from "../search/requested-search.js";
import type { Services } from "../services.js";

/** Values of a property that can be compared by their order or by a pattern. */
const MAX_VALUES = 20_000;
/** Boxes that can be compared with a geometry. */
const MAX_BOXES = 10_000;

/** Notes what was searched, as for other searches. */
export function recordItemSearch(
  { context }: AnyRequest,
  input: ItemSearchInput,
  matched: number,
): void {
  const path = { flavour: flavourOf(input) };
  recordSearch({ context, path }, { searchedValues: searchedValues(input) }, matched > 0);
}

/** The index, and the client for which it works. */
export interface StacIndex {
  readonly solr: Services["solr"];
  readonly client: SearchClient;
}

export const indexOf = (request: AnyRequest, { solr }: Services): StacIndex => ({
  solr,
  client: clientOf(request),
});

/** The values of fields as written, and the boxes, of the files of a search. A field with more than `limit` is missing. */
async function valuesIn(
  { filters }: Search,
  fields: readonly string[],
  limit: number,
  { solr, client }: StacIndex,
): Promise<ReadonlyMap<string, readonly string[]>> {
  if (fields.length === 0) return new Map();
  const facets: FacetTree = Object.fromEntries(
    fields.map((field) => [`of_${field}`, { type: "terms", field, limit: limit + 1 }]),
  );
  const { numbers } = await solr.aggregateFacets({ filters, facets }, client);
  return new Map(
    fields.flatMap((field) => {
      const values = bucketsOf(numbers[`of_${field}`]).map(({ val }) => val);
      return values.length > limit ? [] : [[field, [...values].sort()] as const];
    }),
  );
}

/** The values that queryables and summaries list of the properties of projects, in these collections or in all. */
export function listedValues(
  collections: readonly string[] | undefined,
  projects: readonly string[],
  index: StacIndex,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const { filters } = allItems();
  const those = collections === undefined ? [] : [collectionsClause(collections)];
  const search = { filters: [...filters, ...those] };
  return valuesIn(search, listedFields(projects), MAX_LISTED, index);
}

async function knownValues(input: ItemSearchInput, index: StacIndex): Promise<KnownValues> {
  const { fields, boxes } = neededValues(input);
  const all = allItems();
  const tooMany = (field: string): InvalidPart =>
    new InvalidPart(
      "filter",
      `compares a property with more than ${MAX_VALUES} values (${field}) by order or pattern; = and in are possible`,
    );
  // Solr takes far less memory to count values than to count the files of each.
  for (const field of fields.filter((one) => !isCountable(one))) {
    const facets = { values: `unique(${field})` };
    const { numbers } = await index.solr.aggregateFacets({ ...all, facets }, index.client);
    if (numberIn(numbers, "values") > MAX_VALUES) throw tooMany(field);
  }
  const values = await valuesIn(all, fields, MAX_VALUES, index);
  const [missing] = fields.filter((field) => !values.has(field));
  if (missing !== undefined) throw tooMany(missing);
  if (!boxes) return { values, boxes: [] };
  const known = await valuesIn(all, ["bbox"], MAX_BOXES, index);
  const found = known.get("bbox");
  if (found === undefined) {
    throw new InvalidPart(
      "intersects",
      `is not possible with more than ${MAX_BOXES} boxes of data`,
    );
  }
  return { values, boxes: found };
}

/** The search for the files of items. @param location of the parts of the request */
export async function builtSearch(
  input: ItemSearchInput,
  location: "query" | "body",
  index: StacIndex,
): Promise<Search> {
  try {
    return itemSearch(input, await knownValues(input, index));
  } catch (error) {
    if (!(error instanceof InvalidPart)) throw error;
    throw invalidParameter(error.part, error.reason, location);
  }
}
