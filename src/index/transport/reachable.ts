/** The live nodes of a Solr, for single requests without a connection pool. */
import { authorization, type SolrEndpoint, solrUrl } from "./endpoint.js";
import { HEALTH, locations, MAX_SILENCE_MS } from "./nodes.js";

export interface Reachable {
  /** Live nodes first, then the others. */
  readonly urls: readonly URL[];
  /** A value of `shards.preference` for live nodes; undefined: none is needed. */
  readonly preference: string | undefined;
}

/** Checks the health of all nodes, if there are several. */
export async function reachable(
  endpoint: SolrEndpoint,
  fetchImpl: typeof fetch = fetch,
): Promise<Reachable> {
  const { urls } = endpoint;
  if (urls.length === 1) return { urls, preference: undefined };
  const healths = await Promise.all(urls.map((url) => lives(endpoint, url, fetchImpl)));
  const up = urls.filter((_, i) => healths[i]);
  const down = urls.filter((_, i) => !healths[i]);
  const isPartial = up.length > 0 && down.length > 0;
  return { urls: [...up, ...down], preference: isPartial ? locations(up) : undefined };
}

async function lives(endpoint: SolrEndpoint, node: URL, fetchImpl: typeof fetch): Promise<boolean> {
  const signal = AbortSignal.timeout(MAX_SILENCE_MS);
  return (await askNode(endpoint, node, HEALTH, signal, fetchImpl)) !== undefined;
}

/**
 * The answer of one node; undefined if it is not alive. A refusal is the answer of a live node.
 *
 * @param target path and query below Solr's root
 */
export async function askNode(
  endpoint: SolrEndpoint,
  node: URL,
  target: string,
  signal: AbortSignal,
  fetchImpl: typeof fetch = fetch,
): Promise<{ readonly isOk: boolean; readonly text: string } | undefined> {
  const [path = "", query = ""] = target.split("?");
  const url = solrUrl(endpoint, path, node);
  url.search = query;
  try {
    const headers = authorization(endpoint);
    const response = await fetchImpl(url, { headers, redirect: "manual", signal });
    const text = await response.text();
    return response.status < 500 ? { isOk: response.ok, text } : undefined;
  } catch {
    return undefined;
  }
}
