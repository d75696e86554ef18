/** The HTTP application. */
import { OpenAPIHono } from "@hono/zod-openapi";
import { compress } from "hono/compress";
import { cors } from "hono/cors";
import { secureHeaders } from "hono/secure-headers";
import type { Logger } from "pino";
import { DomainError } from "../platform/errors.js";
import type { ReadCaller } from "./contract/caller.js";
import {
  type ContractDocument,
  mountApiIndex,
  mountDocument,
} from "./contract/documents/document.js";
import { mountSite } from "./contract/documents/site.js";
import type { BodyLimit } from "./contract/input/json-body.js";
import { mountOperations } from "./contract/mount.js";
import { domainError, invalidParameters, problemResponse } from "./contract/problem.js";
import { httpTraits } from "./error-table.js";
import { NoSuchPath } from "./errors.js";
import { admission } from "./handlers/common/admission.js";
import { createHandlers } from "./handlers/index.js";
import type { Services } from "./handlers/services.js";
import type { Limits } from "./limits/limits.js";
import { failureOf, isAbort, isExpected } from "./logging/failure-fields.js";
import { CLIENT_LEFT, namesOf, type RequestContext } from "./request-context.js";

export interface AppOptions extends Services {
  readonly document: ContractDocument;
  readonly logger: Logger;
  /** Origins whose pages may call the API; `*` for all. */
  readonly corsOrigins: readonly string[];
  readonly readCaller: ReadCaller;
  /** The maximum of user data in one request. */
  readonly userDataLimit: BodyLimit;
  /** Left out if there are no limits. It must also observe the server's requests. */
  readonly limits?: Limits | undefined;
  /** Test mode: validates every answer against the contract. */
  readonly checkReplies?: boolean;
}

/** Two thousand searches of half a kilobyte. */
const CART_LIMIT: BodyLimit = { bytes: 1 << 20, entries: 2000 };

/** Headers that pages of other origins may read. */
const EXPOSED = [
  "ETag",
  "Retry-After",
  "RateLimit",
  "RateLimit-Policy",
  "WWW-Authenticate",
  "Content-Disposition",
  "Content-Length",
  "Content-Range",
  "Accept-Ranges",
  "Unknown-Values",
  "Link",
  "X-Request-Id",
];

/** Whether the client has disconnected; the failure of its request is then expected. */
const hasLeft = (env: unknown): boolean =>
  (env as { outgoing?: { destroyed?: boolean } } | undefined)?.outgoing?.destroyed === true;

/** Security headers. Those about TLS are the proxy's task. */
const HEADERS = {
  crossOriginResourcePolicy: "cross-origin",
  strictTransportSecurity: false,
  xDnsPrefetchControl: false,
  xDownloadOptions: false,
  xPermittedCrossDomainPolicies: false,
  xXssProtection: false,
} as const;

/** Creates the app. Every answer, errors included, is in the contract. */
export function createApp(options: AppOptions): OpenAPIHono {
  const {
    document,
    logger,
    corsOrigins,
    readCaller,
    checkReplies = false,
    userDataLimit,
    limits,
    ...services
  } = options;
  const app = new OpenAPIHono({
    defaultHook: (result) => {
      if (!result.success) throw invalidParameters(result.error, result.target);
    },
  });

  app.use(secureHeaders(HEADERS));
  const allowOrigins = cors({
    origin: corsOrigins.includes("*") ? "*" : [...corsOrigins],
    allowMethods: ["GET", "HEAD", "POST", "PUT", "DELETE"],
    exposeHeaders: EXPOSED,
    maxAge: 86_400,
  });
  app.use(async (c, next) => {
    if (c.req.method === "OPTIONS") return allowOrigins(c, next);
    await next();
    // Called after the answer: with headers set before it, Hono copies every answer into a stream.
    await allowOrigins(c, async () => {});
  });
  app.use(compress());

  const { authenticate } = services.auth;
  mountOperations(app, createHandlers(services), {
    checkReplies,
    readCaller,
    authenticate,
    ...(limits && { admit: admission(limits) }),
    bodyLimits: { addUserData: userDataLimit, downloadCart: CART_LIMIT },
  });
  mountDocument(app, document);
  mountSite(app);
  mountApiIndex(app, readCaller);

  app.notFound((c) => problemResponse(new NoSuchPath(`There is nothing at ${c.req.path}.`)));
  app.onError((thrown, c) => {
    const error = domainError(thrown);
    const { context } = (c.env ?? {}) as { context?: RequestContext };
    if (context !== undefined && error instanceof DomainError) context.problem = error;
    const line = () => ({ ...namesOf(context), ...failureOf(error) });
    if (hasLeft(c.env) && (isExpected(error) || isAbort(error))) {
      logger.debug(line(), "client left");
      return new Response(null, { status: CLIENT_LEFT });
    }
    const status = error instanceof DomainError ? httpTraits(error.kind).status : 500;
    if (status >= 500) {
      logger[isExpected(error) ? "warn" : "error"](line(), "request failed");
    }
    return problemResponse(error);
  });
  return app;
}
