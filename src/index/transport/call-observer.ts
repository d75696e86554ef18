/** What is told of each request to Solr to whoever watches. */
import { SolrRefused, SolrTimeout, SolrUnavailable } from "../errors.js";

export interface SolrCall {
  readonly what: "search" | "list" | "update" | "state" | "other";
  /** Until its answer was there; of a stream, until it began. Undefined for one that broke later. */
  readonly seconds: number | undefined;
  readonly failure: "unavailable" | "timeout" | "refused" | undefined;
}

/** What a request is for, by its path below Solr's root. */
export function workOf(path: string): SolrCall["what"] {
  if (path.startsWith("state/")) return "state";
  const [, handler] = /^[^/?]+\/([a-z]+)/.exec(path) ?? [];
  if (handler === "select") return "search";
  if (handler === "export" || handler === "stream") return "list";
  return handler === "update" ? "update" : "other";
}

/** What a failure is to those who look after Solr; undefined where it answered as it should, or nobody waited any more. */
export function failureOf(error: unknown, signal: AbortSignal | undefined): SolrCall["failure"] {
  if (error instanceof SolrTimeout) return "timeout";
  if (error instanceof SolrRefused) return "refused";
  return error instanceof SolrUnavailable && signal?.aborted !== true ? "unavailable" : undefined;
}
