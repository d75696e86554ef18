/** Serves below a path of the host, such as /climate of BASE_URL=https://data.example.org/climate. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { PREFIX } from "../../../generated/prefix.js";
import { withoutTrailing } from "../../platform/trailing-characters.js";

/** For an issuer with a path, clients put this before the path (RFC 8414, 3.1). */
const WELL_KNOWN = "/.well-known/oauth-authorization-server";

type Listener = (incoming: IncomingMessage, outgoing: ServerResponse) => unknown;

/** The path of a public address, without a trailing slash; empty if it has none. */
export const pathOf = (baseUrl: string | undefined): string =>
  baseUrl === undefined ? "" : withoutTrailing(new URL(baseUrl).pathname, "/");

/**
 * Accepts requests with and without the path: some proxies strip it, others cannot.
 *
 * @param path with a leading and without a trailing slash, or empty
 */
export function belowPath(path: string, listener: Listener): Listener {
  return (incoming, outgoing) => {
    const { url = "/" } = incoming;
    if (url === path) {
      // The page's links are relative to the path with a slash.
      outgoing.writeHead(308, { Location: `${path}/` }).end();
      return;
    }
    incoming.url = withPrefix(withoutPath(path, url));
    return listener(incoming, outgoing);
  };
}

/** Operations that people and orchestrators also look for at the root, where /metrics is. */
const AT_ROOT = new Set(["/ready", "/status"]);

/** The request target of the operation that answers at the root as well. */
export function withPrefix(url: string): string {
  const [path = ""] = url.split("?", 1);
  return AT_ROOT.has(path) ? PREFIX + url : url;
}

/** The request target without the path. The API's own addresses also begin with `/api`, if that is the path. */
export function withoutPath(path: string, url: string): string {
  const isOwn = url.startsWith(PREFIX) && PREFIX.startsWith(path);
  if (url.startsWith(`${path}/`) && !isOwn) return url.slice(path.length);
  const issuer = `${WELL_KNOWN}${path}${PREFIX}`;
  return url.startsWith(issuer) ? WELL_KNOWN + url.slice(WELL_KNOWN.length + path.length) : url;
}
