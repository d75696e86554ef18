/** Who calls, and under which address: what the connection and a trusted proxy say. */

import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import type { HttpBindings } from "@hono/node-server";
import { getConnInfo } from "@hono/node-server/conninfo";
import type { Context } from "hono";
import { getCookie } from "hono/cookie";

export interface Caller {
  /** The network address that the request came from. */
  readonly address: string;
  /** The service's own address as callers see it, without a slash at its end. */
  readonly base: string;
  /** A client's id and secret from HTTP Basic authentication; undefined where there are none. */
  readonly basic: { readonly id: string; readonly secret: string } | undefined;
  /** Whether it is JavaScript that asks, as `SCRIPT_HEADERS` tell. */
  readonly isScript: boolean;
  /** Whether it is a browser that asks for a page, by `Accept`. */
  readonly wantsPage: boolean;
  /** Of these media types the one that `Accept` names before the others; the first where it names none. */
  preferred<T extends string>(types: readonly [T, ...T[]]): T;
  /** Whether the request comes from this machine, through no proxy. */
  isLocal(): boolean;
  /** The value of a cookie. */
  cookie(name: string): string | undefined;
  /** Whether a page of another origin has made a browser send it, as far as browsers tell. */
  isFromElsewhere(): boolean;
}

/** By what `isScript` is told: an answer that depends on it varies by these. */
export const SCRIPT_HEADERS = "Sec-Fetch-Mode, User-Agent";

export interface CallerOptions {
  /** The public address, where one is set. */
  readonly baseUrl: string | undefined;
  /** The address on which the service listens, for when no other is known. */
  readonly listening: () => string;
  /** How many proxies of ours a request comes through; with none, anybody could write `X-Forwarded-*`. */
  readonly trustProxy: number;
  /** The hosts, in lower case, that a proxy may say it was asked for: it hands on what a caller wrote. */
  readonly trustedHosts: readonly string[];
}

export type ReadCaller = (c: Context) => Caller;

/** Makes the function that tells who calls. */
export function readCaller(options: CallerOptions): ReadCaller {
  const { baseUrl, listening, trustProxy } = options;
  const baseOf = (c: Context): string =>
    baseUrl ?? (trustProxy > 0 ? forwardedBase(c, options) : undefined) ?? listening();
  return (c) => ({
    address: (trustProxy > 0 ? forwardedAddress(c, trustProxy) : undefined) ?? remoteAddress(c),
    base: baseOf(c),
    basic: basicCredentials(c.req.header("Authorization")),
    isScript: isScriptRequest(c.req.header("Sec-Fetch-Mode"), c.req.header("User-Agent")),
    // Read only where there is a page.
    get wantsPage() {
      return preferred(c.req.header("Accept"), ["application/json", "text/html"]) === "text/html";
    },
    preferred: (types) => preferred(c.req.header("Accept"), types),
    isLocal: () => isLocal((c.env as HttpBindings).incoming),
    cookie: (name) => getCookie(c, name),
    isFromElsewhere: () => isFromElsewhere(c, baseOf(c)),
  });
}

/** By Sec-Fetch-Site, else by Origin: its host is ours as the public address has it, or as it was asked for. */
function isFromElsewhere(c: Context, base: string): boolean {
  const site = c.req.header("Sec-Fetch-Site");
  if (site !== undefined) return site !== "same-origin" && site !== "none";
  const origin = c.req.header("Origin");
  // What a page with our policy of referrers sends of itself, and browsers of old send nothing.
  if (origin === undefined || origin === "null") return false;
  const host = URL.canParse(origin) ? new URL(origin).host : "";
  return origin !== new URL(base).origin && host !== c.req.header("Host")?.toLowerCase();
}

/**
 * Of some media types the one that `Accept` (RFC 9110, 12.5.1) gives the most weight, the first of equals. Ranges are of no
 * account: whoever takes anything gets the first.
 */
