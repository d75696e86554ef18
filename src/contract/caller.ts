/** Who calls, and under which address: what the connection and a trusted proxy say. */
import { isIP } from "node:net";
import { getConnInfo } from "@hono/node-server/conninfo";
import type { Context } from "hono";

export interface Caller {
  /** The network address that the request came from. */
  readonly address: string;
  /** The service's own address as callers see it, without a slash at its end. */
  readonly base: string;
  /** A client's id and secret from HTTP Basic authentication; undefined where there are none. */
  readonly basic: { readonly id: string; readonly secret: string } | undefined;
  /** Whether it is JavaScript that asks, as `SCRIPT_HEADERS` tell. */
  readonly isScript: boolean;
}

/** By what `isScript` is told: an answer that depends on it varies by these. */
export const SCRIPT_HEADERS = "Sec-Fetch-Mode, User-Agent";

export interface CallerOptions {
  /** The public address, where one is set. */
  readonly baseUrl: string | undefined;
  /** The address on which the service listens, for when no other is known. */
  readonly listening: () => string;
  /** Whether `X-Forwarded-*` are from a proxy of ours; otherwise anybody could write them. */
  readonly trustProxy: boolean;
}

export type ReadCaller = (c: Context) => Caller;

/** Makes the function that tells who calls. */
export function readCaller({ baseUrl, listening, trustProxy }: CallerOptions): ReadCaller {
  return (c) => ({
    address: (trustProxy ? forwardedAddress(c) : undefined) ?? remoteAddress(c),
    base: baseUrl ?? (trustProxy ? forwardedBase(c) : undefined) ?? listening(),
    basic: basicCredentials(c.req.header("Authorization")),
    isScript: asksAsScript(c.req.header("Sec-Fetch-Mode"), c.req.header("User-Agent")),
  });
}

/** Browsers and Node say so in Sec-Fetch-Mode (W3C Fetch Metadata), but browsers not on plain http. */
export function asksAsScript(fetchMode: string | undefined, agent: string | undefined): boolean {
  return fetchMode !== undefined || /^(Mozilla|node|Deno|Bun)\b/.test(agent ?? "");
}

function remoteAddress(c: Context): string {
  const { address = "unknown" } = c.env?.incoming === undefined ? {} : getConnInfo(c).remote;
  // An IPv4 address on a socket that speaks both.
  return address.replace(/^::ffff:(?=\d+\.)/, "");
}

/** The last one was written by our proxy; those before it, by whoever sent the request. */
function forwardedAddress(c: Context): string | undefined {
  const last = c.req.header("X-Forwarded-For")?.split(",").at(-1)?.trim() ?? "";
  return isIP(last) === 0 ? undefined : last;
}

function forwardedBase(c: Context): string | undefined {
  const last = (name: string): string => c.req.header(name)?.split(",").at(-1)?.trim() ?? "";
  const address = `${last("X-Forwarded-Proto") || "http"}://${last("X-Forwarded-Host")}`;
  if (!/^https?:\/\/[\w.:[\]-]+$/.test(address) || !URL.canParse(address)) return undefined;
  return new URL(address).origin;
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
