/** Searches that Solr answers at once: in turns, within their time, and never in part. */

import type { Search } from "../../domain/search/search.js";
import { SolrTimeout, SolrUnavailable } from "../errors.js";
import type { SolrDocument } from "../export/export.js";
import { type CallOptions, SolrCollection } from "../transport/client.js";
import type { SolrHttp } from "../transport/http.js";
import { readAnswer } from "../transport/json-response.js";
import { requireWhole, timeLimit } from "../transport/time-limit.js";
import { searchParameters } from "./facets.js";
import type { Turns } from "./fair-queue.js";

/** Who asks, and until when. */
export interface Asker {
  /** For whom a place is taken; callers who wait are served in turns. */
  readonly caller?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface Page {
  readonly numFound: number;
  readonly docs: SolrDocument[];
}

/** Solr does not notice that nobody waits any more: until it answers, up to so many deadlines, its place stays taken. */
const LINGERING = 6;

/** Milliseconds that work whose asker may be gone still keeps its place. */
export const lingering = ({ timeoutMs }: SolrHttp): number => LINGERING * timeoutMs;

export class Searches {
  readonly #http: SolrHttp;
  readonly #turns: Turns;

  constructor(http: SolrHttp, turns: Turns) {
    this.#http = http;
    this.#turns = turns;
  }

  /**
   * Does work in its turn. Whoever asked is told after the deadline, or goes away, but the place is free only when
   * Solr is done: else one who asks and goes away would keep all of Solr busy.
   *
   * @throws ServiceBusy, SolrTimeout, and what the work throws
   */
  async inTurn<T>({ caller, signal }: Asker, work: (options: CallOptions) => Promise<T>) {
    const place = await this.#turns.enter(caller, signal);
    const running = work({ timeoutMs: lingering(this.#http) }).finally(() => place.leave());
    return patiently(running, this.#http.timeoutMs, signal);
  }

  /** One page of what is found. */
  async select(
    search: Search,
    more: Readonly<Record<string, string>>,
    asker: Asker,
  ): Promise<Page> {
    return this.inTurn(asker, (options) => this.selectAtOnce(search, more, options));
  }

  /** The same for the service's own questions, which wait for nobody. */
  async selectAtOnce(
    search: Search,
    more: Readonly<Record<string, string>>,
    options: CallOptions,
  ): Promise<Page> {
    const parameters = searchParameters(search, { ...timeLimit(this.#http), ...more });
    const collection = new SolrCollection(this.#http, search.collection);
    const { text } = await collection.select(parameters, options);
    const answer = readAnswer<{ responseHeader?: object; response: Page }>(text);
    requireWhole(answer.responseHeader);
    return answer.response;
  }
}

/**
 * What comes of work, unless it takes too long or is not wanted any more; the work goes on.
 *
 * @throws SolrTimeout after the deadline; SolrUnavailable when it is not wanted any more; what the work throws
 */
export function patiently<T>(
  work: Promise<T>,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = (): void => reject(new SolrUnavailable("nobody waits for the answer any more"));
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
