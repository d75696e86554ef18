/** A handler's reply -> the answer that the server sends. */
import type { Context } from "hono";
import type { Validity } from "../../index/query/query-cache.js";
import { answerReady, directAnswer, placeOf, readyAnswer } from "./direct-response.js";
import { type DirectBytes, isDirect, writtenBody } from "./operation.js";

type HeaderRecord = Readonly<Record<string, string>>;

/** A reply of any operation. */
export interface AnyReply {
  readonly status: number;
  readonly type?: string;
  readonly body?: unknown;
  readonly headers?: HeaderRecord;
  readonly validity?: Validity | undefined;
}

/** Sets a header of an answer that is made already. */
export function addHeader(c: Context, name: string, value: string): void {
  const ready = readyAnswer(c.res, placeOf(c));
  if (ready === undefined) c.res.headers.set(name, value);
  else ready.headers = { ...ready.headers, [name]: value };
}

/** The answer to a request, as its handler replied. */
export function responseOf(reply: AnyReply, c: Context): Response {
  const { status, type } = reply;
  if (type === undefined) return plainResponse(c, status, { ...reply.headers }, undefined);
  // A reply may set a more specific type, such as one with a version.
  const headers = { "Content-Type": contentType(type), ...reply.headers };
  const { body } = reply;
  if (isDirect(body)) return directResponse(c, status, headers, body);
  const text = writtenBody(body) ?? (type.endsWith("json") ? JSON.stringify(body) : String(body));
  return textResponse(c, status, headers, text);
}

function directResponse(
  c: Context,
  status: number,
  { ...headers }: Record<string, string>,
  body: DirectBytes,
): Response {
  if (body.length !== undefined) headers["Content-Length"] = String(body.length);
  else headers.Vary = varying(headers.Vary);
  if (c.req.raw.method === "HEAD") {
    // Nobody reads it. Without this, its source would wait for ever.
    body.abandon?.();
    return new Response(null, { status, headers });
  }
  const place = placeOf(c);
  if (place !== undefined && !mayBeCompressed(c, headers)) {
    return answerReady(place, { status, headers, body });
  }
  return directAnswer(body, { status, headers }, place);
}

/** Below this many bytes nothing is compressed, as `compress` has it. */
const MIN_COMPRESSED = 1024;

/** An answer whose body is ready. */
export function textResponse(
  c: Context,
  status: number,
  given: HeaderRecord,
  text: string | Uint8Array,
): Response {
  const length = Buffer.byteLength(text);
  // Vary is set here because `compress` would copy the answer into a stream to add it.
  const headers = { ...given, "Content-Length": String(length), Vary: varying(given.Vary) };
  const isPlain = length < MIN_COMPRESSED || !mayBeCompressed(c, headers);
  return isPlain
    ? plainResponse(c, status, headers, text)
    : new Response(text as BodyInit, { status, headers });
}

/** An answer that nothing on the way changes. */
function plainResponse(
  c: Context,
  status: number,
  headers: HeaderRecord,
  body: string | Uint8Array | undefined,
): Response {
  const place = placeOf(c);
  // The framework makes the answer to HEAD from a Response.
  return place === undefined || c.req.raw.method === "HEAD"
    ? new Response((body ?? null) as BodyInit | null, { status, headers })
    : answerReady(place, { status, headers, body });
}

const varying = (given: string | undefined): string =>
  given === undefined ? "Accept-Encoding" : `${given}, Accept-Encoding`;

/** Whether `compress` looks at an answer's type and encodes it. */
const mayBeCompressed = (c: Context, headers: HeaderRecord): boolean =>
  c.req.header("Accept-Encoding") !== undefined &&
  headers["Cache-Control"]?.includes("no-transform") !== true;

const contentType = (type: string): string =>
  type.startsWith("text/") ? `${type}; charset=utf-8` : type;
