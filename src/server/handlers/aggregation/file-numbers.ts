/** Aggregations over the files of a search, for operations whose path has only a flavour. */
import type { FacetTree } from "../../../domain/aggregation/facet-request.js";
import type { FacetSearch, SearchInput } from "../../../domain/search/search.js";
import type { Flavour } from "../../../domain/vocabulary/flavours.js";
import type { FacetAggregation } from "../../../index/query/facet-aggregations.js";
import type { SearchClient } from "../../../index/query/query-admission.js";
import { clientKey } from "../common/client-key.js";
import { recordSearch } from "../search/searched.js";
import { requestedSearch } from "../search/user-name-guard.js";
import type { Services } from "../services.js";

type CountedRequest = Parameters<typeof clientKey>[0] &
  Parameters<typeof recordSearch>[0] & {
    readonly path: { readonly flavour: Flavour };
    readonly query: SearchInput["query"];
    readonly signal?: AbortSignal | undefined;
  };

interface FileNumbers {
  readonly search: FacetSearch;
  readonly found: FacetAggregation;
  /** For further queries about the same search. */
  readonly client: SearchClient;
}

/** Runs the aggregation and records the search in the request context. @throws as a search */
export async function fileNumbers(
  request: CountedRequest,
  facets: FacetTree,
  { solr }: Pick<Services, "solr">,
): Promise<FileNumbers> {
  const { path, query, principal, signal } = request;
  const ofFiles = { flavour: path.flavour, uniq_key: "file" } as const;
  const search = requestedSearch({ path: ofFiles, query }, principal);
  const { filters } = search;
  const client = { clientKey: clientKey(request), signal };
  const found = await solr.aggregateFacets({ filters, facets }, client);
  recordSearch(request, search, found.found > 0);
  return { search, found, client };
}
