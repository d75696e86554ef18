/** What Solr answers, as JSON. */
import { SolrUnavailable } from "../errors.js";

/** @throws SolrUnavailable where it is none: it ended early as if it were whole, or something else than Solr answered */
export function readAnswer<T = unknown>(text: string): T {
  try {
    return JSON.parse(text) as T;
  } catch (cause) {
    throw new SolrUnavailable("Solr's answer is no JSON", { cause });
  }
}
