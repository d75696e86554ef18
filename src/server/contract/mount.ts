/** Mounts the operations of the contract as routes of the app. */
import { isUtf8 } from "node:buffer";
import { createRoute, type OpenAPIHono, type z } from "@hono/zod-openapi";
import type { Context, MiddlewareHandler } from "hono";
import { ACCESS, routes } from "../../../generated/routes.js";
import { InvalidParameters } from "../../domain/errors.js";
import { MissingToken } from "../../identity/errors.js";
import type { Principal } from "../../identity/principal.js";
import type { Budget, Lease } from "../../platform/budget.js";
import { MalformedBody, MethodNotAllowed, UnsupportedMediaType } from "../errors.js";
import type { RequestContext } from "../request-context.js";
import type { Caller, ReadCaller } from "./caller.js";
import { checkReply } from "./check-reply.js";
import { type DirectPlace, directAnswer } from "./direct-response.js";
import {
  type BodyLimit,
  bodyBudget,
  drop,
  JsonBody,
  readBytes,
  WrongShape,
} from "./input/json-body.js";
import {
  directBytes,
  type Handlers,
  type MoreIssues,
  type OperationId,
  type Request,
  streamOf,
  writtenBody,
} from "./operation.js";

export interface MountOptions {
  /** Test mode: validates every answer against the contract. */
  readonly checkReplies: boolean;
  readonly readCaller: ReadCaller;
  readonly authenticate: Authenticate;
  /** Left out if there are no limits. */
  readonly admit?: Admit;
  /** Limits of operations with larger bodies than usual. */
  readonly bodyLimits: Partial<Record<OperationId, BodyLimit>>;
}

/**
 * Charges a request to its caller.
 *
 * @returns when it may be answered; undefined: at once. @throws TooManyRequests, at once or later
 */
export type Admit = (context: RequestContext, caller: Caller) => Promise<void> | undefined;

/**
 * Authenticates a request.
 *
 * @param authorization the `Authorization` header
 * @param base the service's own address, which must be the token's audience
 * @returns undefined if the header has no token
 * @throws InvalidToken; IdentityUnavailable
 */
export type Authenticate = (
  authorization: string | undefined,
  base: string,
) => Promise<Principal | undefined>;

/** Maximal bytes of a form, which has some names and a token. */
const MAX_FORM = 16_384;
const FORM = "application/x-www-form-urlencoded";
const JSON_TYPE = "application/json";
const JSON_LIMIT: BodyLimit = { bytes: 65_536, entries: 1000 };
/** Number of the largest bodies that are processed at the same time. */
const MAX_LARGE_BODIES = 4;

