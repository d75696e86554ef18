/**
 * One request to Solr: with its deadline, its password in a header, and its failures in the words
 * of the domain.
 *
 * This is the built-in HTTP client, beside solr-node, for what solr-node cannot do: it keeps
 * connections alive (solr-node's own transport closes each), streams, has deadlines and aborts,
 * sees response headers, and keeps the password out of addresses. It is node:http and not fetch,
 * with which each search costs this process a third more of the processor (bench/README.md).
 */
import {
  type ClientRequest,
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingMessage,
  type RequestOptions,
} from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import {
  DomainError,
  SolrRefused,
  SolrTimeout,
  SolrUnavailable,
  TooComplexSearch,
} from "../errors.js";
import { withoutTrailing } from "../vocabulary/trailing.js";
import { mayBeBroken } from "./broken-index.js";
import { authorization, type SolrEndpoint } from "./endpoint.js";

export interface SolrRequest {
  readonly method?: "GET" | "POST";
  /** Path below Solr's root, with its query: `latest/select?q=...`. */
  readonly path: string;
  readonly body?: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
  /** Aborts the request when the client goes away. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds; the connection's own deadline where it is left out. */
  readonly timeoutMs?: number;
  /** Milliseconds until a stream's answer must begin, where that is more than between its pieces. */
  readonly openTimeoutMs?: number;
}

export interface SolrReply {
  readonly status: number;
  readonly etag: string | undefined;
  readonly text: string;
}

/** A document is not in the version that a write asked for: somebody else was faster. */
export class VersionConflict extends Error {
  override readonly name = "VersionConflict";
}

/** A longer address is sent as a form instead: a stock Jetty refuses more than 8 KiB of headers. */
const MAX_ADDRESS = 6000;

/** Milliseconds that a connection is kept for the next request; Solr itself keeps it for longer. */
const KEPT_ALIVE = 4000;

/** A timer that breaks a request off, and can be wound up again while there is progress. */
class Deadline {
  readonly #outer: AbortSignal | undefined;
  #timer: NodeJS.Timeout | undefined;
  #call: ClientRequest | undefined;
  #aborted = false;
  timedOut = false;
  #milliseconds: number;

  constructor(milliseconds: number, outer: AbortSignal | undefined) {
    this.#milliseconds = milliseconds;
    this.#outer = outer;
    if (outer?.aborted) this.abort();
    outer?.addEventListener("abort", this.abort, { once: true });
    this.wind();
  }

  /** Binds the request that is broken off. */
  of(call: ClientRequest): void {
    this.#call = call;
    if (this.#aborted) call.destroy();
  }

  wind(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.timedOut = true;
      this.abort();
    }, this.#milliseconds);
  }

  /** From now on it is so many milliseconds. */
  set(milliseconds: number): void {
    this.#milliseconds = milliseconds;
    this.wind();
  }

  /** Stops the clock, as while a slow reader makes us wait, not Solr. */
  rest(): void {
    clearTimeout(this.#timer);
  }

  end(): void {
    this.rest();
    this.#outer?.removeEventListener("abort", this.abort);
  }

  readonly abort = (): void => {
    this.#aborted = true;
    this.#call?.destroy();
  };

  /** What a failed request means. */
  failure(cause: unknown): Error {
    if (!this.timedOut) return new SolrUnavailable("the connection failed", { cause });
    return new SolrTimeout(`no answer within ${this.#milliseconds} ms`, { cause });
  }
}

async function textOf(response: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  await new Promise<void>((resolve, reject) => {
    response.on("data", (piece: Buffer) => pieces.push(piece));
    // `close` comes also where a connection that was broken off raises no error.
    response.once("end", resolve).once("error", reject).once("close", reject);
  });
  return Buffer.concat(pieces).toString("utf8");
}

const isSuccess = ({ statusCode = 0 }: IncomingMessage): boolean =>
  statusCode >= 200 && statusCode < 300;

/**
 * What Solr and Lucene say of a query that they will not work out: TooComplexToDeterminizeException, TooManyClauses,
 * TooManyNestedClauses, Operations ("input automaton is too large") and a parser that ran out of stack.
 */
const TOO_COMPLEX =
  /determiniz|TooManyClauses|too many (?:boolean|nested) clauses|automaton is too large|StackOverflowError/i;

/** What an answer that is not a success means. */
export function refusal(status: number, text: string): Error {
  const reason = /"msg":"((?:[^"\\]|\\.)*)"/.exec(text)?.[1] ?? text.slice(0, 500);
  const message = `HTTP ${status}: ${reason}`;
  if (TOO_COMPLEX.test(reason)) {
    return new TooComplexSearch({ cause: message });
  }
  if (status === 409) return new VersionConflict(message);
  // 404: a collection that is missing now; 401, 403: a password that is wrong now.
  return status === 400 ? new SolrRefused(message) : new SolrUnavailable(message);
}

