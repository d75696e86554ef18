/** Admission of searches: bounded in number, fair to clients, within a deadline, and never with partial results. */

import type { Search } from "../../domain/search/search.js";
import { type ClientKey, FairSemaphore } from "../../platform/concurrency/fair-semaphore.js";
import { RETRY_AFTER, ServiceBusy } from "../../platform/errors.js";
import { FILES } from "../collections/configset.js";
import { SolrTimeout, SolrUnavailable } from "../errors.js";
import type { SolrDocument } from "../export/document-batch.js";
import { type CallOptions, SolrCollection } from "../transport/client.js";
import type { SolrHttp } from "../transport/http.js";
import { readAnswer } from "../transport/json-response.js";
import { requireWhole, searchParameters, timeLimit } from "./parameters.js";

/** The client of a search. */
export interface SearchClient {
  /** Clients that wait take turns. Left out: the service's own work, which counts as one client. */
  readonly clientKey?: ClientKey | undefined;
  /** Aborted when the client leaves. */
  readonly signal?: AbortSignal | undefined;
}

interface Page {
  readonly numFound: number;
  readonly docs: SolrDocument[];
}

/** The fraction of the permits, and of the waiting requests, that one client may have. */
const MAX_SHARE = 3 / 4;

/** Bounds the work that Solr does at once. @param timeoutMs milliseconds that each may wait */
export function solrSemaphore(permits: number, maxWaiting: number, timeoutMs: number) {
  const share = (all: number): number => Math.max(1, Math.floor(all * MAX_SHARE));
  return new FairSemaphore({
    permits,
    maxWaiting,
    timeoutMs,
    perClient: { permits: share(permits), waiting: share(maxWaiting) },
    refused: () => new ServiceBusy(RETRY_AFTER.search),
  });
}

/** Solr does not notice that a client has left. Its work keeps the permit until Solr answers, at most this many deadlines. */
const MAX_DEADLINES = 6;

/** Milliseconds that work keeps its permit after its client may have left. */
export const maxPermitMs = ({ timeoutMs }: SolrHttp): number => MAX_DEADLINES * timeoutMs;

export class Searches {
  readonly #http: SolrHttp;
  readonly #semaphore: FairSemaphore;

  constructor(http: SolrHttp, semaphore: FairSemaphore) {
    this.#http = http;
    this.#semaphore = semaphore;
  }

  /**
   * Does work with a permit. The result fails at the deadline, or when the client leaves, but the permit is released only
   * when Solr is done: otherwise clients that leave early could overload Solr.
   */
  async withPermit<T>(
    { clientKey = "", signal }: SearchClient,
    work: (options: CallOptions) => Promise<T>,
  ): Promise<T> {
    const permit = await this.#semaphore.acquire({ client: clientKey, signal });
    const running = work({ timeoutMs: maxPermitMs(this.#http) }).finally(() => permit.release());
    return withDeadline(running, this.#http.timeoutMs, signal);
  }

  /** The number of documents that match. */
  async count(search: Search, client: SearchClient): Promise<number> {
    return (await this.select(search, { rows: "0" }, client)).numFound;
  }

  /** One page of the documents that match. */
  async select(
    search: Search,
    more: Readonly<Record<string, string>>,
    client: SearchClient,
  ): Promise<Page> {
    return this.withPermit(client, (options) => this.selectAtOnce(search, more, options));
  }

  /** The same without a permit, for the service's own searches, which must not wait. */
  async selectAtOnce(
    search: Search,
    more: Readonly<Record<string, string>>,
    options: CallOptions,
  ): Promise<Page> {
    const parameters = searchParameters(search, { ...timeLimit(this.#http), ...more });
    const collection = new SolrCollection(this.#http, FILES);
    const { text } = await collection.select(parameters, options);
    const answer = readAnswer<{ responseHeader?: object; response: Page }>(text);
    requireWhole(answer.responseHeader);
    return answer.response;
  }
}

/**
 * The result of work, unless it takes too long or the client leaves. The work itself is not stopped.
 *
 * @throws SolrTimeout after the deadline; SolrUnavailable when the signal is aborted
 */
export function withDeadline<T>(
  work: Promise<T>,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = (): void => reject(new SolrUnavailable("the client has left"));
    const timer = setTimeout(
      () => reject(new SolrTimeout(`no answer within ${timeoutMs} ms`)),
      timeoutMs,
    );
    if (signal?.aborted) giveUp();
    signal?.addEventListener("abort", giveUp, { once: true });
    work.then(resolve, reject).finally(() => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", giveUp);
    });
  });
}