interface AnyReply {
  readonly status: number;
  readonly type?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

type AnyHandler = ((request: Request<OperationId>) => Promise<AnyReply>) & {
  readonly moreIssues?: MoreIssues<"addUserData">;
};

/** Hono's pattern for a path of the contract; `{key{.+}}` matches slashes too. */
const pattern = (path: string): string => path.replaceAll(/\{([^{}]+(?:\{[^{}]+\})?)\}/g, ":$1");

/**
 * Mounts every operation with validation before its handler, and 405 for other methods of its path.
 */
export function mountOperations(app: OpenAPIHono, handlers: Handlers, options: MountOptions): void {
  const methods = new Map<string, string[]>();
  const largest = Object.values(options.bodyLimits).map(({ bytes }) => bytes);
  const budget = bodyBudget(MAX_LARGE_BODIES * Math.max(JSON_LIMIT.bytes * 100, ...largest));
  for (const id of Object.keys(routes) as OperationId[]) {
    const route = routes[id];
    const handle = handlers[id] as unknown as AnyHandler;
    const answer = async (c: Context): Promise<Response> => {
      const reply = await handle(requestOf(c));
      if (options.checkReplies) checkReply(id, reply);
      return responseOf(reply, c.req.raw.method === "HEAD", c.env?.place);
    };
    const queries = "query" in route.request ? [guardQuery] : [];
    const before = [identify(id, options), ...queries, ...guardBody(id, options, budget, handle)];
    app.on(route.method.toUpperCase(), [pattern(route.path)], ...before);
    // The handler types of the routes have no common type.
    app.openapi(withoutJson(route) as never, answer as never);
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

/** Hint for people whose browser sends no token. */
const SHARE_HINT =
  "A browser sends none: a shared address opens in it without one (POST data-portal/share-zarr).";

interface Declared {
  readonly description: string;
  readonly content?: object;
}

const isPage = (id: OperationId): boolean => {
  const responses: Readonly<Record<number, Declared | undefined>> = routes[id].responses;
  return "text/html" in (responses[200]?.content ?? {});
};

/** Enforces the contract's `security` before anything else of a request is read. */
function identify(id: OperationId, options: MountOptions): MiddlewareHandler {
  const access: "public" | "optional" | "required" = ACCESS[id];
  const hint = isPage(id) ? SHARE_HINT : undefined;
  // Operations about the service itself are not limited: the contract gives them no 429.
  const admit = 429 in routes[id].responses ? options.admit : undefined;
  return async (c, next) => {
    const caller = options.readCaller(c);
    const { context }: { context: RequestContext } = c.env;
    context.operation = id;
    context.address = caller.address;
    c.set("caller", caller);
    if (access !== "public") {
      try {
        const principal = await options.authenticate(c.req.header("Authorization"), caller.base);
        if (principal === undefined && access === "required") throw new MissingToken(hint);
        context.principal = principal;
        c.set("principal", principal);
      } catch (error) {
        // A request with an invalid token is charged to its address.
        await admit?.(context, caller);
        throw error;
      }
    }
    const turn = admit?.(context, caller);
    if (turn !== undefined) await turn;
    await next();
    const { slowedBy } = context.charge ?? {};
    if (slowedBy !== undefined) c.res.headers.set("RateLimit", slowedBy.field);
  };
}

/**
 * Requires a body of a declared type and bounded size. (The validator would accept a multipart form for any type, and a
 * missing body as an empty object.)
 */
function guardBody(
  id: OperationId,
  { bodyLimits }: MountOptions,
  budget: Budget,
  { moreIssues }: AnyHandler,
): MiddlewareHandler[] {
  const content = bodyOf(routes[id]);
  if (content === undefined) return [];
  const types = Object.keys(content);
  const isForm = types.includes(FORM);
  const known: MiddlewareHandler = async (c, next) => {
    const type = c.req.header("Content-Type")?.split(";")[0]?.trim().toLowerCase();
    const missing = type === undefined || type === "";
    if (missing && !isForm && !hasBody(c)) throw new MalformedBody("A body is needed.");
    if (missing ? !isForm : !types.includes(type)) throw new UnsupportedMediaType(types);
    await next();
  };
  if (!isForm) {
    const schema = content[JSON_TYPE]?.schema;
    if (schema === undefined) throw new Error(`${id}: its body is neither a form nor JSON`);
    const body = new JsonBody(schema, bodyLimits[id] ?? JSON_LIMIT);
    return [known, readJson(body, budget, moreIssues)];
  }
  return [known, guardForm];
}

type Content = Record<string, { readonly schema: z.ZodType }>;

const bodyOf = (route: (typeof routes)[OperationId]): Content | undefined =>
  (route.request as { body?: { content: Content } }).body?.content;

/** A route without its JSON body, which the framework would read, parse and validate in one go. */
function withoutJson(route: (typeof routes)[OperationId]) {
  if (bodyOf(route)?.[JSON_TYPE] === undefined) return route;
  const { body: _, ...request } = route.request as { body?: unknown };
  return createRoute({ ...route, request } as never);
}

/** Reads and validates a JSON body. Its bytes stay booked until the operation is done. */
function readJson(
  body: JsonBody,
  budget: Budget,
  moreIssues: AnyHandler["moreIssues"],
): MiddlewareHandler {
  return async (c, next) => {
    const leases: Lease[] = [];
    try {
      const onBytes = (bytes: number): void => {
        leases.push(budget.takeNow(bytes));
      };
      const value = await body.read(c, onBytes).catch(async (error) => {
        await drop(c);
        if (!(error instanceof WrongShape) || moreIssues === undefined) throw error;
        const { caller, principal } = c.var as Request<"addUserData">;
        throw await error.withMoreIssues((body, isReported) =>
          moreIssues({ caller, principal, body, isReported }),
        );
      });
      c.set("json", value);
      await next();
    } finally {
      for (const lease of leases) lease.release();
    }
  };
}

/** Requires UTF-8 in a form, also inside percent-encoding (URL Standard, 5.1): else different names could become equal. */
const guardForm: MiddlewareHandler = async (c, next) => {
  const bytes = await readBytes(c, MAX_FORM).catch(async (error) => {
    await drop(c);
    throw error;
  });
  // The validator reads the body from here.
  c.req.bodyCache = { arrayBuffer: bytes.buffer as ArrayBuffer };
  const fields = bytes.toString("latin1").split("&");
  try {
    if (!isUtf8(bytes)) throw new URIError();
    // A lone percent sign means itself.
    for (const field of fields) decodeURIComponent(field.replaceAll(/%(?![0-9a-f]{2})/gi, "%25"));
  } catch {
    throw new MalformedBody("The body is not a form in UTF-8.");
  }
  await next();
};

/** Refuses keys that the framework drops before validation, as unknown parameters. */
const guardQuery: MiddlewareHandler = async (c, next) => {
  const { url } = c.req;
  const start = url.indexOf("?");
  if (start < 0 || !/[?&]=|__|%/.test(url.slice(start))) return next();
  const lost = [...new URLSearchParams(url.slice(start)).keys()].filter(
    (key) => key === "" || key === "__proto__",
  );
  if (lost.length > 0) {
    throw new InvalidParameters(
      [...new Set(lost)].map((name) => ({ name, in: "query", reason: "is not a parameter here" })),
    );
  }
  await next();
};

const hasBody = (c: Context): boolean =>
  c.req.header("Transfer-Encoding") !== undefined || Number(c.req.header("Content-Length")) > 0;

function requestOf(c: Context): Request<OperationId> {
  const valid = (target: string): unknown => c.req.valid(target as never);
  const request = {
    path: valid("param") ?? {},
    query: valid("query") ?? {},
    headers: valid("header") ?? {},
    body: c.get("json") ?? valid("form"),
    caller: c.get("caller") as Caller,
    principal: c.get("principal") as Principal | undefined,
    context: c.env.context as RequestContext,
    // Lazy: it makes the server build a whole Request object.
    get signal() {
      return c.req.raw.signal;
    },
  };
  return request as unknown as Request<OperationId>;
}

function responseOf(reply: AnyReply, headOnly: boolean, place: DirectPlace | undefined): Response {
  const headers = new Headers(reply.headers);
  if (reply.type === undefined) return new Response(null, { status: reply.status, headers });
  // A reply may set a more specific type, such as one with a version.
  if (!headers.has("Content-Type")) headers.set("Content-Type", contentType(reply.type));
  const direct = directBytes(reply.body);
  if (direct) {
    headers.set("Content-Length", String(direct.length));
    const init = { status: reply.status, headers };
    if (!headOnly) return directAnswer(direct, init, place);
    direct.abandon?.();
    return new Response(null, init);
  }
  const stream = streamOf(reply.body);
  if (stream) {
    if (!headOnly) return new Response(stream, { status: reply.status, headers });
    // Nobody reads a HEAD's stream. Without a cancel its source would wait for ever.
    void stream.cancel();
    return new Response(null, { status: reply.status, headers });
  }
  const text =
    writtenBody(reply.body) ??
    (reply.type.endsWith("json") ? JSON.stringify(reply.body) : String(reply.body));
  headers.set("Content-Length", String(Buffer.byteLength(text)));
  // Set here because `compress` would copy the answer into a stream to add it.
  headers.append("Vary", "Accept-Encoding");
  return new Response(text as BodyInit, { status: reply.status, headers });
}

const contentType = (type: string): string =>
  type.startsWith("text/") ? `${type}; charset=utf-8` : type;
