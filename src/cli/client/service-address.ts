/** Turns the value of --host into the address of a service. */
import { isIPv4 } from "node:net";
import { PREFIX } from "../../../generated/prefix.js";
import { withoutTrailing } from "../../platform/trailing-characters.js";
import { AuthenticationError } from "./authentication-error.js";

/** The default port of a service. */
const OWN_PORT = "7777";

export const DEFAULT_HOST = "localhost";

/**
 * The address of a service, without the API's prefix and without a trailing slash.
 *
 * @param host `host`, `host:port` or `http(s)://host[:port][/path]`. The default scheme is https; on this machine it
 *   is http, and the default port 7777
 * @throws AuthenticationError for any other text
 */
export function serviceAddress(host: string): string {
  const text = host.trim();
  const hasScheme = /^[a-z][a-z\d+.-]*:\/\//i.test(text);
  const address = hasScheme ? text : `https://${text}`;
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username || url.password) {
    throw new AuthenticationError(
      `${JSON.stringify(host)} is not a host, host:port or http(s) address.`,
    );
  }
  if (!hasScheme && isThisMachine(url.hostname)) {
    const port = /:\d+$/.test(text.split("/")[0] ?? "") ? url.port || "443" : OWN_PORT;
    url.protocol = "http:";
    url.port = port;
  }
  const path = withoutTrailing(url.pathname, "/");
  const above = path.endsWith(PREFIX) ? path.slice(0, -PREFIX.length) : path;
  return url.origin + above;
}

export const apiAddress = (service: string): string => service + PREFIX;

/** By name (RFC 6761, 6.3) or by address; 127.example.org is an ordinary name. */
function isThisMachine(name: string): boolean {
  if (name === "localhost" || name.endsWith(".localhost") || name === "[::1]") return true;
  return isIPv4(name) && name.startsWith("127.");
}
