/**
 * One request to Solr: with its deadline, its password in a header, and its failures in the words
 * of the domain.
 *
 * This is an HTTP client beside solr-node, for what solr-node cannot do: it keeps connections alive
 * (solr-node's own transport closes each), streams, has deadlines and aborts, sees response headers,
 * and keeps the password out of addresses. It is undici's own dispatch, below fetch and node:http, with
 * which each request costs this process more of the processor (bench/README.md).
 */
import { DomainError } from "../../platform/errors.js";
import { SINGLE, type SolrTopology } from "../collections/shards.js";
import { SolrRefused, SolrUnavailable, TooComplexSearch } from "../errors.js";
import { mayBeBroken } from "./broken-index.js";
import { failureOf, type SolrCall, workOf } from "./call-observer.js";
import { Deadline } from "./deadline.js";
import type { SolrEndpoint } from "./endpoint.js";
import { type Node, Nodes } from "./nodes.js";
import type { Answer } from "./response.js";
import { type Failure, ONCE, READING, type Repeating, Retries, WRITING_AGAIN } from "./retries.js";

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
  /** Bytes of an answer that is read whole; a longer one is broken off. */
  readonly maxBytes?: number;
  /** Of what writes: to do it twice is as good as once, so that it may be asked of another node. */
  readonly idempotent?: boolean | undefined;
  /** Where a replica is: its node is asked first, as any other would only pass the question on. */
  readonly near?: string | undefined;
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
/** What stands in an address beside the parameters of a question, at the most: the collection, and who is to be asked. */
const BESIDE_PARAMETERS = 500;

