/** Parameters of searches, and the check of an answer that goes with them. */
import type { Search } from "../../domain/search/search.js";
import { SolrTimeout } from "../errors.js";
import type { SolrHttp } from "../transport/http.js";

/** The parameters that all requests of a search have in common. @param more further parameters, each name once */
export function searchParameters(
  { filters }: Search,
  more: Readonly<Record<string, string>> = {},
): URLSearchParams {
  // Otherwise Solr would replace `${...}` in a client's value with one of its own parameters.
  const parameters = new URLSearchParams({ q: "*:*", expandMacros: "false", ...more });
  for (const filter of filters) parameters.append("fq", filter);
  return parameters;
}

/** Parameters that make Solr stop a search after the time limit, without partial results. */
export const timeLimit = ({ timeoutMs }: SolrHttp): Readonly<Record<string, string>> => ({
  timeAllowed: String(timeoutMs),
  partialResults: "false",
});

/** Checks that Solr did not stop a search. */
export function requireWhole(header: { readonly partialResults?: unknown } | undefined): void {
  if (header?.partialResults !== undefined && header.partialResults !== false) {
    throw new SolrTimeout("Solr stopped the search at its time limit");
  }
}
