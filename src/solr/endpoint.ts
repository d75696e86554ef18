/** Where a Solr (standalone or SolrCloud) answers. `url` ends in `/solr`, without a slash after it. */
import { withoutTrailing } from "../vocabulary/trailing.js";

export interface SolrEndpoint {
  readonly url: URL;
  readonly user?: string;
  readonly password?: string;
}

/**
 * An endpoint from a configured address. A slash at the end is dropped, credentials inside the address are
 * taken out of it unless given apart.
 */
export function solrEndpoint(address: string, user?: string, password?: string): SolrEndpoint {
  const url = new URL(address);
  const name = user ?? decodeURIComponent(url.username);
  const secret = password ?? decodeURIComponent(url.password);
  url.username = "";
  url.password = "";
  url.search = "";
  url.hash = "";
  url.pathname = withoutTrailing(url.pathname, "/");
  return { url, ...(name === "" ? {} : { user: name, password: secret }) };
}

/** What Solr does for a collection, as far as it is asked here (Solr Reference Guide, "Request Handlers"). */
export type SolrHandler = "select" | "get" | "update" | "export" | "stream";

/** Where a collection's request handler is, below Solr's root. */
export const handlerPath = (collection: string, handler: SolrHandler): string =>
  `${collection}/${handler}`;

/** `path` (such as `files/select`) below the endpoint. */
export function solrUrl(endpoint: SolrEndpoint, path: string): URL {
  const url = new URL(endpoint.url);
  url.pathname = `${withoutTrailing(url.pathname, "/")}/${path.replace(/^\/+/, "")}`;
  return url;
}

/** The headers that carry the endpoint's credentials; none when it has none. */
export function authorization(endpoint: SolrEndpoint): Record<string, string> {
  if (endpoint.user === undefined) return {};
  const pair = `${endpoint.user}:${endpoint.password ?? ""}`;
  return { authorization: `Basic ${Buffer.from(pair, "utf8").toString("base64")}` };
}
