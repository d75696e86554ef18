/** The operations of the contract -> routes of the app. */
import type { OpenAPIHono } from "@hono/zod-openapi";
import type { Context } from "hono";
import { routes } from "../../generated/routes.js";
import { MethodNotAllowed } from "../errors.js";
import { checkReply } from "./check-reply.js";
import { type Handlers, type OperationId, type Request, streamOf } from "./operation.js";

export interface MountOptions {
  /** Test mode: holds every answer against the contract, and fails where it does not fit. */
  readonly checkReplies: boolean;
}

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

function requestOf(c: Context): Request<OperationId> {
  const valid = (target: string): unknown => c.req.valid(target as never);
  const request = {
    path: valid("param") ?? {},
    query: valid("query") ?? {},
    headers: valid("header") ?? {},
    body: valid("json") ?? valid("form"),
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
  const stream = streamOf(reply.body);
  if (stream) {
    if (!headOnly) return new Response(stream, { status: reply.status, headers });
    // Nobody will read it: what feeds it must be told, or it waits for ever.
    void stream.cancel();
    return new Response(null, { status: reply.status, headers });
  }
  const text = reply.type.endsWith("json") ? JSON.stringify(reply.body) : String(reply.body);
  headers.set("Content-Length", String(Buffer.byteLength(text)));
  return new Response(text, { status: reply.status, headers });
}

const contentType = (type: string): string =>
  type.startsWith("text/") ? `${type}; charset=utf-8` : type;
