/** Numbers about the files that a search finds, of operations whose path names a flavour alone. */
import type { FacetTree } from "../query/facet-tree.js";
import { buildSearch, type FacetSearch, type SearchInput } from "../query/search.js";
import type { Breakdown } from "../solr/breakdowns.js";
import type { Asker } from "../solr/searches.js";
import type { Flavour } from "../vocabulary/flavours.js";
import { callerKey } from "./caller-key.js";
import { tellSearch } from "./searched.js";
import type { Services } from "./services.js";

type Asking = Parameters<typeof callerKey>[0] &
  Parameters<typeof tellSearch>[0] & {
    readonly path: { readonly flavour: Flavour };
    readonly query: SearchInput["query"];
    readonly signal?: AbortSignal | undefined;
  };

interface FileNumbers {
  readonly search: FacetSearch;
  readonly found: Breakdown;
  /** For what else is to be asked of Solr about it. */
  readonly asker: Asker;
}

/** Asks for the numbers, and says of the request what was searched. @throws as a search */
export async function fileNumbers(
  request: Asking,
  facets: FacetTree,
  { solr }: Pick<Services, "solr">,
): Promise<FileNumbers> {
  const { path, query, signal } = request;
  const search = buildSearch({ path: { flavour: path.flavour, uniq_key: "file" }, query });
  const { collection, filters } = search;
  const asker = { caller: callerKey(request), signal };
  const found = await solr.breakDown({ collection, filters, facets }, asker);
  tellSearch(request, search, found.found > 0);
  return { search, found, asker };
}
