/**
 * One request to Solr: with its deadline, its password in a header, and its failures in the words
 * of the domain.
 *
 * This is an HTTP client beside solr-node, for what solr-node cannot do: it keeps connections alive
 * (solr-node's own transport closes each), streams, has deadlines and aborts, sees response headers,
 * and keeps the password out of addresses. It is undici's own dispatch, below fetch and node:http, with
 * which each request costs this process more of the processor (bench/README.md).
 */
import { Pool } from "undici";
import {
  DomainError,
  SolrRefused,
  SolrTimeout,
  SolrUnavailable,
  TooComplexSearch,
} from "../errors.js";
import { withoutTrailing } from "../vocabulary/trailing.js";
import { Answer } from "./answer.js";
import { mayBeBroken } from "./broken-index.js";
import { authorization, type SolrEndpoint } from "./endpoint.js";
import { SINGLE, type SolrTopology } from "./shards.js";

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
  /** As it stands in the header; of a search by one replica, when its index was opened. */
  readonly lastModified?: string | undefined;
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
  #call: Answer | undefined;
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
  of(call: Answer): void {
    this.#call = call;
    if (this.#aborted) call.abort();
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
    this.#call?.abort();
  };

  /** What a failed request means. */
  failure(cause: unknown): Error {
    if (!this.timedOut) return new SolrUnavailable("the connection failed", { cause });
    return new SolrTimeout(`no answer within ${this.#milliseconds} ms`, { cause });
  }
}

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
  /** How Solr is laid out, for those who must name shards. */
  topology: SolrTopology = SINGLE;
  readonly #path: string;
  readonly #headers: Record<string, string>;
  readonly #pool: Pool;

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
    const [url] = endpoint.urls;
    this.#path = `${withoutTrailing(url.pathname, "/")}/`;
    this.#headers = authorization(endpoint);
    // A deadline is wound up by whoever asks.
    this.#pool = new Pool(url.origin, {
      keepAliveTimeout: KEPT_ALIVE,
      connectTimeout: timeoutMs,
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  /** Sends a request; gives the answer when its headers are there. A redirect is not followed. */
  async #open(request: SolrRequest, deadline: Deadline, isPaced = false): Promise<Answer> {
    const [path = "", query = ""] = request.path.split(/\?(.*)/s);
    const asForm = request.body === undefined && request.path.length > MAX_ADDRESS;
    const headers = {
      ...this.#headers,
      ...(asForm && { "Content-Type": "application/x-www-form-urlencoded" }),
      ...request.headers,
    };
    const method = request.method ?? (asForm ? "POST" : "GET");
    const target = this.#path + (asForm ? path : request.path);
    if (!this.#isUp()) throw new Error("Solr is being started again");
    const answer = new Answer(isPaced);
    deadline.of(answer);
    const body = (asForm ? query : request.body) ?? null;
    this.#pool.dispatch({ method, headers, path: target, body }, answer);
    await answer.opened;
    return answer;
  }

  /**
   * Sends a request and reads its whole answer.
   *
   * @throws SolrUnavailable, SolrTimeout, and what `refusal` tells of a status that is no success
   */
  async send(request: SolrRequest): Promise<SolrReply> {
    const deadline = new Deadline(request.timeoutMs ?? this.timeoutMs, request.signal);
    let answer: Answer;
    let text: string;
    try {
      answer = await this.#open(request, deadline);
      text = await answer.text();
    } catch (error) {
      throw deadline.failure(error);
    } finally {
      deadline.end();
    }
    const { status, etag, lastModified } = answer;
    if (answer.isSuccess || status === 304) return { status, etag, lastModified, text };
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
      const answer = await this.#open(request, deadline, true);
      deadline.set(timeout);
      if (!answer.isSuccess) throw refusal(answer.status, await answer.text());
      for await (const piece of answer.pieces()) {
        deadline.rest();
        yield piece;
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
