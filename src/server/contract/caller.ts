/** The caller and the service's address, from the connection and trusted proxies. */
import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import type { HttpBindings } from "@hono/node-server";
import type { Context } from "hono";
import { getCookie } from "hono/cookie";
import { weightsIn } from "../http/accepted.js";

/** The headers that decide `isScript`; answers that depend on it vary by them. */
export const SCRIPT_HEADERS = "Sec-Fetch-Mode, User-Agent";

interface CallerOptions {
  /** The public address (BASE_URL), if set. */
  readonly baseUrl: string | undefined;
  /** The address on which the service listens, if no other is known. */
  readonly listening: () => string;
  /** Number of trusted proxies. With 0, `X-Forwarded-*` is ignored: any client could write it. */
  readonly trustProxy: number;
  /** Hosts, in lower case, that are accepted from a proxy: it forwards whatever the caller wrote. */
  readonly trustedHosts: readonly string[];
}

export type ReadCaller = (c: Context) => Caller;

export const readCaller =
  (options: CallerOptions): ReadCaller =>
  (c) =>
    new Caller(c, options);

/**
 * Reads a part of the request only when an operation uses it.
 *
 * An object literal with a getter would get a hidden class of its own each time, which keeps the request and all that belongs to it
 * until the garbage collector goes through all objects.
 */
export class Caller {
  readonly address: string;
  /** The service's own address as callers see it, without a trailing slash. */
  readonly base: string;
  readonly #c: Context;

  constructor(c: Context, options: CallerOptions) {
    const { baseUrl, listening, trustProxy } = options;
    const isBehindProxy = trustProxy > 0;
    this.#c = c;
    this.address =
      (isBehindProxy ? forwardedAddress(c, trustProxy) : undefined) ?? remoteAddress(c.env);
    this.base = baseUrl ?? (isBehindProxy ? forwardedBase(c, options) : undefined) ?? listening();
  }

  /** Aborted when the client disconnects. */
  get signal(): AbortSignal {
    return this.#c.req.raw.signal;
  }

  /** Client id and secret from HTTP Basic authentication. */
  get basic(): Credentials | undefined {
    return basicCredentials(this.#c.req.header("Authorization"));
  }

  /** Whether a script sends the request, by `SCRIPT_HEADERS`. */
  get isScript(): boolean {
    const { req } = this.#c;
    return isScriptRequest(req.header("Sec-Fetch-Mode"), req.header("User-Agent"));
  }

  /** Whether a browser requests a page, by `Accept`. */
  get wantsPage(): boolean {
    return this.preferred(["application/json", "text/html"]) === "text/html";
  }

  /**
   * The media type with the highest weight in `Accept` (RFC 9110, 12.5.1), the first of equals. Ranges such as `text/*` are
   * ignored: they select the first type.
   */
  preferred<T extends string>(types: readonly [T, ...T[]]): T {
    const weights = weightsIn(this.#c.req.header("Accept"));
    const weightOf = (type: T): number => weights.get(type) ?? 0;
    return types.reduce((best, type) => (weightOf(type) > weightOf(best) ? type : best));
  }

  /** Whether the request comes from this machine, through no proxy. */
  isLocal(): boolean {
    return isLocal((this.#c.env as HttpBindings).incoming);
  }

  cookie(name: string): string | undefined {
    return getCookie(this.#c, name);
  }

  /**
   * Whether a page of another origin made a browser send the request, as far as browsers report it: by Sec-Fetch-Site, else by
   * Origin, whose host must be that of the public address or of the request.
   */
  isFromElsewhere(): boolean {
    const { req } = this.#c;
    const site = req.header("Sec-Fetch-Site");
    if (site !== undefined) return site !== "same-origin" && site !== "none";
    const origin = req.header("Origin");
    // Own pages send "null" because of their referrer policy; old browsers send no Origin.
    if (origin === undefined || origin === "null") return false;
    const host = URL.canParse(origin) ? new URL(origin).host : "";
    return origin !== new URL(this.base).origin && host !== req.header("Host")?.toLowerCase();
  }
}

/** By Sec-Fetch-Mode (W3C Fetch Metadata), which Node sends, and browsers except on plain http. */
export function isScriptRequest(fetchMode: string | undefined, agent: string | undefined): boolean {
  return fetchMode !== undefined || /^(Mozilla|node|Deno|Bun)\b/.test(agent ?? "");
}

/** An IPv4 address on a dual-stack socket is shown as such. */
const remoteAddress = ({ incoming }: HttpBindings): string =>
  (incoming.socket.remoteAddress ?? "unknown").replace(/^::ffff:(?=\d+\.)/, "");

/**
 * The entry that the outermost trusted proxy added to a list header. Entries before it come from the sender and are
 * not trusted. A shorter list has passed fewer proxies.
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

interface Credentials {
  readonly id: string;
  readonly secret: string;
}

/** RFC 7617, with id and secret form-encoded inside (RFC 6749, 2.3.1). */
function basicCredentials(header: string | undefined): Credentials | undefined {
  const [, encoded] = /^Basic +([\w+/=-]+) *$/i.exec(header ?? "") ?? [];
  if (encoded === undefined) return undefined;
  const [, id, secret] =
    /^([^:]*):(.*)$/s.exec(Buffer.from(encoded, "base64").toString("utf8")) ?? [];
  if (id === undefined || secret === undefined) return undefined;
  // Swagger UI sends both empty if no client is set.
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
 * Whether a request comes from this machine, not through a proxy and not from a page in a browser. A proxy that adds no
 * header forwards its own `Host`. A page can use any host name, but sends its origin or its site.
 */
export function isLocal({ headers, socket }: Pick<IncomingMessage, "headers" | "socket">): boolean {
  if (!LOOPBACK.test(socket.remoteAddress ?? "") || !LOCAL_HOST.test(headers.host ?? "")) {
    return false;
  }
  const site = headers["sec-fetch-site"];
  if (headers.origin !== undefined || !(site === undefined || site === "none")) return false;
  return !Object.keys(headers).some((name) => PROXIES.test(name));
}
