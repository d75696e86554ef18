/** The facts about each request to Solr that metrics record. */
import { SolrRefused, SolrTimeout, SolrUnavailable } from "../errors.js";

export interface SolrCall {
  readonly what: "search" | "list" | "update" | "state" | "other";
  /** Time until the answer was complete; for a stream, until it started. Undefined if it failed later. */
  readonly seconds: number | undefined;
  readonly failure: "unavailable" | "timeout" | "refused" | undefined;
}

/** The purpose of a request, by its path below Solr's root. */
export function workOf(path: string): SolrCall["what"] {
  if (path.startsWith("state/")) return "state";
  const [, handler] = /^[^/?]+\/([a-z]+)/.exec(path) ?? [];
  if (handler === "select") return "search";
  if (handler === "export") return "list";
  return handler === "update" ? "update" : "other";
}

/** The kind of a failure; undefined if Solr is not at fault or the client has left. */
export function failureOf(error: unknown, signal: AbortSignal | undefined): SolrCall["failure"] {
  if (error instanceof SolrTimeout) return "timeout";
  if (error instanceof SolrRefused) return "refused";
  return error instanceof SolrUnavailable && signal?.aborted !== true ? "unavailable" : undefined;
}
