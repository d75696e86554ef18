import { SolrTimeout } from "../errors.js";
import type { SolrHttp } from "./http.js";

/**
 * Parameters that make Solr stop a search after the time limit, without partial results.
 */
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
