/** Mounts the operations of the contract as routes of the app. */
import { createRoute, type OpenAPIHono } from "@hono/zod-openapi";
import type { Context, MiddlewareHandler } from "hono";
import { ACCESS, routes } from "../../../generated/routes.js";
import { InvalidParameters } from "../../domain/errors.js";
import { MissingToken } from "../../identity/errors.js";
import type { Principal } from "../../identity/principal.js";
import type { Validity } from "../../index/query/query-cache.js";
import { MethodNotAllowed } from "../errors.js";
import type { RequestContext } from "../http/request-context.js";
import type { Caller, ReadCaller } from "./caller.js";
import { checkReply } from "./check-reply.js";
import { bodyBudget, bodyOf, guardBody, JSON_TYPE } from "./input/guard-body.js";
import { readHeaders } from "./input/read-headers.js";
import { KeptReplies } from "./kept-replies.js";
import {
  type Handlers,
  type MoreIssues,
  type OperationId,
  type Request,
  writtenBody,
} from "./operation.js";
import { type AnyReply, addHeader, responseOf, textResponse } from "./write-reply.js";

export interface MountOptions {
  /** Test mode: validates every answer against the contract. */
  readonly checkReplies: boolean;
  readonly readCaller: ReadCaller;
  readonly authenticate: Authenticate;
  /** Left out if there are no limits. */
  readonly admit?: Admit;
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
  const budget = bodyBudget();
  const kept = new KeptReplies();
  for (const id of Object.keys(routes) as OperationId[]) {
    const route = routes[id];
    const handle = handlers[id] as unknown as AnyHandler;
    const answer = async (c: Context): Promise<Response> => {
      const reply = await handle(requestOf(c));
      if (options.checkReplies) checkReply(id, reply);
      keepReply(kept, c, reply);
      return responseOf(reply, c);
    };
    const queries = "query" in route.request ? [guardQuery] : [];
    const before = [
      identify(id, options),
      ...(route.method === "get" && ACCESS[id] === "optional" ? [replyAgain(kept)] : []),
      ...queries,
      ...readHeaders(route),
      ...guardBody(id, budget, handle.moreIssues),
    ];
    app.on(route.method.toUpperCase(), [pattern(route.path)], ...before);
    // The handler types of the routes have no common type.
    app.openapi(forFramework(route) as never, answer as never);
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

/** A route without its headers and its JSON body, which are read and validated before the framework does it. */
function forFramework(route: (typeof routes)[OperationId]) {
  const { headers: _, body, ...request } = route.request as { headers?: unknown; body?: unknown };
  const isJson = bodyOf(route)?.[JSON_TYPE] !== undefined;
  return createRoute({ ...route, request: { ...request, ...(!isJson && { body }) } } as never);
}

/** Enforces the contract's `security` before anything else of a request is read. */
function identify(id: OperationId, options: MountOptions): MiddlewareHandler {
  const access: "public" | "optional" | "required" = ACCESS[id];
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
        if (principal === undefined && access === "required") throw new MissingToken();
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
    if (slowedBy !== undefined) addHeader(c, "RateLimit", slowedBy.field);
  };
}

/** Path and query as sent. */
const addressOf = ({ req: { url } }: Context): string => url.slice(url.indexOf("/", 8));

/** Keeps a stranger's reply that says how long it is valid. */
function keepReply(
  kept: KeptReplies,
  c: Context,
  { validity, headers, type, body }: AnyReply,
): void {
  const text = validity && writtenBody(body);
  if (typeof text !== "string" || c.get("principal") !== undefined) return;
  const { searched } = c.env.context as RequestContext;
  const whole = { "Content-Type": type, ...headers } as Record<string, string>;
  kept.keep(addressOf(c), { headers: whole, text, searched, validity: validity as Validity });
}

/** Answers a stranger with the reply that was kept for the same address. A 304 is decided by the handler. */
function replyAgain(kept: KeptReplies): MiddlewareHandler {
  return async (c, next) => {
    const isStranger = c.get("principal") === undefined;
    if (!isStranger || c.req.header("If-None-Match") !== undefined) return next();
    const reply = await kept.current(addressOf(c));
    if (reply === undefined) return next();
    (c.env.context as RequestContext).searched = reply.searched;
    return textResponse(c, 200, reply.headers, reply.text);
  };
}

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

function requestOf(c: Context): Request<OperationId> {
  const valid = (target: string): unknown => c.req.valid(target as never);
  const request = {
    path: valid("param") ?? {},
    query: valid("query") ?? {},
    headers: c.get("headers") ?? {},
    body: c.get("json") ?? valid("form"),
    caller: c.get("caller") as Caller,
    principal: c.get("principal") as Principal | undefined,
    context: c.env.context as RequestContext,
    // Lazy: reading it makes an abort controller.
    get signal() {
      return c.req.raw.signal;
    },
  };
  return request as unknown as Request<OperationId>;
}
