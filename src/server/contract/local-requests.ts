/** Whether a request comes from this machine itself, by nobody who passes on what others ask. */
import type { IncomingMessage } from "node:http";

/** Headers by which a proxy says that it is one (RFC 7239, RFC 9110, 7.6.3, and what is usual). */
const PROXIES = /^(?:forwarded|via|x-forwarded-.*|x-real-ip)$/;
/** 127.0.0.0/8 (RFC 1122, 3.2.1.3), also on a socket that speaks both, and ::1. */
const LOOPBACK = /^(?:(?:::ffff:)?127(?:\.\d{1,3}){3}|::1)$/;
/** The names of it, and a port. */
const LOCAL_HOST = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i;

/**
 * A proxy that says nothing of itself still hands on the host it was asked for; a page in a browser on this machine, which
 * may lead any name here, names its origin or its site.
 */
export function isLocal({ headers, socket }: Pick<IncomingMessage, "headers" | "socket">): boolean {
  if (!LOOPBACK.test(socket.remoteAddress ?? "") || !LOCAL_HOST.test(headers.host ?? "")) {
    return false;
  }
  const site = headers["sec-fetch-site"];
  if (headers.origin !== undefined || !(site === undefined || site === "none")) return false;
  return !Object.keys(headers).some((name) => PROXIES.test(name));
}
