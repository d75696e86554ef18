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
  const [path = "", query = ""] = HEALTH.split("?");
  const url = solrUrl(endpoint, path, node);
  url.search = query;
  try {
    const response = await fetchImpl(url, {
      headers: authorization(endpoint),
      redirect: "manual",
      signal: AbortSignal.timeout(SILENCE),
    });
    await response.text();
    return response.status < 500;
  } catch {
    return false;
  }
}
