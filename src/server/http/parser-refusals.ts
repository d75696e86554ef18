/** Answers bytes that are no valid request, with the same bodies as other errors. */
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { DomainError } from "../../platform/errors.js";
import { problemAnswer } from "../contract/problem.js";
import { RefusedRequest } from "../errors.js";
import type { Connections } from "./connections.js";

/** Milliseconds for which further bytes are dropped, so that no reset discards the answer. */
const LINGER = 500;

/** By error code of node:http and of its parser llhttp. */
const REASONS: Readonly<Record<string, () => RefusedRequest>> = {
  HPE_HEADER_OVERFLOW: () => new RefusedRequest("headers-too-large", "The headers are too large."),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: () =>
    new RefusedRequest("malformed-request", "The extensions of a chunk are too large."),
  ERR_HTTP_REQUEST_TIMEOUT: () =>
    new RefusedRequest("request-timeout", "The request did not come in time."),
  HPE_INVALID_VERSION: () =>
    new RefusedRequest("version-not-supported", "HTTP/1.1 and HTTP/1.0 are spoken here."),
};

/**
 * Replaces node:http's empty or missing answers.
 *
 * @param onRefused called for each answer, with the address of the client
 */
export function answerRefusals(
  server: Server,
  connections: Connections,
  onRefused: (problem: DomainError, address: string | undefined) => void,
): void {
  const refused = new WeakSet<Socket>();
  server.on("clientError", (error: NodeJS.ErrnoException, socket: Socket) => {
    if (refused.has(socket)) return;
    refused.add(socket);
    if (error.code === "ECONNRESET" || !socket.writable || !connections.isFree(socket)) {
      socket.destroy();
      return;
    }
    const reason = REASONS[error.code ?? ""]?.();
    const problem = reason ?? new RefusedRequest("malformed-request", "This is not HTTP.");
    onRefused(problem, socket.remoteAddress);
    socket.end(messageOf(problem));
    setTimeout(() => socket.destroy(), LINGER).unref();
  });
  server.on("checkExpectation", (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const expected = new RefusedRequest(
      "expectation-failed",
      "Only the expectation 100-continue can be met.",
    );
    const { status, headers, body } = problemAnswer(expected);
    onRefused(expected, incoming.socket.remoteAddress);
    outgoing.writeHead(status, { ...headers, Connection: "close" }).end(body);
    incoming.resume();
  });
}

/** An answer as bytes of HTTP/1.1. */
function messageOf(error: DomainError): string {
  const { status, headers, body } = problemAnswer(error);
  const all = { ...headers, Date: new Date().toUTCString(), Connection: "close" };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, "", body].join("\r\n");
}
