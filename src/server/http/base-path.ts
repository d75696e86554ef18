/** A service below a path of its host, such as /climate of BASE_URL=https://data.example.org/climate. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { PREFIX } from "../../../generated/prefix.js";
import { withoutTrailing } from "../../platform/trailing-characters.js";

/** Where clients look for the documents of an issuer that has a path (RFC 8414, 3.1): before that path. */
const WELL_KNOWN = "/.well-known/oauth-authorization-server";

type Listener = (incoming: IncomingMessage, outgoing: ServerResponse) => unknown;

/** The path of a public address, without a slash at its end; empty where it has none. */
export const pathOf = (baseUrl: string | undefined): string =>
  baseUrl === undefined ? "" : withoutTrailing(new URL(baseUrl).pathname, "/");

/**
 * Takes requests with the path before their target as well as without it: some proxies take it off, others cannot.
 *
 * @param path begins with a slash and ends without; empty where there is none
 */
export function belowPath(path: string, listener: Listener): Listener {
  if (path === "") return listener;
  return (incoming, outgoing) => {
    const { url = "/" } = incoming;
    if (url === path) {
      // Links of the page there are relative to it.
      outgoing.writeHead(308, { Location: `${path}/` }).end();
      return;
    }
    incoming.url = withoutPath(path, url);
    return listener(incoming, outgoing);
  };
}

/** What is asked for inside of the service. Where the path is `/api`, the API's own addresses begin so as well. */
export function withoutPath(path: string, url: string): string {
  const isOwn = url.startsWith(PREFIX) && PREFIX.startsWith(path);
  if (url.startsWith(`${path}/`) && !isOwn) return url.slice(path.length);
  const issuer = `${WELL_KNOWN}${path}${PREFIX}`;
  return url.startsWith(issuer) ? WELL_KNOWN + url.slice(WELL_KNOWN.length + path.length) : url;
}
