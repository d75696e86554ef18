/** Where a Solr (standalone or SolrCloud) answers. */
import { withoutTrailing } from "../../platform/trailing-characters.js";

export interface SolrEndpoint {
  /** The addresses of its nodes, any of which can be asked for everything. They end in `/solr`, without a slash after it. */
  readonly urls: readonly [URL, ...URL[]];
  readonly user?: string;
  readonly password?: string;
  /** What the name of each of our collections, cores and aliases begins with in this Solr; empty where left out. */
  readonly prefix?: string;
}

type Prefixed = Pick<SolrEndpoint, "prefix">;

/** What Solr calls a collection, a core or an alias: everywhere else names have no prefix. */
export const solrName = ({ prefix = "" }: Prefixed, name: string): string => `${prefix}${name}`;

/** What we call what Solr calls `name`; undefined where it has not our prefix, and so is not ours. */
export const ownName = ({ prefix = "" }: Prefixed, name: string): string | undefined =>
  name.startsWith(prefix) ? name.slice(prefix.length) : undefined;

/** A path below Solr's root, with the collection's name as Solr has it; the admin interface has none there. */
export const solrPath = (endpoint: Prefixed, path: string): string =>
  path.startsWith("admin/") ? path : solrName(endpoint, path);

/** The addresses in a setting, which stand between commas or blanks. */
export const splitAddresses = (text: string): string[] =>
  text.split(/[\s,]+/).filter((address) => address !== "");

/** The user and the password inside an address, as they are; undefined where it has none. */
const credentialsIn = ({ username, password }: URL): string | undefined =>
  username === "" && password === "" ? undefined : `${username}:${password}`;

/** Whether addresses that name a user and a password name the same. */
export const haveSameUser = (addresses: readonly URL[]): boolean =>
  new Set(addresses.flatMap((url) => credentialsIn(url) ?? [])).size <= 1;

/**
 * An endpoint from configured addresses, one at least. A slash at the end is dropped, credentials inside an address are
 * taken out of it unless given apart; they are those of all nodes.
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

/** The addresses of an endpoint, for people. */
export const addressesOf = ({ urls }: SolrEndpoint): string =>
  urls.map((url) => url.href).join(", ");

/** What Solr does for a collection, as far as it is asked here (Solr Reference Guide, "Request Handlers"). */
export type SolrHandler = "select" | "get" | "update" | "export" | "stream" | "replication";

/** Where a collection's request handler is, below Solr's root. */
export const handlerPath = (collection: string, handler: SolrHandler): string =>
  `${collection}/${handler}`;

/** `path` (such as `files/select`) below a node of the endpoint. */
export function solrUrl(endpoint: SolrEndpoint, path: string, node = endpoint.urls[0]): URL {
  const url = new URL(node);
  const below = solrPath(endpoint, path.replace(/^\/+/, ""));
  url.pathname = `${withoutTrailing(url.pathname, "/")}/${below}`;
  return url;
}

/** The headers that carry the endpoint's credentials; none when it has none. */
export function authorization(endpoint: SolrEndpoint): Record<string, string> {
  if (endpoint.user === undefined) return {};
  const pair = `${endpoint.user}:${endpoint.password ?? ""}`;
  return { authorization: `Basic ${Buffer.from(pair, "utf8").toString("base64")}` };
}
