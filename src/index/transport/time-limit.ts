/** The time that Solr itself may take for a search. */
import { SolrTimeout } from "../errors.js";
import type { SolrHttp } from "./http.js";

/**
 * What a search is asked with so that Solr gives it up by itself when its time is over, and then without a part of the answer.
 */
export const timeLimit = ({ timeoutMs }: SolrHttp): Readonly<Record<string, string>> => ({
  timeAllowed: String(timeoutMs),
  partialResults: "false",
});

/** @throws SolrTimeout when Solr gave a search up */
export function requireWhole(header: { readonly partialResults?: unknown } | undefined): void {
  if (header?.partialResults !== undefined && header.partialResults !== false) {
    throw new SolrTimeout("Solr gave the search up");
  }
}