export function preferred<T extends string>(
  accept: string | undefined,
  types: readonly [T, ...T[]],
): T {
  const weights = new Map<string, number>();
  for (const range of (accept ?? "").toLowerCase().split(",")) {
    const [type = "", ...parameters] = range.split(";").map((part) => part.trim());
    const weight = parameters.find((one) => one.startsWith("q="))?.slice(2) ?? "1";
    weights.set(type, Number(weight) || 0);
  }
  const weightOf = (type: T): number => weights.get(type) ?? 0;
  return types.reduce((best, type) => (weightOf(type) > weightOf(best) ? type : best), types[0]);
}

/** Browsers and Node say so in Sec-Fetch-Mode (W3C Fetch Metadata), but browsers not on plain http. */
export function isScriptRequest(fetchMode: string | undefined, agent: string | undefined): boolean {
  return fetchMode !== undefined || /^(Mozilla|node|Deno|Bun)\b/.test(agent ?? "");
}

function remoteAddress(c: Context): string {
  const { address = "unknown" } = c.env?.incoming === undefined ? {} : getConnInfo(c).remote;
  // An IPv4 address on a socket that speaks both.
  return address.replace(/^::ffff:(?=\d+\.)/, "");
}

/**
 * Of a list to which each proxy adds, what the outermost proxy of ours wrote; what stands before it, whoever sent
 * the request wrote. A shorter list has been through fewer of them.
 */
function forwardedValue(c: Context, name: string, hops: number): string {
  const all = c.req.header(name)?.split(",") ?? [];
  return (all[Math.max(0, all.length - hops)] ?? "").trim();
}

function forwardedAddress(c: Context, hops: number): string | undefined {
  const address = forwardedValue(c, "X-Forwarded-For", hops);
  return isIP(address) === 0 ? undefined : address;
}

function forwardedBase(c: Context, { trustProxy, trustedHosts }: CallerOptions) {
  const host = forwardedValue(c, "X-Forwarded-Host", trustProxy).toLowerCase();
  if (!trustedHosts.includes(host)) return undefined;
  const secure = forwardedValue(c, "X-Forwarded-Proto", trustProxy).toLowerCase() === "https";
  return new URL(`${secure ? "https" : "http"}://${host}`).origin;
}

/** RFC 7617, with id and secret form-encoded inside (RFC 6749, 2.3.1). */
function basicCredentials(header: string | undefined): Caller["basic"] {
  const [, encoded] = /^Basic +([\w+/=-]+) *$/i.exec(header ?? "") ?? [];
  if (encoded === undefined) return undefined;
  const [, id, secret] =
    /^([^:]*):(.*)$/s.exec(Buffer.from(encoded, "base64").toString("utf8")) ?? [];
  if (id === undefined || secret === undefined) return undefined;
  // Swagger UI sends both empty when there is no client to speak of.
  if (id === "" && secret === "") return undefined;
  try {
    const decode = (text: string): string => decodeURIComponent(text.replaceAll("+", " "));
    return { id: decode(id), secret: decode(secret) };
  } catch {
    return { id, secret };
  }
}

/** Headers that proxies add (RFC 7239; RFC 9110, 7.6.3; and the common ones without a standard). */
const PROXIES = /^(?:forwarded|via|x-forwarded-.*|x-real-ip)$/;
/** 127.0.0.0/8 (RFC 1122, 3.2.1.3), also as an IPv4-mapped address, and ::1. */
const LOOPBACK = /^(?:(?:::ffff:)?127(?:\.\d{1,3}){3}|::1)$/;
/** A `Host` header that names this machine. */
const LOCAL_HOST = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i;

/**
 * Whether a request comes from this machine itself, not through a proxy and not from a page in a browser. A proxy that adds no
 * header still forwards its own `Host`. A page can reach this address under any name, but sends its origin or its site.
 */
export function isLocal({ headers, socket }: Pick<IncomingMessage, "headers" | "socket">): boolean {
  if (!LOOPBACK.test(socket.remoteAddress ?? "") || !LOCAL_HOST.test(headers.host ?? "")) {
    return false;
  }
  const site = headers["sec-fetch-site"];
  if (headers.origin !== undefined || !(site === undefined || site === "none")) return false;
  return !Object.keys(headers).some((name) => PROXIES.test(name));
}
