/**
 * Limits the connections of a server: their number, and how long each may keep the server waiting.
 *
 * Idle connections cannot lock out others: at the maximum, the oldest one without a whole request is closed for the
 * newest. A new one is refused with 503 only if all others are being answered.
 */
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Logger } from "pino";
import { RETRY_AFTER, ServiceBusy } from "../../platform/errors.js";

/** Times are in milliseconds. */
export interface ConnectionLimits {
  /** Connections at a time. */
  readonly max: number;
  /** Until the headers of a request have arrived. */
  readonly headersMs: number;
  /** Until a whole request has arrived. */
  readonly requestMs: number;
  /** Between one request and the next. */
  readonly idleMs: number;
  /** For which a client may read nothing of its answer. */
  readonly unreadMs: number;
  /** Maximal bytes of a request's line and headers. */
  readonly headerBytes: number;
}

/** The proxies of deploy/ match these: they close idle connections earlier, and forward headers of this size. */
export const CONNECTION_LIMITS: ConnectionLimits = {
  max: 4096,
  headersMs: 20_000,
  requestMs: 300_000,
  idleMs: 10_000,
  unreadMs: 60_000,
  headerBytes: 16_384,
};

/** Maximum of pipelined requests on a connection (RFC 9112, 9.3.2). */
const MAX_PIPELINED = 16;
/** Connections beyond the maximum that are answered with 503, as a part of it. */
const SURPLUS = 1 / 8;

/** Idle connections by the event they wait for, in the order in which they are closed to make room. */
const WAITING = ["first request", "next request", "rest of a request"] as const;
type Waiting = (typeof WAITING)[number];

interface Connection {
  waiting: Waiting | undefined;
  readonly answers: Set<ServerResponse>;
  /** Opened beyond the maximum. */
  readonly surplus: boolean;
}

/** Resets a connection (RST, not FIN), so that the client sees that its answer is incomplete. */
export function breakOff(socket: Socket | null | undefined): void {
  try {
    socket?.resetAndDestroy();
  } catch {
    // Only TCP sockets can be reset.
    socket?.destroy();
  }
}

export class Connections {
  readonly #all = new Map<Socket, Connection>();
  readonly #waiting: Readonly<Record<Waiting, Set<Socket>>> = {
    "first request": new Set(),
    "next request": new Set(),
    "rest of a request": new Set(),
  };

  readonly #limits: ConnectionLimits;
  readonly #logger: Logger;

  constructor(limits: ConnectionLimits, logger: Logger) {
    this.#limits = limits;
    this.#logger = logger;
  }

  /** Applies the limits to a server's connections. */
  guard(server: Server): void {
    const { headersMs, requestMs, idleMs, unreadMs } = this.#limits;
    server.headersTimeout = Math.min(headersMs, requestMs);
    server.requestTimeout = requestMs;
    server.keepAliveTimeout = idleMs;
    server.timeout = unreadMs;
    server.on("connection", (socket) => this.#opened(socket));
    server.prependListener("request", (incoming, outgoing) => this.#began(incoming, outgoing));
    server.on("timeout", (socket) => this.#silent(socket));
    server.closeAllConnections = () => this.#closeAll();
  }

  /** The reason to refuse a request before it is handled. */
  refusal({ socket }: IncomingMessage): ServiceBusy | undefined {
    if (this.#all.get(socket)?.surplus !== true) return undefined;
    return new ServiceBusy(RETRY_AFTER.permit, "There are too many connections.");
  }

  /** Whether a new answer can be written: none has begun, and none is queued. */
  isFree(socket: Socket): boolean {
    const answers = [...(this.#all.get(socket)?.answers ?? [])];
    return answers.length < 2 && answers.every(({ headersSent }) => !headersSent);
  }

  #opened(socket: Socket): void {
    const { max } = this.#limits;
    // Not `server.maxConnections`: a worker of node:cluster gives these back, and gets them again at once.
    if (this.#all.size >= max + Math.ceil(max * SURPLUS)) {
      socket.destroy();
      return;
    }
    let surplus = false;
    if (this.#all.size >= max) {
      const oldest = this.#longestWaiting();
      if (oldest === undefined) surplus = true;
      else this.#close(oldest);
    }
    const connection: Connection = { waiting: undefined, answers: new Set(), surplus };
    this.#all.set(socket, connection);
    this.#setWaiting(socket, connection, "first request");
    socket.once("close", () => this.#closed(socket));
  }

  #longestWaiting(): Socket | undefined {
    for (const what of WAITING) {
      const [oldest] = this.#waiting[what];
      if (oldest !== undefined) return oldest;
    }
    return undefined;
  }

  #close(socket: Socket): void {
    this.#closed(socket);
    socket.destroy();
  }

  #closed(socket: Socket): void {
    const connection = this.#all.get(socket);
    if (connection === undefined) return;
    this.#setWaiting(socket, connection, undefined);
    this.#all.delete(socket);
    // node:http closes only the answer whose turn it is, not those that wait behind it.
    for (const outgoing of connection.answers) {
      if (outgoing.socket === null) outgoing.destroy().emit("close");
    }
  }

  #setWaiting(socket: Socket, connection: Connection, what: Waiting | undefined): void {
    if (connection.waiting !== undefined) this.#waiting[connection.waiting].delete(socket);
    connection.waiting = what;
    if (what !== undefined) this.#waiting[what].add(socket);
  }

  #began(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const { socket } = incoming;
    const connection = this.#all.get(socket);
    if (connection === undefined) return;
    connection.answers.add(outgoing);
    // No legitimate client pipelines this many requests.
    if (connection.answers.size > MAX_PIPELINED) {
      breakOff(socket);
      return;
    }
    const { "content-length": length, "transfer-encoding": coding } = incoming.headers;
    const hasBody = coding !== undefined || (length !== undefined && length !== "0");
    this.#setWaiting(socket, connection, hasBody ? "rest of a request" : undefined);
    if (hasBody) {
      incoming.once("end", () => {
        if (connection.waiting === "rest of a request") {
          this.#setWaiting(socket, connection, undefined);
        }
      });
    }
    outgoing.once("close", () => {
      connection.answers.delete(outgoing);
      if (connection.answers.size > 0 || !this.#all.has(socket)) return;
      this.#setWaiting(socket, connection, "next request");
    });
  }

  /** Handles a connection on which no bytes have passed for a while. */
  #silent(socket: Socket): void {
    if (socket.writableLength > 0) {
      this.#logger.info({ address: socket.remoteAddress }, "a client does not read its answer");
      breakOff(socket);
      return;
    }
    // While an answer is computed, silence is normal.
    if ((this.#all.get(socket)?.answers.size ?? 0) === 0) socket.destroy();
  }

  #closeAll(): void {
    for (const [socket, { answers }] of this.#all) {
      if (answers.size > 0) breakOff(socket);
      else socket.destroy();
    }
  }
}
