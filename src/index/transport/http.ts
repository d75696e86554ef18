/**
 * One request to Solr, with a deadline, the password in a header, and failures as errors of the domain.
 *
 * solr-node's own transport closes every connection, cannot stream, has no deadlines, hides response headers, and puts the
 * password into addresses. This client replaces it. It uses undici's dispatch, which costs less processor time per request than
 * fetch or node:http (bench/README.md). Its handler has the methods of undici 6; undici 7 renames them, and needs Node 20.18.1.
 */
import { DomainError } from "../../platform/errors.js";
import { SINGLE, type SolrTopology } from "../collections/shards.js";
import { SolrRefused, SolrUnavailable, TooComplexSearch } from "../errors.js";
import { mayBeBroken } from "./broken-index.js";
import { failureOf, type SolrCall, workOf } from "./call-observer.js";
import { Deadline } from "./deadline.js";
import { corePath, type SolrEndpoint, solrPath } from "./endpoint.js";
import { type Node, Nodes } from "./nodes.js";
import type { Answer } from "./response.js";
import {
  type Failure,
  IDEMPOTENT_WRITE,
  ONCE,
  READ,
  Retries,
  type RetryPolicy,
} from "./retries.js";

export interface SolrRequest {
  readonly method?: "GET" | "POST";
  /** Path below Solr's root, with its query: `files/select?q=...`. */
  readonly path: string;
  readonly body?: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
  /** Aborts the request when the client goes away. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds; by default the deadline of the connection. */
  readonly timeoutMs?: number;
  /** Milliseconds until a stream must begin, if that may take longer than the next piece. */
  readonly openTimeoutMs?: number;
  /** The largest answer that is read whole, in bytes; a longer one is broken off. */
  readonly maxBytes?: number;
  /** Whether a write may be repeated at another node, because doing it twice has the effect of doing it once. */
  readonly idempotent?: boolean | undefined;
  /**
   * The address of the replica that answers, for its shard alone: its core takes the place of the collection in the path. Its
   * node is tried first, as any other one would only forward the request.
   */
  readonly replica?: string | undefined;
}

export interface SolrReply {
  readonly status: number;
  readonly etag: string | undefined;
  /** The header as it is. For a search by one replica, the time at which its index was opened. */
  readonly lastModified?: string | undefined;
  readonly text: string;
}

/** A document does not have the version that a write requires: another write came first. */
export class VersionConflict extends Error {
  override readonly name = "VersionConflict";
}

/** Characters of an address. A longer one is sent as a form, because a stock Jetty refuses more than 8 KiB of headers. */
const MAX_ADDRESS = 6000;

/**
 * Messages of Solr and Lucene for a query that is too complex: TooComplexToDeterminizeException, TooManyClauses,
 * TooManyNestedClauses, Operations ("input automaton is too large") and a parser that ran out of stack.
 */
const TOO_COMPLEX =
  /determiniz|TooManyClauses|too many (?:boolean|nested) clauses|automaton is too large|StackOverflowError/i;

/** The error for an answer whose status is not a success. */
export function refusal(status: number, text: string): Error {
  const reason = /"msg":"((?:[^"\\]|\\.)*)"/.exec(text)?.[1] ?? text.slice(0, 500);
  const message = `HTTP ${status}: ${reason}`;
  if (TOO_COMPLEX.test(reason)) {
    return new TooComplexSearch({ cause: message });
  }
  if (status === 409) return new VersionConflict(message);
  // 404 is a collection that is missing for now; 401 and 403 are a password that is wrong for now.
  return status === 400 ? new SolrRefused(message) : new SolrUnavailable(message);
}

const FORM_BODY = { "Content-Type": "application/x-www-form-urlencoded" };

export class SolrHttp {
  /** Is called when a write fails in the way it does for an index that is closed permanently. */
  onFailedWrite: () => void = () => {};
  /** Is called after every request. */
  onCall: (call: SolrCall) => void = () => {};
  /** Solr's collections and shards. */
  topology: SolrTopology = SINGLE;
  readonly #nodes: Nodes;
  readonly #isUp: () => boolean;

  /** @param timeoutMs milliseconds until Solr must have answered, or sent the next piece */
  constructor(
    readonly endpoint: SolrEndpoint,
    readonly timeoutMs: number,
    isUp: () => boolean = () => true,
  ) {
    this.#isUp = isUp;
    this.#nodes = new Nodes(endpoint, timeoutMs);
  }

  /** Whether a request that one node does not answer can be sent to another. */
  get hasSeveralNodes(): boolean {
    return this.#nodes.areSeveral;
  }

  /** Whether all nodes are known to be down. */
  get isOutage(): boolean {
    return this.#nodes.all.every(({ isDown }) => isDown);
  }

  /** Sends a request. Redirects are not followed. */
  #dispatch(request: SolrRequest, node: Node, answer: Answer): void {
    if (!this.#isUp()) throw new Error("Solr is being started again");
    const below = this.#preferring(request, node);
    const { replica } = request;
    const path =
      node.path +
      (replica === undefined ? solrPath(this.endpoint, below) : corePath(replica, below));
    const { method = "GET", body = null, headers: more } = request;
    const own = this.#nodes.headers;
    if (body === null && path.length > MAX_ADDRESS) {
      const at = path.indexOf("?");
      const form = { path: path.slice(0, at), body: path.slice(at + 1) };
      const headers = { ...own, ...FORM_BODY, ...more };
      node.pool.dispatch({ ...form, method: "POST", headers }, answer);
    } else {
      const headers = more === undefined ? own : { ...own, ...more };
      node.pool.dispatch({ method, headers, path, body }, answer);
    }
  }

