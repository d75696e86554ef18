/** Names of users are half of what it takes to sign in as one of them, so requests without a token do not learn them. */
import { wildcards } from "../../../domain/search/lucene.js";
import { buildSearch, type FacetSearch, type SearchInput } from "../../../domain/search/search.js";
import { MissingToken } from "../../../identity/errors.js";
import type { Principal } from "../../../identity/principal.js";

/**
 * Guards the names of users in an answer.
 *
 * @param fields that the answer shows
 * @throws MissingToken if names of users are among them and the request has no token
 */
export function guardUserNames(fields: readonly string[], principal: Principal | undefined): void {
  if (fields.includes("user") && principal === undefined) throw new MissingToken();
}

/**
 * The search of a request. Without a token, `user` takes full names only: every answer tells whether something is found, so a
 * wildcard or an exclusion would reveal the names letter by letter. Handlers build every search here.
 *
 * @throws InvalidParameters; MissingToken
 */
export function requestedSearch(
  { path, query }: SearchInput,
  principal: Principal | undefined,
): FacetSearch {
  const search = buildSearch({ path, query });
  if (principal === undefined && search.constraints.some(probesUserNames)) {
    throw new MissingToken(
      "Without one, `user` takes full names: no wildcards, and no exclusions.",
    );
  }
  return search;
}

const probesUserNames = ({
  native,
  included,
  values,
}: FacetSearch["constraints"][number]): boolean =>
  native === "user" && (!included || values.some((value) => wildcards(value) > 0));
