/** The HTTP application. */
import { OpenAPIHono } from "@hono/zod-openapi";
import type { Logger } from "pino";
import { DomainError } from "../platform/errors.js";
import type { ReadCaller } from "./contract/caller.js";
import {
  type ContractDocument,
  mountApiIndex,
  mountDocument,
} from "./contract/documents/document.js";
import { mountSite } from "./contract/documents/site.js";
import { httpTraits } from "./contract/error-table.js";
import { mountOperations } from "./contract/mount.js";
import {
  declaredError,
  domainError,
  invalidParameters,
  problemResponse,
} from "./contract/problem.js";
import { standingMiddleware } from "./contract/standing-headers.js";
import { NoSuchPath } from "./errors.js";
import { admission } from "./handlers/common/admission.js";
import { createHandlers } from "./handlers/index.js";
import type { Services } from "./handlers/services.js";
import { CLIENT_LEFT, namesOf, type RequestContext } from "./http/request-context.js";
import type { Limits } from "./limits/limits.js";
import { failureOf, isAbort, isExpected } from "./monitoring/logging/failure-fields.js";

export interface AppOptions extends Omit<Services, "contract"> {
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

/** Whether the client has disconnected; the failure of its request is then expected. */
const hasLeft = (env: unknown): boolean =>
  (env as { outgoing?: { destroyed?: boolean } } | undefined)?.outgoing?.destroyed === true;

/** Creates the app. Every answer, errors included, is in the contract. */
export function createApp(options: AppOptions): OpenAPIHono {
  const {
    document,
    logger,
    corsOrigins,
    readCaller,
    checkReplies = false,
    limits,
    ...services
  } = options;
  const app = new OpenAPIHono({
    defaultHook: (result) => {
      if (!result.success) throw invalidParameters(result.error, result.target);
    },
  });

  app.use(standingMiddleware(corsOrigins));

  const { authenticate } = services.auth;
  mountOperations(app, createHandlers({ ...services, contract: document.json }), {
    checkReplies,
    readCaller,
    authenticate,
    ...(limits && { admit: admission(limits) }),
  });
  mountDocument(app, document);
  mountSite(app);
  mountApiIndex(app, readCaller);

  app.notFound((c) => problemResponse(new NoSuchPath(`There is nothing at ${c.req.path}.`)));
  app.onError((thrown, c) => {
    const { context } = (c.env ?? {}) as { context?: RequestContext };
    const error = declaredError(domainError(thrown), context?.operation);
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
