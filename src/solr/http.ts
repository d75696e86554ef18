/**
 * One request to Solr: with its deadline, its password in a header, and its failures in the words
 * of the domain.
 *
 * This is the built-in fetch, beside solr-node, for what solr-node cannot do: it keeps connections
 * alive (solr-node's own transport closes each), streams, has deadlines and aborts, sees response
 * headers, and keeps the password out of addresses.
 */
import { SolrRefused, SolrTimeout, SolrUnavailable, TooComplexSearch } from "../errors.js";
import { authorization, type SolrEndpoint } from "./endpoint.js";

export interface SolrRequest {
  readonly method?: "GET" | "POST";
  /** Path below Solr's root, with its query: `latest/select?q=...`. */
  readonly path: string;
  readonly body?: string | Uint8Array | ReadableStream<Uint8Array>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Aborts the request when the client goes away. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds; the connection's own deadline where it is left out. */
  readonly timeoutMs?: number;
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

/** A timer that aborts a request, and can be wound up again while there is progress. */
class Deadline {
  readonly #controller = new AbortController();
  readonly #outer: AbortSignal | undefined;
  #timer: NodeJS.Timeout | undefined;
  timedOut = false;

  constructor(
    readonly milliseconds: number,
    outer: AbortSignal | undefined,
  ) {
    this.#outer = outer;
    if (outer?.aborted) this.abort();
    outer?.addEventListener("abort", this.abort, { once: true });
    this.wind();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  wind(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.timedOut = true;
      this.abort();
    }, this.milliseconds);
  }

  /** Stops the clock, as while a slow reader makes us wait, not Solr. */
  rest(): void {
    clearTimeout(this.#timer);
  }

  end(): void {
    this.rest();
    this.#outer?.removeEventListener("abort", this.abort);
  }

  readonly abort = (): void => this.#controller.abort();
}

/** What a failed request means; `deadline` tells a time-out from other aborts. */
function failure(error: unknown, deadline: Deadline): Error {
  if (deadline.timedOut) {
    return new SolrTimeout(`no answer within ${deadline.milliseconds} ms`, { cause: error });
  }
  return new SolrUnavailable("the connection failed", { cause: error });
}

/** What an answer that is not a success means. */
export function refusal(status: number, text: string): Error {
  const reason = /"msg":"((?:[^"\\]|\\.)*)"/.exec(text)?.[1] ?? text.slice(0, 500);
  const message = `HTTP ${status}: ${reason}`;
  if (/TooComplexToDeterminize|determiniz|TooManyClauses|too many boolean clauses/i.test(reason)) {
    return new TooComplexSearch({ cause: message });
  }
  if (status === 409) return new VersionConflict(message);
  // 404: a collection that is missing now; 401, 403: a password that is wrong now.
  return status === 400 ? new SolrRefused(message) : new SolrUnavailable(message);
}

export class SolrHttp {
  readonly #root: string;
  readonly #headers: Record<string, string>;

  /** @param timeoutMs milliseconds until Solr must have answered, or sent the next piece */
  constructor(
    endpoint: SolrEndpoint,
    readonly timeoutMs: number,
  ) {
    this.#root = `${endpoint.url.href.replace(/\/+$/, "")}/`;
    this.#headers = authorization(endpoint);
  }

  async #fetch(request: SolrRequest, deadline: Deadline): Promise<Response> {
    const [path = "", query = ""] = request.path.split(/\?(.*)/s);
    const asForm = request.body === undefined && request.path.length > MAX_ADDRESS;
    const body = asForm ? query : request.body;
    const headers = {
      ...this.#headers,
      ...(asForm && { "Content-Type": "application/x-www-form-urlencoded" }),
      ...request.headers,
    };
    const init = {
      method: request.method ?? (asForm ? "POST" : "GET"),
      headers,
      signal: deadline.signal,
      // A redirect could carry the password to another host.
      redirect: "error" as const,
      ...(body !== undefined && { body, duplex: "half" as const }),
    };
    return await fetch(this.#root + (asForm ? path : request.path), init as RequestInit);
  }

  /**
   * Sends a request and reads its whole answer.
   *
   * @throws SolrUnavailable, SolrTimeout, and what `refusal` tells of a status that is no success
   */
  async send(request: SolrRequest): Promise<SolrReply> {
    const deadline = new Deadline(request.timeoutMs ?? this.timeoutMs, request.signal);
    try {
      const response = await this.#fetch(request, deadline);
      const text = await response.text();
      if (!response.ok && response.status !== 304) throw refusal(response.status, text);
      return { status: response.status, etag: response.headers.get("etag") ?? undefined, text };
    } catch (error) {
      throw error instanceof TypeError || deadline.signal.aborted
        ? failure(error, deadline)
        : error;
    } finally {
      deadline.end();
    }
  }

  /**
   * Sends a request whose answer is read piece by piece. The request ends with the iteration,
   * however that ends, so a reader that goes away stops Solr's work too.
   *
   * @throws as `send`; SolrTimeout also where a piece is late
   */
  async *stream(request: SolrRequest): AsyncGenerator<Uint8Array, void, undefined> {
    const deadline = new Deadline(request.timeoutMs ?? this.timeoutMs, request.signal);
    try {
      const response = await this.#fetch(request, deadline);
      if (!response.ok) throw refusal(response.status, await response.text());
      if (response.body === null) return;
      for await (const piece of response.body as unknown as AsyncIterable<Uint8Array>) {
        deadline.rest();
        yield piece;
        deadline.wind();
      }
    } catch (error) {
      throw error instanceof TypeError || deadline.signal.aborted
        ? failure(error, deadline)
        : error;
    } finally {
      deadline.end();
      deadline.abort();
    }
  }
}
