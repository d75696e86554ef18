import type { FacetSearch } from "../../../domain/search/search.js";
import { builtIn, type Flavour } from "../../../domain/vocabulary/flavours.js";
import type { RequestContext } from "../../http/request-context.js";

/** Says of a request what was searched, for those who count it; what somebody calls a flavour is nobody's business. */
export function recordSearch(
  {
    context,
    path,
  }: { readonly context: RequestContext; readonly path: { readonly flavour: Flavour } },
  { searchedValues }: Pick<FacetSearch, "searchedValues">,
  isFound: boolean,
): void {
  context.searched = { flavour: builtIn(path.flavour.name)?.name, values: searchedValues, isFound };
}
