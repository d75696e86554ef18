/** The addresses and credentials of a Solr, standalone or SolrCloud. */
import { withoutTrailing } from "../../platform/trailing-characters.js";

export interface SolrEndpoint {
  /** The addresses of its nodes, each of which serves all requests. They end in `/solr`, without a slash. */
  readonly urls: readonly [URL, ...URL[]];
  readonly user?: string;
  readonly password?: string;
  /** Prefix of the names of this service's collections, cores and aliases in Solr. Left out: none. */
  readonly prefix?: string;
}

type Prefixed = Pick<SolrEndpoint, "prefix">;

/** Solr's name of a collection, core or alias. Names elsewhere in the code have no prefix. */
export const solrName = ({ prefix = "" }: Prefixed, name: string): string => `${prefix}${name}`;

/** The name without prefix of Solr's `name`; undefined if it lacks the prefix, so does not belong to this service. */
export const ownName = ({ prefix = "" }: Prefixed, name: string): string | undefined =>
  name.startsWith(prefix) ? name.slice(prefix.length) : undefined;

/** A path below Solr's root, with Solr's name of the collection. Paths of the admin API contain none. */
export const solrPath = (endpoint: Prefixed, path: string): string =>
  path.startsWith("admin/") ? path : solrName(endpoint, path);

/** The path for one replica: its core takes the place of the collection. @param address ends in Solr's name of the core */
export const corePath = (address: string, path: string): string =>
  address.slice(address.lastIndexOf("/") + 1) + path.slice(path.indexOf("/"));

/** The addresses in a setting, separated by commas or blanks. */
export const splitAddresses = (text: string): string[] =>
  text.split(/[\s,]+/).filter((address) => address !== "");

/** The encoded user and password in an address; undefined if it has none. */
const credentialsIn = ({ username, password }: URL): string | undefined =>
  username === "" && password === "" ? undefined : `${username}:${password}`;

/** Whether all addresses with credentials have the same. */
export const haveSameUser = (addresses: readonly URL[]): boolean =>
  new Set(addresses.flatMap((url) => credentialsIn(url) ?? [])).size <= 1;

/**
 * An endpoint from one or more configured addresses. Trailing slashes are removed. Credentials in an address are moved
 * out of it and used for all nodes, unless they are given separately.
 */
export function solrEndpoint(
  addresses: string,
  user?: string,
  password?: string,
  prefix = "",
): SolrEndpoint {
  const given = splitAddresses(addresses).map((address) => new URL(address));
  const named = given.find((url) => credentialsIn(url) !== undefined);
  const name = user ?? decodeURIComponent(named?.username ?? "");
  const secret = password ?? decodeURIComponent(named?.password ?? "");
  const [first, ...rest] = new Map(given.map(bare).map((url) => [url.href, url])).values();
  if (first === undefined) throw new TypeError("no address");
  return {
    urls: [first, ...rest],
    ...(name === "" ? {} : { user: name, password: secret }),
    ...(prefix !== "" && { prefix }),
  };
}

function bare(address: URL): URL {
  const url = new URL(address);
  url.username = "";
  url.password = "";
  url.search = "";
  url.hash = "";
  url.pathname = withoutTrailing(url.pathname, "/");
  return url;
}

/** The addresses of an endpoint, for messages. */
export const addressesOf = ({ urls }: SolrEndpoint): string =>
  urls.map((url) => url.href).join(", ");

/** The request handlers of a collection that the service uses (Solr Reference Guide, "Request Handlers"). */
export type SolrHandler = "select" | "get" | "update" | "export" | "replication" | "admin/luke";

/** The path of a request handler, below Solr's root. */
export const handlerPath = (collection: string, handler: SolrHandler): string =>
  `${collection}/${handler}`;

/** The address of a path, such as `files/select`, at a node. */
export function solrUrl(endpoint: SolrEndpoint, path: string, node = endpoint.urls[0]): URL {
  const url = new URL(node);
  const below = solrPath(endpoint, path.replace(/^\/+/, ""));
  url.pathname = `${withoutTrailing(url.pathname, "/")}/${below}`;
  return url;
}

/** The headers with the endpoint's credentials; empty if it has none. */
export function authorization(endpoint: SolrEndpoint): Record<string, string> {
  if (endpoint.user === undefined) return {};
  const pair = `${endpoint.user}:${endpoint.password ?? ""}`;
  return { authorization: `Basic ${Buffer.from(pair, "utf8").toString("base64")}` };
}
