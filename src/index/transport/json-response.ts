import { SolrUnavailable } from "../errors.js";

/** Solr's answer, parsed. @throws SolrUnavailable if it is not JSON: it was cut off, or a proxy answered instead */
export function readAnswer<T = unknown>(text: string): T {
  try {
    return JSON.parse(text) as T;
  } catch (cause) {
    throw new SolrUnavailable("Solr's answer is not JSON", { cause });
  }
}