export class SolrHttp {
  /** Hears of a write that failed as it does for an index that is closed for good. */
  onFailedWrite: () => void = () => {};
  readonly #path: string;
  readonly #headers: Record<string, string>;
  readonly #request: typeof httpRequest;
  /** Where every request goes; taken apart once, not in each of them. */
  readonly #server: RequestOptions;
  readonly #isUp: () => boolean;

  /**
   * @param timeoutMs milliseconds until Solr must have answered, or sent the next piece
   * @param isUp whether it may be asked at all
   */
  constructor(
    endpoint: SolrEndpoint,
    readonly timeoutMs: number,
    isUp: () => boolean = () => true,
  ) {
    this.#isUp = isUp;
    const { url } = endpoint;
    const secure = url.protocol === "https:";
    const options = { keepAlive: true, timeout: KEPT_ALIVE };
    this.#path = `${withoutTrailing(url.pathname, "/")}/`;
    this.#headers = authorization(endpoint);
    this.#request = secure ? httpsRequest : httpRequest;
    this.#server = {
      // An IPv6 address is in brackets in a URL only.
      hostname: url.hostname.replace(/^\[(.*)\]$/, "$1"),
      port: url.port,
      agent: secure ? new HttpsAgent(options) : new HttpAgent(options),
    };
  }

  /** Sends a request; gives the answer when its headers are there. A redirect is not followed. */
  #open(request: SolrRequest, deadline: Deadline): Promise<IncomingMessage> {
    const [path = "", query = ""] = request.path.split(/\?(.*)/s);
    const asForm = request.body === undefined && request.path.length > MAX_ADDRESS;
    const headers = {
      ...this.#headers,
      ...(asForm && { "Content-Type": "application/x-www-form-urlencoded" }),
      ...request.headers,
    };
    const method = request.method ?? (asForm ? "POST" : "GET");
    const target = this.#path + (asForm ? path : request.path);
    return new Promise((resolve, reject) => {
      if (!this.#isUp()) throw new Error("Solr is being started again");
      const call = this.#request({ ...this.#server, method, headers, path: target });
      call.once("response", resolve).on("error", reject);
      deadline.of(call);
      call.end(asForm ? query : request.body);
    });
  }

  /**
   * Sends a request and reads its whole answer.
   *
   * @throws SolrUnavailable, SolrTimeout, and what `refusal` tells of a status that is no success
   */
  async send(request: SolrRequest): Promise<SolrReply> {
    const deadline = new Deadline(request.timeoutMs ?? this.timeoutMs, request.signal);
    let response: IncomingMessage;
    let text: string;
    try {
      response = await this.#open(request, deadline);
      text = await textOf(response);
    } catch (error) {
      throw deadline.failure(error);
    } finally {
      deadline.end();
    }
    const { statusCode: status = 0, headers } = response;
    if (isSuccess(response) || status === 304) return { status, etag: headers.etag, text };
    if (status >= 500) this.noteFailure(text);
    throw refusal(status, text);
  }

  /** To be told what Solr says of a write that failed, where that stands inside a success. */
  noteFailure(reason: string): void {
    if (mayBeBroken(reason)) this.onFailedWrite();
  }

  /**
   * Sends a request whose answer is read piece by piece. The request ends with the iteration,
   * however that ends, so a reader that goes away stops Solr's work too.
   *
   * @throws as `send`; SolrTimeout also where a piece is late
   */
  async *stream(request: SolrRequest): AsyncGenerator<Uint8Array, void, undefined> {
    const timeout = request.timeoutMs ?? this.timeoutMs;
    const deadline = new Deadline(request.openTimeoutMs ?? timeout, request.signal);
    try {
      const response = await this.#open(request, deadline);
      deadline.set(timeout);
      if (!isSuccess(response)) throw refusal(response.statusCode ?? 0, await textOf(response));
      for await (const piece of response) {
        deadline.rest();
        yield piece as Buffer;
        deadline.wind();
      }
    } catch (error) {
      throw error instanceof DomainError ? error : deadline.failure(error);
    } finally {
      deadline.end();
      deadline.abort();
    }
  }
}
