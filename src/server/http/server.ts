/** Serves the app with node:http: limited connections, and answers that are complete or visibly broken off. */

import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { getRequestListener, type HttpBindings } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { Logger } from "pino";
import type { DomainError } from "../../platform/errors.js";
import { setPace } from "../../platform/output-pace.js";
import { problemAnswer } from "../contract/problem.js";
import { RefusedRequest } from "../errors.js";
import { failureOf, isExpected } from "../monitoring/logging/failure-fields.js";
import type { Answer } from "./answer.js";
import { belowPath } from "./base-path.js";
import { breakOff, type ConnectionLimits, Connections } from "./connections.js";
import { answerRefusals } from "./parser-refusals.js";
import { CLIENT_LEFT, namesOf, RequestContext, type RequestObserver } from "./request-context.js";
import { sendAnswer } from "./send-answer.js";
import type { StandingHeaders } from "./standing-headers.js";

/** One request with its connection and its context. */
export interface Exchange extends HttpBindings {
  readonly context: RequestContext;
}

export interface App {
  /** Answers every request, errors included. */
  answer(request: Request, exchange: Exchange): Promise<Answer>;
  readonly standing: StandingHeaders;
}

export interface ServerOptions {
  readonly limits: ConnectionLimits;
  /** Path of the public address, or empty. */
  readonly path?: string;
  readonly observers?: readonly RequestObserver[];
}

/** Milliseconds between two checks of the connections' timeouts. */
const CHECK_INTERVAL = 2000;

/** A server that does not listen yet. */
export function createHttpServer(
  app: App,
  logger: Logger,
  { limits, path = "", observers = [] }: ServerOptions,
): Server {
  const connections = new Connections(limits, logger);
  const fetch = async (request: Request, env: object): Promise<Response> => {
    // The server below is one of HTTP/1.1, so the bindings are these.
    const { incoming, outgoing } = env as HttpBindings;
    const context = observed(incoming, outgoing, observers);
    const refusal = connections.refusal(incoming) ?? refusalOf(incoming);
    const answer =
      refusal === undefined
        ? await app.answer(request, Object.assign(env as HttpBindings, { context }))
        : refused(refusal, context);
    context.status ||= answer.status;
    if (refusal === undefined)
      for (const observer of observers) observer.decided?.(context, answer.status);
    try {
      const own = { incoming, outgoing, id: context.id };
      await sendAnswer(answer, own, app.standing).catch((error: unknown) => {
        if (outgoing.headersSent || hasLeft(outgoing)) throw error;
        // A header that HTTP does not allow is the service's own fault.
        logger.error({ ...namesOf(context), ...failureOf(error) }, "no valid answer");
        const { status, headers, body } = problemAnswer(error);
        context.status = status;
        outgoing.writeHead(status, { ...headers, "X-Request-Id": context.id }).end(body);
      });
    } catch (error) {
      if (!hasLeft(outgoing)) {
        context.isBrokenByUs = true;
        const line = { ...namesOf(context), ...failureOf(error) };
        logger[isExpected(error) ? "warn" : "error"](line, "transfer broken off");
      }
      // In HTTP/1.0 an orderly end of the connection would make a partial body look complete.
      breakOff(outgoing.socket);
      outgoing.destroy();
    }
    return RESPONSE_ALREADY_SENT;
  };
  const listener = getRequestListener(fetch, {
    // For HTTP/1.0 requests without a Host.
    hostname: "localhost",
    errorHandler: () => {
      const error = new RefusedRequest("malformed-request", "The target is not an address.");
      const { status, headers, body } = problemAnswer(error);
      return new Response(body, { status, headers });
    },
  });
  const options = {
    maxHeaderSize: limits.headerBytes,
    connectionsCheckingInterval: CHECK_INTERVAL,
    requireHostHeader: false,
    insecureHTTPParser: false,
  };
  const handle = belowPath(path, listener);
  const server = createServer(options, (incoming, outgoing) => {
    // Node's parser goes on with what a connection sent before it was broken off.
    if (!incoming.socket.destroyed) handle(incoming, outgoing);
  });
  connections.guard(server);
  answerRefusals(server, connections, (problem, address) => {
    logger.info({ address, problem: problem.kind }, "no valid request");
    for (const observer of observers) observer.refused?.(problem);
  });
  return server;
}

/** Creates a request's context and reports its events to the observers. */
function observed(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  observers: readonly RequestObserver[],
): RequestContext {
  const { url = "/", method = "", socket } = incoming;
  const path = url.split("?", 1)[0] ?? "";
  const context = new RequestContext(requestId(incoming), traceOf(incoming), method, path);
  let before: number | undefined;
  const begin = (): void => {
    before = socket.bytesWritten;
  };
  // A pipelined answer waits for those before it.
  if (outgoing.socket === null) outgoing.once("socket", begin);
  else begin();
  setPace(outgoing, () => context.charge);
  for (const observer of observers) observer.began?.(context);
  outgoing.once("close", () => {
    context.bytes = before === undefined ? 0 : socket.bytesWritten - before;
    context.milliseconds = Math.round((performance.now() - context.began) * 10) / 10;
    context.isBroken = !outgoing.writableFinished;
    context.status ||= CLIENT_LEFT;
    for (const observer of observers) observer.ended(context);
  });
  return context;
}

/** Maximum of headers of a request; node:http silently drops those after 2000. */
const MAX_HEADERS = 200;

/** The reason to refuse a request that node:http accepts. */
function refusalOf({ headers, httpVersion, rawHeaders }: IncomingMessage) {
  // RFC 9112, 3.2; HTTP/1.0 has no Host header.
  if (headers.host === undefined && httpVersion === "1.1") {
    return new RefusedRequest("malformed-request", "A request names its host.");
  }
  if (rawHeaders.length <= 2 * MAX_HEADERS) return undefined;
  return new RefusedRequest("headers-too-large", `There may be ${MAX_HEADERS} headers.`);
}

/** The answer to a request that is no operation's business. Its connection is closed. */
function refused(refusal: DomainError, context: RequestContext): Answer {
  context.problem = refusal;
  const { headers, ...answer } = problemAnswer(refusal);
  return { ...answer, headers: { ...headers, Connection: "close" } };
}

/** Whether the client has disconnected. */
const hasLeft = ({ destroyed, socket }: ServerResponse): boolean =>
  destroyed || socket?.destroyed !== false;

/** A request id that is safe to log: short, without characters special to logs or shells. */
const HARMLESS = /^[\w.:-]{1,128}$/;
/** W3C Trace Context, 3.2: version, trace-id, parent-id, flags; a later version may add to it. */
const TRACE_PARENT =
  /^(?!ff)[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})[\da-f]{16}-[\da-f]{2}(?:-.*)?$/;

/** Differs for each process; a number that is unique in the process follows. */
const ID_START = randomBytes(9).toString("base64url");
let ids = 0;

/** The `X-Request-Id` of the request if it is harmless, else a new one. */
function requestId({ headers }: Pick<IncomingMessage, "headers">): string {
  const given = headers["x-request-id"];
  if (typeof given === "string" && HARMLESS.test(given)) return given;
  ids += 1;
  return ID_START + ids.toString(36);
}

/** The id of the trace in the `traceparent` of the request. */
function traceOf({ headers }: Pick<IncomingMessage, "headers">): string | undefined {
  const { traceparent } = headers;
  return typeof traceparent === "string" ? TRACE_PARENT.exec(traceparent)?.[1] : undefined;
}
