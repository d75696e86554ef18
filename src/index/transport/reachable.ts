/** The nodes of a Solr that live, for whoever asks a few questions and keeps no connection. */
import { authorization, type SolrEndpoint, solrUrl } from "./endpoint.js";
import { HEALTH, locations, SILENCE } from "./nodes.js";

export interface Reachable {
  /** Those that live, then the others. */
  readonly urls: readonly URL[];
  /** Which replicas are to be asked, as `shards.preference`; undefined: any. */
  readonly preference: string | undefined;
}

/** Asks all nodes for their health; a single one is asked nothing. */
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
  const signal = AbortSignal.timeout(SILENCE);
  return (await askNode(endpoint, node, HEALTH, signal, fetchImpl)) !== undefined;
}

/**
 * What one node says; undefined of one that does not live. Whoever is refused hears that from a node that does.
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
