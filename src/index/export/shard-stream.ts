/** One stream over all shards of a collection. */

import { lingering } from "../query/query-admission.js";
import { SolrCollection } from "../transport/client.js";
import type { SolrHttp, SolrRequest } from "../transport/http.js";
import { streamExpression } from "./export.js";

/** What `readStream` asks: a search in the order of one of its fields, over all shards, past nodes that are down. */
export function streamRequest(
  http: SolrHttp,
  collection: string,
  parameters: URLSearchParams,
): SolrRequest {
  const placed = new URLSearchParams(parameters);
  const { preference } = http;
  if (preference !== undefined) placed.set("shards.preference", preference);
  const expression = streamExpression(collection, placed);
  return new SolrCollection(http, collection).streamRequest(expression, lingering(http));
}
