/** The app behind node:http: bounded connections, and answers that are whole or visibly broken off. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { getRequestListener, type Http2Bindings, type HttpBindings } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { Logger } from "pino";
import { setPace } from "../platform/output-pace.js";
import { type DirectPlace, directBodyOf } from "./contract/direct-response.js";
import { problemResponse } from "./contract/problem.js";
import { RefusedRequest } from "./errors.js";
import { belowPath } from "./http/base-path.js";
import { breakOff, type ConnectionLimits, Connections } from "./http/connections.js";
import { answerRefusals } from "./http/parser-refusals.js";
import { requestId, traceOf } from "./http/request-id.js";
import { writeStream } from "./http/write-stream.js";
import { failureOf, isExpected } from "./logging/failure-fields.js";
import { CLIENT_LEFT, Exchange, type ExchangeObserver, namesOf } from "./request-context.js";

type Bindings = HttpBindings | Http2Bindings;

interface App {
  fetch(
    request: Request,
    env: Bindings & { place: DirectPlace; exchange: Exchange },
  ): Response | Promise<Response>;
}

export interface ServerOptions {
  readonly limits: ConnectionLimits;
  /** Of the public address; empty where it has no path. */
  readonly path?: string;
  readonly observers?: readonly ExchangeObserver[];
}

/** Milliseconds after which connections are looked over for what they owe. */
const LOOK_OVER = 2000;

/** A server that does not listen yet. */
export function createHttpServer(
  app: App,
  logger: Logger,
  { limits, path = "", observers = [] }: ServerOptions,
): Server {
  const connections = new Connections(limits, logger);
  const fetch = async (request: Request, env: Bindings): Promise<Response> => {
    // The server is made below, of version 1.1.
    const { incoming, outgoing } = env as HttpBindings;
    const exchange = watched(incoming, outgoing, observers);
    const refusal = connections.refusal(incoming) ?? refusalOf(incoming);
    if (refusal !== undefined) {
      const response = problemResponse(refusal);
      response.headers.set("Connection", "close");
      exchange.status = response.status;
      exchange.problem = refusal;
      return response;
    }
    const place: DirectPlace = {};
    const response = await app.fetch(request, Object.assign(env, { place, exchange }));
    exchange.status ||= response.status;
    for (const observer of observers) observer.decided?.(exchange, response.status);
    const write = writerOf(response, place);
    if (write === undefined) return response;
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    try {
      await write(outgoing);
      outgoing.end();
    } catch (error) {
      if (!hasLeft(outgoing)) {
        exchange.isBrokenByUs = true;
        const line = { ...namesOf(exchange), ...failureOf(error) };
        logger[isExpected(error) ? "warn" : "error"](line, "transfer broken off");
      }
      // In HTTP/1.0 the end of the connection is the end of the body: an orderly one would make it look whole.
      breakOff(outgoing.socket);
      outgoing.destroy();
    }
    return RESPONSE_ALREADY_SENT;
  };
  const listener = getRequestListener(fetch, {
    // For requests in HTTP/1.0 without one.
    hostname: "localhost",
    errorHandler: () =>
      problemResponse(new RefusedRequest("malformed-request", "The target is not an address.")),
  });
  const options = {
    maxHeaderSize: limits.headerBytes,
    connectionsCheckingInterval: LOOK_OVER,
    requireHostHeader: false,
    insecureHTTPParser: false,
  };
  const server = createServer(options, belowPath(path, listener));
  connections.guard(server);
  answerRefusals(server, connections);
  return server;
}

/** What observers are told of one request and its answer. */
function watched(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  observers: readonly ExchangeObserver[],
): Exchange {
  const { url = "/", method = "", socket } = incoming;
  const path = url.split("?", 1)[0] ?? "";
  const exchange = new Exchange(requestId(incoming), traceOf(incoming), method, path);
  const before = socket.bytesWritten;
  outgoing.setHeader("X-Request-Id", exchange.id);
  setPace(outgoing, () => exchange.charge);
  for (const observer of observers) observer.began?.(exchange);
  outgoing.once("close", () => {
    exchange.bytes = socket.bytesWritten - before;
    exchange.milliseconds = Math.round((performance.now() - exchange.began) * 10) / 10;
    exchange.isBroken = !outgoing.writableFinished;
    exchange.status ||= CLIENT_LEFT;
    for (const observer of observers) observer.ended(exchange);
  });
  return exchange;
}

/** Headers of a request; past 2000, node:http would leave them out without a word. */
const MAX_HEADERS = 200;

/** What is wrong with a request that node:http lets pass. */
function refusalOf({ headers, httpVersion, rawHeaders }: IncomingMessage) {
  // RFC 9112, 3.2; in HTTP/1.0 there was none yet.
  if (headers.host === undefined && httpVersion === "1.1") {
    return new RefusedRequest("malformed-request", "A request names its host.");
  }
  if (rawHeaders.length <= 2 * MAX_HEADERS) return undefined;
  return new RefusedRequest("headers-too-large", `There may be ${MAX_HEADERS} headers.`);
}

/** What writes a body, if it is one that can fail on the way; texts are left to the adaptor. */
function writerOf(
  response: Response,
  place: DirectPlace,
): ((outgoing: ServerResponse) => Promise<void>) | undefined {
  const direct = directBodyOf(response, place);
  if (direct !== undefined) return (outgoing) => direct.writeTo(outgoing);
  // What has its length is a text; to look at its body would make it a stream.
  if (response.status === 304 || response.headers.has("Content-Length")) return undefined;
  const { body } = response;
  if (body === null) return undefined;
  return (outgoing) => {
    outgoing.flushHeaders();
    return writeStream(body, outgoing);
  };
}

/** Whether nobody is there any more to send to. */
const hasLeft = ({ destroyed, socket }: ServerResponse): boolean =>
  destroyed || socket?.destroyed !== false;