  /** The path of a request, with a preference for replicas on nodes that are up. */
  #preferring({ path }: SolrRequest, node: Node): string {
    const preference = this.#nodes.areSeveral ? this.#nodes.preference(node) : undefined;
    return preference === undefined || isUpdate(path) ? path : withPreference(path, preference);
  }

  /** Asks one node after the other until `take` accepts an answer. */
  async #ask<T>(
    request: SolrRequest,
    deadline: Deadline,
    isPaced: boolean,
    take: (answer: Answer, node: Node) => Promise<T>,
  ): Promise<T> {
    const retries = new Retries(this.#nodes, repeating(request), request.replica);
    for (;;) {
      const { node, canMove } = retries;
      const answer = this.#nodes.answerOf(node, isPaced, canMove);
      let failure: unknown;
      try {
        deadline.of(answer);
        this.#dispatch(request, node, answer);
        await answer.opened;
        return await take(answer, node);
      } catch (error) {
        failure = error;
        answer.abort();
      }
      const kind = kindOf(failure, answer, request);
      if (!deadline.isOver && (kind === "unsent" || kind === "broken"))
        this.#nodes.connectionFailed(node);
      if (await retries.shouldRetry(kind, deadline)) continue;
      throw isSolrError(failure) ? failure : deadline.failure(failure);
    }
  }

  /**
   * Sends a request and reads its whole answer.
   *
   * @throws SolrUnavailable, SolrTimeout, AnswerTooLong; the error of `refusal` for a status that is not a success
   */
  async send(request: SolrRequest): Promise<SolrReply> {
    const deadline = new Deadline(request.timeoutMs ?? this.timeoutMs, request.signal);
    const read = (answer: Answer) => this.#read(answer, request.maxBytes);
    try {
      return await this.#observe(request, this.#ask(request, deadline, false, read));
    } finally {
      deadline.end();
    }
  }

  /** Reports to `onCall` how long a request takes to succeed or fail. */
  async #observe<T>({ path, signal }: SolrRequest, call: Promise<T>): Promise<T> {
    const began = performance.now();
    let failure: unknown;
    try {
      return await call;
    } catch (error) {
      failure = error;
      throw error;
    } finally {
      const seconds = (performance.now() - began) / 1000;
      this.onCall({ what: workOf(path), seconds, failure: failureOf(failure, signal) });
    }
  }

  async #read(answer: Answer, maxBytes: number | undefined): Promise<SolrReply> {
    const text = await answer.text(maxBytes);
    const { status, etag, lastModified } = answer;
    if (answer.isSuccess || status === 304) return { status, etag, lastModified, text };
    if (status >= 500) this.noteFailure(text);
    throw refusal(status, text);
  }

  /** Takes Solr's message for a write that failed, also one inside an answer with a status of success. */
  noteFailure(reason: string): void {
    if (mayBeBroken(reason)) this.onFailedWrite();
  }

  /**
   * Sends a request whose answer is read piece by piece. The request ends with the iteration, however that ends, so Solr stops
   * working for a reader that leaves. An answer that has begun is not requested again.
   *
   * @throws as `send`; SolrTimeout also if a piece is late
   */
  async *stream(request: SolrRequest): AsyncGenerator<Uint8Array, void, undefined> {
    const timeout = request.timeoutMs ?? this.timeoutMs;
    const deadline = new Deadline(request.openTimeoutMs ?? timeout, request.signal);
    let from: Node | undefined;
    try {
      const call = this.#ask(request, deadline, true, requireSuccess);
      const { answer, node } = await this.#observe(request, call);
      from = node;
      deadline.set(timeout);
      for await (const piece of answer.pieces()) {
        deadline.stop();
        yield piece;
        deadline.restart();
      }
    } catch (error) {
      if (isSolrError(error)) throw error;
      if (from !== undefined && !deadline.isOver) this.#nodes.connectionFailed(from);
      const broken = deadline.failure(error);
      const failure = failureOf(broken, request.signal);
      this.onCall({ what: workOf(request.path), seconds: undefined, failure });
      throw broken;
    } finally {
      deadline.end();
      deadline.abort();
    }
  }
}

async function requireSuccess(answer: Answer, node: Node) {
  if (!answer.isSuccess) throw refusal(answer.status, await answer.text());
  return { answer, node };
}

/** Whether a failure is an answer of Solr, and not the lack of one. */
const isSolrError = (failure: unknown): failure is Error =>
  failure instanceof DomainError || failure instanceof VersionConflict;

const isUpdate = (path: string): boolean => /^[^?]*\/update(?:$|[/?])/.test(path);

function repeating({ path, idempotent }: SolrRequest): RetryPolicy {
  if (!isUpdate(path)) return READ;
  return idempotent ? IDEMPOTENT_WRITE : ONCE;
}

function kindOf(failure: unknown, { isSent, status }: Answer, { path }: SolrRequest): Failure {
  if (!isSolrError(failure)) return isSent ? "broken" : "unsent";
  if (!(failure instanceof SolrUnavailable) || status === 401 || status === 403) return "final";
  const isMissing = status === 502 || status === 503 || status === 504 || isUpdate(path);
  return isMissing || /no servers hosting shard/i.test(failure.message) ? "unavailable" : "failed";
}

/** The value of `shards.preference` that prefers leaders: a replica that was away still answers, without the newest writes. */
export const LEADERS_FIRST = "replica.leader:true";

/** Adds the preferred replicas. For /get, a preference for leaders comes first: only leaders know which writes they refused. */
function withPreference(path: string, preference: string): string {
  const [handler = "", query = ""] = path.split(/\?(.*)/s);
  const parameters = new URLSearchParams(query);
  const before = parameters.get("shards.preference");
  const all = handler.endsWith("/get") ? [before, preference] : [preference, before];
  parameters.set("shards.preference", all.filter(Boolean).join(","));
  return `${handler}?${parameters}`;
}