/** Whether a question may be sent as a form, of whose answer Solr tells no entity tag. */
export const isLong = (parameters: string): boolean =>
  parameters.length > MAX_ADDRESS - BESIDE_PARAMETERS;

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
  /** Hears of every request. */
  onCall: (call: SolrCall) => void = () => {};
  /** How Solr is laid out, for those who must name shards. */
  topology: SolrTopology = SINGLE;
  readonly #nodes: Nodes;
  readonly #isUp: () => boolean;

  /**
   * @param timeoutMs milliseconds until Solr must have answered, or sent the next piece
   * @param isUp whether it may be asked at all
   */
  constructor(
    readonly endpoint: SolrEndpoint,
    readonly timeoutMs: number,
    isUp: () => boolean = () => true,
  ) {
    this.#isUp = isUp;
    this.#nodes = new Nodes(endpoint, timeoutMs);
  }

  /** Whether what one node does not answer can be asked of another. */
  get hasSeveralNodes(): boolean {
    return this.#nodes.areSeveral;
  }

  /** Whether all nodes are known to be down. */
  get isOutage(): boolean {
    return this.#nodes.all.every(({ isDown }) => isDown);
  }

  /** Which replicas are to be asked just now, as `shards.preference`; undefined: any. */
  get preference(): string | undefined {
    return this.#nodes.preference(this.#nodes.all[0]);
  }

  /** Has a request sent; a redirect is not followed. */
  #dispatch(request: SolrRequest, node: Node, answer: Answer): void {
    const whole = this.#placed(request, node);
    const [path = "", query = ""] = whole.split(/\?(.*)/s);
    const asForm = request.body === undefined && whole.length > MAX_ADDRESS;
    const headers = {
      ...this.#nodes.headers,
      ...(asForm && { "Content-Type": "application/x-www-form-urlencoded" }),
      ...request.headers,
    };
    const method = request.method ?? (asForm ? "POST" : "GET");
    const target = node.path + (asForm ? path : whole);
    if (!this.#isUp()) throw new Error("Solr is being started again");
    const body = (asForm ? query : request.body) ?? null;
    node.pool.dispatch({ method, headers, path: target, body }, answer);
  }

  /** The path of a request, which leads past nodes that are known to be down. */
  #placed({ path }: SolrRequest, node: Node): string {
    const preference = this.#nodes.areSeveral ? this.#nodes.preference(node) : undefined;
    return preference === undefined || isUpdate(path) ? path : withPreference(path, preference);
  }

  /** Asks the nodes in turn, until one gives what is taken. @throws what `take` throws of the last */
  async #ask<T>(
    request: SolrRequest,
    deadline: Deadline,
    isPaced: boolean,
    take: (answer: Answer, node: Node) => Promise<T>,
  ): Promise<T> {
    const repeats = this.#nodes.areSeveral ? repeating(request) : ONCE;
    const retries = new Retries(this.#nodes, repeats, request.near);
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
      if (!deadline.isOver && (kind === "unsent" || kind === "broken")) this.#nodes.doubt(node);
      if (await retries.goOn(kind, deadline)) continue;
      throw isTold(failure) ? failure : deadline.failure(failure);
    }
  }

  /**
   * Sends a request and reads its whole answer.
   *
   * @throws SolrUnavailable, SolrTimeout, AnswerTooLong, and what `refusal` tells of a status that is no success
   */
  async send(request: SolrRequest): Promise<SolrReply> {
    const deadline = new Deadline(request.timeoutMs ?? this.timeoutMs, request.signal);
    const read = (answer: Answer) => this.#read(answer, request.maxBytes);
    try {
      return await this.#told(request, this.#ask(request, deadline, false, read));
    } finally {
      deadline.end();
    }
  }

  /** Tells how long a request takes until something comes of it, and what. */
  async #told<T>({ path, signal }: SolrRequest, asked: Promise<T>): Promise<T> {
    const began = performance.now();
    let failure: unknown;
    try {
      return await asked;
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

  /** To be told what Solr says of a write that failed, where that stands inside a success. */
  noteFailure(reason: string): void {
    if (mayBeBroken(reason)) this.onFailedWrite();
  }

  /**
   * Sends a request whose answer is read piece by piece. The request ends with the iteration,
   * however that ends, so a reader that goes away stops Solr's work too. What breaks off once it has begun is not asked again.
   *
   * @throws as `send`; SolrTimeout also where a piece is late
   */
  async *stream(request: SolrRequest): AsyncGenerator<Uint8Array, void, undefined> {
    const timeout = request.timeoutMs ?? this.timeoutMs;
    const deadline = new Deadline(request.openTimeoutMs ?? timeout, request.signal);
    let from: Node | undefined;
    try {
      const asked = this.#ask(request, deadline, true, begun);
      const { answer, node } = await this.#told(request, asked);
      from = node;
      deadline.set(timeout);
      for await (const piece of answer.pieces()) {
        deadline.rest();
        yield piece;
        deadline.wind();
      }
    } catch (error) {
      if (isTold(error)) throw error;
      if (from !== undefined && !deadline.isOver) this.#nodes.doubt(from);
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

async function begun(answer: Answer, node: Node) {
  if (!answer.isSuccess) throw refusal(answer.status, await answer.text());
  return { answer, node };
}

/** Whether a failure is what Solr said, not that it said nothing. */
const isTold = (failure: unknown): failure is Error =>
  failure instanceof DomainError || failure instanceof VersionConflict;

const isUpdate = (path: string): boolean => /^[^?]*\/update(?:$|[/?])/.test(path);

function repeating({ path, idempotent }: SolrRequest): Repeating {
  if (!isUpdate(path)) return READING;
  return idempotent ? WRITING_AGAIN : ONCE;
}

function kindOf(failure: unknown, { isSent, status }: Answer, { path }: SolrRequest): Failure {
  if (!isTold(failure)) return isSent ? "broken" : "unsent";
  if (!(failure instanceof SolrUnavailable) || status === 401 || status === 403) return "final";
  const isMissing = status === 502 || status === 503 || status === 504 || isUpdate(path);
  return isMissing || /no servers hosting shard/i.test(failure.message) ? "unavailable" : "failed";
}

/** Adds which replicas are to be asked. Where only a leader knows what it has refused, that goes before it. */
function withPreference(path: string, preference: string): string {
  const [place = "", query = ""] = path.split(/\?(.*)/s);
  const parameters = new URLSearchParams(query);
  const before = parameters.get("shards.preference");
  const all = place.endsWith("/get") ? [before, preference] : [preference, before];
  parameters.set("shards.preference", all.filter(Boolean).join(","));
  return `${place}?${parameters}`;
}
