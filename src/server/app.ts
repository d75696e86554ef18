/** The HTTP application. */
import { type Context, Hono } from "hono";
import type { Logger } from "pino";
import { OPERATIONS } from "../../generated/operations.js";
import { network } from "../identity/sign-in/network.js";
import { DomainError } from "../platform/errors.js";
import { ReadableData } from "./access/readable-data.js";
import { ZarrAccess } from "./access/zarr-access.js";
import type { ReadCaller } from "./contract/caller.js";
import {
  type ContractDocument,
  mountApiIndex,
  mountDocument,
  mountSite,
} from "./contract/documents/document.js";
import { httpTraits } from "./contract/error-table.js";
import { type Admit, ANSWERED, leaving, mountOperations } from "./contract/mount.js";
import { declaredError, problemAnswer } from "./contract/problem.js";
import { NoSuchPath } from "./errors.js";
import { callingOwner } from "./handlers/common/client.js";
import * as handlers from "./handlers/index.js";
import type { Services } from "./handlers/services.js";
import type { Answer } from "./http/answer.js";
import { CLIENT_LEFT, namesOf, type RequestContext } from "./http/request-context.js";
import type { App, Exchange } from "./http/server.js";
import { StandingHeaders } from "./http/standing-headers.js";
import type { Limits } from "./limits/limits.js";
import { failureOf, isAbort, isExpected } from "./monitoring/logging/failure-fields.js";

interface AppOptions extends Omit<Services, "contract" | "access" | "readable"> {
  readonly document: ContractDocument;
  readonly logger: Logger;
  /** Origins whose pages may call the API; `*` for all. */
  readonly corsOrigins: readonly string[];
  readonly readCaller: ReadCaller;
  /** Left out if there are no limits. It must also observe the server's requests. */
  readonly limits?: Limits | undefined;
  /** Test mode: validates every answer against the contract. */
  readonly checkReplies?: boolean;
}

const admission =
  (limits: Limits): Admit =>
  (context, caller) => {
    const { principal, operation } = context;
    const account = principal && callingOwner({ principal, caller }).id;
    // The answer grows with what it finds.
    const isStream = operation !== undefined && OPERATIONS[operation].kind !== "answer";
    return limits.admit(context, account, network(caller.address), isStream);
  };

/** Whether the client has disconnected; the failure of its request is then expected. */
const hasLeft = ({ env }: Context): boolean => env.outgoing.destroyed === true;

/** A redirect from an address with a slash at its end to the one without, if that leads to something. */
function withoutSlash({ req }: Context, { router }: Hono): Answer | undefined {
  const { pathname, search } = new URL(req.url);
  const bare = pathname.slice(0, -1);
  const leads = pathname.endsWith("/") && router.match("GET", bare)[0].length > 0;
  if (!leads || !["GET", "HEAD"].includes(req.method)) return undefined;
  // Relative, for proxies with a path.
  const target = `../${bare.slice(bare.lastIndexOf("/") + 1)}${search}`;
  return { status: 308, headers: { Location: target } };
}

/** Creates the app. Every answer, errors included, is in the contract. */
export function createApp(options: AppOptions): App {
  const {
    document,
    logger,
    corsOrigins,
    readCaller,
    checkReplies = false,
    limits,
    ...parts
  } = options;
  const app = new Hono();
  const services: Services = {
    ...parts,
    contract: document.json,
    access: new ZarrAccess(parts),
    readable: new ReadableData(parts),
  };
  mountOperations(app, handlers, services, {
    checkReplies,
    readCaller,
    authenticate: parts.auth.authenticate,
    ...(limits && { admit: admission(limits) }),
  });
  mountDocument(app, document);
  mountSite(app);
  mountApiIndex(app, readCaller);

  app.notFound(
    leaving(
      (c) =>
        withoutSlash(c, app) ?? problemAnswer(new NoSuchPath(`There is nothing at ${c.req.path}.`)),
    ),
  );
  app.onError((thrown, c: Context) => {
    c.env.answer = failed(thrown, c);
    return ANSWERED;
  });

  function failed(thrown: unknown, c: Context): Answer {
    const context: RequestContext = c.env.context;
    const error = declaredError(thrown, context.operation);
    if (error instanceof DomainError) context.problem = error;
    const line = () => ({ ...namesOf(context), ...failureOf(error) });
    if (hasLeft(c) && (isExpected(error) || isAbort(error))) {
      logger.debug(line(), "client left");
      return { status: CLIENT_LEFT, headers: {} };
    }
    const status = error instanceof DomainError ? httpTraits(error.kind).status : 500;
    if (status >= 500) {
      logger[isExpected(error) ? "warn" : "error"](line(), "request failed");
    }
    return problemAnswer(error);
  }

  const standing = new StandingHeaders(corsOrigins);
  return {
    standing,
    answer: async (request, exchange) => {
      const { incoming, context } = exchange;
      if (incoming.method === "OPTIONS") {
        const wanted = incoming.headers["access-control-request-headers"];
        return standing.preflight(wanted);
      }
      const env: Exchange & { answer?: Answer } = exchange;
      await app.fetch(request, env);
      const answer = env.answer ?? problemAnswer(undefined);
      const { slowedBy } = context.charge ?? {};
      if (slowedBy === undefined) return answer;
      return { ...answer, headers: { ...answer.headers, RateLimit: slowedBy.field } };
    },
  };
}
