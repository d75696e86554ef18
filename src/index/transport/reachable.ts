/** Single requests to a Solr without a connection pool, and its live nodes. */
import { authorization, type SolrEndpoint, solrUrl } from "./endpoint.js";
import { HEALTH, locations, MAX_SILENCE_MS } from "./nodes.js";

interface NodeRequest {
  readonly node?: URL;
  readonly signal: AbortSignal;
  /** Sent by POST. */
  readonly body?: string | Uint8Array<ArrayBuffer>;
  /** The media type of the body. */
  readonly type?: string;
}

export interface NodeAnswer {
  readonly status: number;
  readonly isOk: boolean;
  readonly text: string;
}

/**
 * Sends a request to one node. Redirects are not followed, as they could carry the password to another host.
 *
 * @param target path and query below Solr's root
 */
export async function fetchNode(
  endpoint: SolrEndpoint,
  target: string,
  { node, signal, body, type }: NodeRequest,
): Promise<NodeAnswer> {
  const [path = "", query = ""] = target.split(/\?(.*)/s);
  const url = solrUrl(endpoint, path, node);
  url.search = query;
  const response = await fetch(url, {
    ...(body !== undefined && { method: "POST", body }),
    headers: { ...authorization(endpoint), ...(type !== undefined && { "Content-Type": type }) },
    redirect: "error",
    signal,
  });
  return { status: response.status, isOk: response.ok, text: await response.text() };
}

/** The answer of one node; undefined if it is not alive. A refusal is the answer of a live node. */
export async function askNode(
  endpoint: SolrEndpoint,
  node: URL,
  target: string,
  signal: AbortSignal,
): Promise<NodeAnswer | undefined> {
  const answer = await fetchNode(endpoint, target, { node, signal }).catch(() => undefined);
  return answer !== undefined && answer.status < 500 ? answer : undefined;
}

interface Reachable {
  /** Live nodes first, then the others. */
  readonly urls: readonly URL[];
  /** A value of `shards.preference` for live nodes; undefined: none is needed. */
  readonly preference: string | undefined;
}

/** Checks the health of all nodes, if there are several. */
export async function reachable(endpoint: SolrEndpoint): Promise<Reachable> {
  const { urls } = endpoint;
  if (urls.length === 1) return { urls, preference: undefined };
  const healths = await Promise.all(
    urls.map((url) => askNode(endpoint, url, HEALTH, AbortSignal.timeout(MAX_SILENCE_MS))),
  );
  const up = urls.filter((_, i) => healths[i] !== undefined);
  const down = urls.filter((_, i) => healths[i] === undefined);
  const isPartial = up.length > 0 && down.length > 0;
  return { urls: [...up, ...down], preference: isPartial ? locations(up) : undefined };
}
