/** The operations of the contract -> routes of the app. */
import type { OpenAPIHono } from "@hono/zod-openapi";
import type { Context, MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import { ACCESS, routes } from "../../generated/routes.js";
import type { Principal } from "../auth/principal.js";
import {
  BodyTooLarge,
  InvalidParameters,
  MalformedBody,
  MethodNotAllowed,
  MissingToken,
  UnsupportedMediaType,
} from "../errors.js";
import type { Caller, ReadCaller } from "./caller.js";
import { checkReply } from "./check-reply.js";
import { directAnswer } from "./direct-answer.js";
import {
  directBytes,
  type Handlers,
  type OperationId,
  type Request,
  streamOf,
  writtenBody,
} from "./operation.js";

export interface MountOptions {
  /** Test mode: holds every answer against the contract, and fails where it does not fit. */
  readonly checkReplies: boolean;
  readonly readCaller: ReadCaller;
  readonly authenticate: Authenticate;
  /** Of operations that take more than others. */
  readonly bodyLimits: Partial<Record<OperationId, BodyLimit>>;
}

/** The largest body that is read at all. */
export interface BodyLimit {
  readonly bytes: number;
  /** Elements of each of its arrays. */
  readonly entries: number;
}

/**
 * Finds out who sends a request.
 *
 * @param authorization the `Authorization` header
 * @param base the service's own address, which the token must have been made for
 * @returns undefined when the header has no token
 * @throws InvalidToken when it has one that is not valid; IdentityUnavailable
 */
export type Authenticate = (
  authorization: string | undefined,
  base: string,
) => Promise<Principal | undefined>;

/** A form has some names and a token; nothing that is larger means well. */
const FORM_LIMIT: BodyLimit = { bytes: 16_384, entries: 0 };
const FORM = "application/x-www-form-urlencoded";
const JSON_LIMIT: BodyLimit = { bytes: 65_536, entries: 1000 };

interface AnyReply {
  readonly status: number;
  readonly type?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

type AnyHandler = (request: Request<OperationId>) => Promise<AnyReply>;

/** Hono's pattern for a path of the contract. */
const pattern = (path: string): string => path.replaceAll(/\{(.+?)\}/g, ":$1");

/**
 * Mounts every operation, with validation before its handler, and 405 for the methods that a path
 * does not have.
 */
export function mountOperations(app: OpenAPIHono, handlers: Handlers, options: MountOptions): void {
  const methods = new Map<string, string[]>();
  for (const id of Object.keys(routes) as OperationId[]) {
    const route = routes[id];
    const handle = handlers[id] as unknown as AnyHandler;
    const answer = async (c: Context): Promise<Response> => {
      const reply = await handle(requestOf(c));
      if (options.checkReplies) checkReply(id, reply);
      return responseOf(reply, c.req.raw.method === "HEAD");
    };
    const before = [identify(id, options), ...guardBody(id, options)];
    app.on(route.method.toUpperCase(), [pattern(route.path)], ...before);
    // Each route has a handler type of its own; over all of them there is no common one.
    app.openapi(route as never, answer as never);
    const path = pattern(route.path);
    methods.set(path, [...(methods.get(path) ?? []), route.method.toUpperCase()]);
  }
  for (const [path, own] of methods) {
    const allowed = own.includes("GET") ? [...own, "HEAD", "OPTIONS"] : [...own, "OPTIONS"];
    app.all(path, (c) => {
      throw new MethodNotAllowed(c.req.method, allowed);
    });
  }
}

/** The one place where the contract's `security` is enforced, before anything else of a request counts. */
function identify(id: OperationId, options: MountOptions): MiddlewareHandler {
  const access: "public" | "optional" | "required" = ACCESS[id];
  return async (c, next) => {
    const caller = options.readCaller(c);
    c.set("caller", caller);
    if (access !== "public") {
      const principal = await options.authenticate(c.req.header("Authorization"), caller.base);
      if (principal === undefined && access === "required") throw new MissingToken();
      c.set("principal", principal);
    }
    await next();
  };
}

/**
 * A body is there, of a declared type (the validator would take a multipart form for any, and no body at all for
 * an empty object), and of a bounded size.
 */
function guardBody(id: OperationId, { bodyLimits }: MountOptions): MiddlewareHandler[] {
  const { body } = routes[id].request as { body?: { content: Record<string, unknown> } };
  if (body === undefined) return [];
  const types = Object.keys(body.content);
  const isForm = types.includes(FORM);
  const limit = bodyLimits[id] ?? (isForm ? FORM_LIMIT : JSON_LIMIT);
  const known: MiddlewareHandler = async (c, next) => {
    const type = c.req.header("Content-Type")?.split(";")[0]?.trim().toLowerCase();
    const missing = type === undefined || type === "";
    if (missing && !isForm && !hasBody(c)) throw new MalformedBody("A body is needed.");
    if (missing ? !isForm : !types.includes(type)) throw new UnsupportedMediaType(types);
    await next();
  };
  const onError = (): never => {
    throw new BodyTooLarge(limit.bytes);
  };
  const bounded = bodyLimit({ maxSize: limit.bytes, onError });
  return isForm ? [known, bounded] : [known, bounded, guardJson(limit)];
}

const hasBody = (c: Context): boolean =>
  c.req.header("Transfer-Encoding") !== undefined || Number(c.req.header("Content-Length")) > 0;

/** What has to be known of JSON before it is validated: its length, and a key that the validator passes over. */
function guardJson({ entries }: BodyLimit): MiddlewareHandler {
  return async (c, next) => {
    const value: unknown = await c.req.json().catch(() => {
      throw new MalformedBody("The body is not JSON.");
    });
    if (typeof value === "object" && value !== null) {
      // Each bad entry would be an issue, and there could be millions.
      const tooMany = Object.values(value).some(
        (member) => Array.isArray(member) && member.length > entries,
      );
      if (tooMany) throw new BodyTooLarge(entries, "entries");
      // zod leaves this key out without a word: {"__proto__": "x"} would count as {}.
      if (Object.hasOwn(value, "__proto__")) {
        throw new InvalidParameters([
          { name: "__proto__", in: "body", reason: "is not a key here" },
        ]);
      }
    }
    await next();
  };
}

function requestOf(c: Context): Request<OperationId> {
  const valid = (target: string): unknown => c.req.valid(target as never);
  const request = {
    path: valid("param") ?? {},
    query: valid("query") ?? {},
    headers: valid("header") ?? {},
    body: valid("json") ?? valid("form"),
    caller: c.get("caller") as Caller,
    principal: c.get("principal") as Principal | undefined,
    // Read only where it is needed: it makes the server build a whole Request object.
    get signal() {
      return c.req.raw.signal;
    },
  };
  return request as unknown as Request<OperationId>;
}

function responseOf(reply: AnyReply, headOnly: boolean): Response {
  const headers = new Headers(reply.headers);
  if (reply.type === undefined) return new Response(null, { status: reply.status, headers });
  headers.set("Content-Type", contentType(reply.type));
  const direct = directBytes(reply.body);
  if (direct) {
    headers.set("Content-Length", String(direct.length));
    const init = { status: reply.status, headers };
    if (!headOnly) return directAnswer(direct, init);
    direct.abandon?.();
    return new Response(null, init);
  }
  const stream = streamOf(reply.body);
  if (stream) {
    if (!headOnly) return new Response(stream, { status: reply.status, headers });
    // Nobody will read it: what feeds it must be told, or it waits for ever.
    void stream.cancel();
    return new Response(null, { status: reply.status, headers });
  }
  const text =
    writtenBody(reply.body) ??
    (reply.type.endsWith("json") ? JSON.stringify(reply.body) : String(reply.body));
  headers.set("Content-Length", String(Buffer.byteLength(text)));
  // Said here, so that `compress` need not: it would copy the answer into a stream for that.
  headers.append("Vary", "Accept-Encoding");
  return new Response(text as BodyInit, { status: reply.status, headers });
}

const contentType = (type: string): string =>
  type.startsWith("text/") ? `${type}; charset=utf-8` : type;
