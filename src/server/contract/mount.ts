/** Mounts the operations of the contract as routes of the app: one handler a route, which reads like the way of a request. */
import type { Context, Hono } from "hono";
import { OPERATIONS } from "../../../generated/operations.js";
import { routes } from "../../../generated/routes.js";
import { MissingToken } from "../../identity/errors.js";
import type { Principal } from "../../identity/principal.js";
import type { Lease } from "../../platform/concurrency/budget.js";
import { MethodNotAllowed } from "../errors.js";
import type { Answer } from "../http/answer.js";
import { withKeptGzip } from "../http/compress.js";
import { isAnyTag } from "../http/entity-tag.js";
import type { RequestContext } from "../http/request-context.js";
import type { Caller, ReadCaller } from "./caller.js";
import { bodyBudget, decoder } from "./input/decode.js";
import { KeptReplies } from "./kept-replies.js";
import {
  type AnyReply,
  answerOf,
  type ContractHandler,
  checkReply,
  type Handlers,
  type OperationId,
  type Request,
} from "./operation.js";

interface MountOptions {
  /** Test mode: validates every answer against the contract. */
  readonly checkReplies: boolean;
  readonly readCaller: ReadCaller;
  readonly authenticate: Authenticate;
  /** Left out if there are no limits. */
  readonly admit?: Admit;
}

/** Charges a request to its caller; throws TooManyRequests, at once or later. @returns when it may be answered, or undefined */
export type Admit = (context: RequestContext, caller: Caller) => Promise<void> | undefined;

/**
 * Authenticates a request.
 *
 * @param base the service's own address, which must be the token's audience
 * @returns undefined if the header has no token
 */
type Authenticate = (
  authorization: string | undefined,
  base: string,
) => Promise<Principal | undefined>;

export type Answering = (c: Context) => Answer | Promise<Answer>;

/** The framework's response for every request: its answer is sent by the server. */
export const ANSWERED = new Response(null);

/** A route's handler, which leaves the answer for the server. */
export const leaving =
  (answer: Answering) =>
  async (c: Context): Promise<Response> => {
    c.env.answer = await answer(c);
    return ANSWERED;
  };

/** Hono's pattern for a path of the contract; `{key{.+}}` matches slashes too. */
const pattern = (path: string): string => path.replaceAll(/\{([^{}]+(?:\{[^{}]+\})?)\}/g, ":$1");

type AnyHandler<S> = ((request: Request<OperationId>, services: S) => Promise<AnyReply>) &
  Pick<ContractHandler<OperationId, S>, "moreIssues">;

/** Mounts every operation, and 405 for other methods of its path. */
export function mountOperations<S>(
  app: Hono,
  handlers: Handlers<S>,
  services: S,
  options: MountOptions,
): void {
  const methods = new Map<string, string[]>();
  const budget = bodyBudget();
  const kept = new KeptReplies();
  for (const id of Object.keys(routes) as OperationId[]) {
    const method = routes[id].method.toUpperCase();
    const path = pattern(routes[id].path);
    const handler = handlers[id] as unknown as AnyHandler<S>;
    const { moreIssues } = handler;
    const decode = decoder(id, budget, moreIssues && ((wrong) => moreIssues(wrong, services)));
    const handle = (request: Request<OperationId>): Promise<AnyReply> => handler(request, services);
    app.on(method, [path], leaving(operation({ id, handle, decode, kept, ...options })));
    methods.set(path, [...(methods.get(path) ?? []), method]);
  }
  for (const [path, own] of methods) {
    const allowed = own.includes("GET") ? [...own, "HEAD", "OPTIONS"] : [...own, "OPTIONS"];
    app.all(path, (c) => {
      throw new MethodNotAllowed(c.req.method, allowed);
    });
  }
}

interface Operation extends MountOptions {
  readonly id: OperationId;
  readonly handle: (request: Request<OperationId>) => Promise<AnyReply>;
  readonly decode: ReturnType<typeof decoder>;
  readonly kept: KeptReplies;
}

/** The way of a request: its caller, its limits, a kept answer, its decoded parts, the operation. */
function operation(parts: Operation): Answering {
  const { id, handle, decode, kept, checkReplies } = parts;
  const mayBeKept = routes[id].method === "get" && OPERATIONS[id].access === "optional";
  const identify = identifier(parts);
  return async (c) => {
    const context: RequestContext = c.env.context;
    const caller = parts.readCaller(c);
    const known = c.req.header("If-None-Match");
    context.namesTag = known !== undefined && !isAnyTag(known);
    context.operation = id;
    context.address = caller.address;
    const principal = await identify(c, caller, context);
    const address = mayBeKept && principal === undefined ? addressOf(c) : undefined;
    // A 304 is decided by the handler.
    if (address !== undefined && known === undefined) {
      const reply = await kept.current(address);
      if (reply !== undefined) {
        context.searched = reply.searched;
        return reply.answer;
      }
    }
    const leases: Lease[] = [];
    try {
      const decoded = await decode(c, { caller, principal: principal as Principal }, leases);
      const request = { ...decoded, caller, principal, context };
      const reply = await handle(request as unknown as Request<OperationId>);
      if (checkReplies) checkReply(id, reply);
      const answer = answerOf(reply);
      const { validity } = reply;
      if (!validity || address === undefined || typeof answer.body !== "string") return answer;
      const again = withKeptGzip({ ...answer, body: answer.body });
      const { searched } = context;
      kept.keep(address, { answer: again, length: answer.body.length, searched, validity });
      return again;
    } finally {
      for (const lease of leases) lease.release();
    }
  };
}

/** Enforces the contract's `security`, and the limits of the caller, before anything else of a request is read. */
function identifier({ id, authenticate, admit: charge }: Operation) {
  const { access } = OPERATIONS[id];
  // Operations about the service itself are not limited: the contract gives them no 429.
  const admit = 429 in routes[id].responses ? charge : undefined;
  return async (
    c: Context,
    caller: Caller,
    context: RequestContext,
  ): Promise<Principal | undefined> => {
    if (access !== "public") {
      try {
        context.principal = await authenticate(c.req.header("Authorization"), caller.base);
        if (context.principal === undefined && access === "required") throw new MissingToken();
      } catch (error) {
        // A request with an invalid token is charged to its address.
        await admit?.(context, caller);
        throw error;
      }
    }
    const turn = admit?.(context, caller);
    if (turn !== undefined) await turn;
    return context.principal;
  };
}

/** Path and query as sent. */
const addressOf = ({ req: { url } }: Context): string => url.slice(url.indexOf("/", 8));
