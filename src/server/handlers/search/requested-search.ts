/** The searches of requests. Names of users are half of a sign-in, so requests without a token do not learn them. */
import { wildcards } from "../../../domain/search/lucene.js";
import { buildSearch, type FacetSearch, type SearchInput } from "../../../domain/search/search.js";
import { builtIn, type Flavour } from "../../../domain/vocabulary/flavours.js";
import { MissingToken } from "../../../identity/errors.js";
import type { Principal } from "../../../identity/principal.js";
import type { SearchClient } from "../../../index/query/query-admission.js";
import type { AnyRequest } from "../../contract/operation.js";
import { clientOf } from "../common/client.js";

/** Refuses to show fields with names of users to a request without a token. */
export function guardUserNames(fields: readonly string[], principal: Principal | undefined): void {
  if (fields.includes("user") && principal === undefined) throw new MissingToken();
}

/**
 * The search of a request. Without a token, `user` takes full names only: every answer tells whether something is found, so a
 * wildcard or an exclusion would reveal the names letter by letter. Handlers build every search here.
 */
export function requestedSearch({
  path,
  query,
  principal,
}: SearchInput & Pick<AnyRequest, "principal">): FacetSearch {
  const search = buildSearch({ path, query });
  if (principal === undefined && search.constraints.some(probesUserNames)) {
    throw new MissingToken(
      "Without one, `user` takes full names: no wildcards, and no exclusions.",
    );
  }
  return search;
}

/** The search of a request, and the client for which the index answers it. */
export const searchOf = (
  request: SearchInput & AnyRequest,
): { readonly search: FacetSearch; readonly client: SearchClient } => ({
  search: requestedSearch(request),
  client: clientOf(request),
});

const probesUserNames = ({
  native,
  included,
  values,
}: FacetSearch["constraints"][number]): boolean =>
  native === "user" && (!included || values.some((value) => wildcards(value) > 0));

/** Notes what was searched, for the statistics. The name of a user's own flavour is private. */
export function recordSearch(
  { context, path }: Pick<AnyRequest, "context"> & { readonly path: { readonly flavour: Flavour } },
  { searchedValues }: Pick<FacetSearch, "searchedValues">,
  isFound: boolean,
): void {
  context.searched = { flavour: builtIn(path.flavour.name)?.name, values: searchedValues, isFound };
}
