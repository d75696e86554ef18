/** Values in the index that must be known before a search for items is made. */
import type { FacetTree } from "../../../domain/aggregation/facet-request.js";
import { InvalidParameters } from "../../../domain/errors.js";
import type { Search } from "../../../domain/search/search.js";
import {
  allItems,
  InvalidPart,
  type ItemSearchInput,
  itemSearch,
  type KnownValues,
  neededValues,
} from "../../../domain/stac/item-search.js";
import { collectionsClause } from "../../../domain/stac/properties.js";
import { flavourOf, searchedValues } from "../../../domain/stac/searched-values.js";
import type { Principal } from "../../../identity/principal.js";
import type { SearchClient } from "../../../index/query/query-admission.js";
import type { Caller } from "../../contract/caller.js";
import { bucketsOf } from "../../formats/aggregation/buckets.js";
import { listedFields, MAX_LISTED } from "../../formats/stac-api/queryables.js";
import type { RequestContext } from "../../http/request-context.js";
import { clientKey } from "../common/client-key.js";
import { recordSearch } from "../search/searched.js";
import type { Services } from "../services.js";

/** Values of a property that can be compared by their order or by a pattern. */
const MAX_VALUES = 20_000;
/** Boxes that can be compared with a geometry. */
const MAX_BOXES = 10_000;

/** The part of a request that handlers of STAC use. */
export interface StacRequest {
  readonly caller: Caller;
  readonly principal?: Principal | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly context: RequestContext;
}

/** Says of a request what was searched, as for other searches. */
export function recordItemSearch(
  { context }: StacRequest,
  input: ItemSearchInput,
  matched: number,
): void {
  const path = { flavour: flavourOf(input) };
  recordSearch({ context, path }, { searchedValues: searchedValues(input) }, matched > 0);
}

export const clientOf = (request: StacRequest): SearchClient => ({
  clientKey: clientKey(request),
  signal: request.signal,
});

const terms = (field: string, limit: number): FacetTree[string] => ({
  type: "terms",
  field,
  limit,
});

/**
 * The values of fields as written, and the boxes, of the files of a search.
 *
 * @param limit of values of a field; a field with more is missing
 */
export async function valuesIn(
  { filters }: Search,
  fields: readonly string[],
  limit: number,
  { solr }: Pick<Services, "solr">,
  client: SearchClient,
): Promise<ReadonlyMap<string, readonly string[]>> {
  if (fields.length === 0) return new Map();
  const facets = Object.fromEntries(
    fields.map((field) => [`of_${field}`, terms(field, limit + 1)]),
  );
  const { numbers } = await solr.aggregateFacets({ filters, facets }, client);
  return new Map(
    fields.flatMap((field) => {
      const values = bucketsOf(numbers[`of_${field}`]).map(({ val }) => val);
      return values.length > limit ? [] : [[field, [...values].sort()] as const];
    }),
  );
}

/**
 * The values that queryables and summaries list: of the files of these collections, of the properties of some of them.
 *
 * @param collections undefined: all
 */
export function listedValues(
  collections: readonly string[] | undefined,
  projects: readonly string[],
  services: Pick<Services, "solr">,
  client: SearchClient,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const { filters } = allItems();
  const those = collections === undefined ? [] : [collectionsClause(collections)];
  const search = { filters: [...filters, ...those] };
  return valuesIn(search, listedFields(projects), MAX_LISTED, services, client);
}

async function knownValues(
  input: ItemSearchInput,
  services: Pick<Services, "solr">,
  client: SearchClient,
): Promise<KnownValues> {
  const { fields, boxes } = neededValues(input);
  const all = allItems();
  const values = await valuesIn(all, fields, MAX_VALUES, services, client);
  const [missing] = fields.filter((field) => !values.has(field));
  if (missing !== undefined) {
    throw new InvalidPart(
      "filter",
      `compares a property with more than ${MAX_VALUES} values (${missing}) by order or pattern; = and in are possible`,
    );
  }
  if (!boxes) return { values, boxes: [] };
  const known = await valuesIn(all, ["bbox"], MAX_BOXES, services, client);
  const found = known.get("bbox");
  if (found === undefined) {
    throw new InvalidPart(
      "intersects",
      `is not possible with more than ${MAX_BOXES} boxes of data`,
    );
  }
  return { values, boxes: found };
}

/**
 * The search for the files of items.
 *
 * @param location of the parts of the request
 * @throws InvalidParameters; as a search
 */
export async function builtSearch(
  input: ItemSearchInput,
  location: "query" | "body",
  services: Pick<Services, "solr">,
  client: SearchClient,
): Promise<Search> {
  try {
    return itemSearch(input, await knownValues(input, services, client));
  } catch (error) {
    if (!(error instanceof InvalidPart)) throw error;
    throw new InvalidParameters([{ name: error.part, in: location, reason: error.reason }]);
  }
}
