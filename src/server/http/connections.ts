/**
 * The connections of a server: how many there may be, how long each may keep it waiting, and which of them gives way.
 *
 * Whoever opens many connections and says nothing on them keeps nobody out: past the bound, the oldest that has not
 * sent a whole request is closed for the newest. Only where all of them are being answered is a new one refused, by 503.
 */
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Logger } from "pino";
import { RETRY_AFTER, ServiceBusy } from "../../platform/errors.js";

/** Times are in milliseconds. */
export interface ConnectionLimits {
  /** Connections at a time. */
  readonly max: number;
  /** Until the headers of a request have come. */
  readonly headersMs: number;
  /** Until a whole request has come. */
  readonly requestMs: number;
  /** Between one request and the next. */
  readonly idleMs: number;
  /** That a client may leave unread what is sent to it. */
  readonly unreadMs: number;
  /** Bytes of a request's line and headers. */
  readonly headerBytes: number;
}

/** Requests on one connection at a time, sent without waiting for the answers (RFC 9112, 9.3.2). */
const MAX_PIPELINED = 16;
/** Connections beyond the bound that are told so, as a part of it. */
const SURPLUS = 1 / 8;

/** What connections wait for that are not being answered; the first kind gives way first. */
const WAITING = ["first request", "next request", "rest of a request"] as const;
type Waiting = (typeof WAITING)[number];

interface Connection {
  waiting: Waiting | undefined;
  readonly answers: Set<ServerResponse>;
  /** There was no room for it. */
  readonly surplus: boolean;
}

/** Ends a connection so that its client cannot take what it has for a whole answer: by RST, never by FIN. */
export function breakOff(socket: Socket | null | undefined): void {
  try {
    socket?.resetAndDestroy();
  } catch {
    // No TCP: there is no such thing as a reset.
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

  /** Watches over the connections of a server from now on. */
  guard(server: Server): void {
    const { max, headersMs, requestMs, idleMs, unreadMs } = this.#limits;
    server.maxConnections = max + Math.ceil(max * SURPLUS);
    server.headersTimeout = Math.min(headersMs, requestMs);
    server.requestTimeout = requestMs;
    server.keepAliveTimeout = idleMs;
    server.timeout = unreadMs;
    server.on("connection", (socket) => this.#opened(socket));
    server.prependListener("request", (incoming, outgoing) => this.#began(incoming, outgoing));
    server.on("timeout", (socket) => this.#silent(socket));
    server.closeAllConnections = () => this.#closeAll();
  }

  /** Why a request is not even looked at, if it is not. */
  refusal({ socket }: IncomingMessage): ServiceBusy | undefined {
    // What came together with the last request is still told one by one, and nobody hears the answers.
    if (socket.destroyed) return new ServiceBusy(RETRY_AFTER.place, "The connection has ended.");
    if (this.#all.get(socket)?.surplus !== true) return undefined;
    return new ServiceBusy(RETRY_AFTER.place, "There are too many connections.");
  }

  /** Whether something else can be said on a connection than an answer that was begun, or that others wait behind. */
  isFree(socket: Socket): boolean {
    const answers = [...(this.#all.get(socket)?.answers ?? [])];
    return answers.length < 2 && answers.every(({ headersSent }) => !headersSent);
  }

  #opened(socket: Socket): void {
    let surplus = false;
    if (this.#all.size >= this.#limits.max) {
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
    if (connection !== undefined) this.#setWaiting(socket, connection, undefined);
    this.#all.delete(socket);
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
    // Nobody does that who means well, and a connection is one caller, not a multitude.
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

  /** Nothing has passed for a while, in either direction. */
  #silent(socket: Socket): void {
    if (socket.writableLength > 0) {
      this.#logger.info({ address: socket.remoteAddress }, "a client does not read its answer");
      breakOff(socket);
      return;
    }
    // While an answer is worked out, silence is right.
    if ((this.#all.get(socket)?.answers.size ?? 0) === 0) socket.destroy();
  }

  #closeAll(): void {
    for (const [socket, { answers }] of this.#all) {
      if (answers.size > 0) breakOff(socket);
      else socket.destroy();
    }
  }
}
