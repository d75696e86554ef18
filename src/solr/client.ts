/**
 * solr-node, over our own transport.
 *
 * solr-node makes the requests of Solr's ordinary handlers (select, commit);
 * what sends them is replaced at its one seam, `_callSolrServer`. The reasons stand in http.ts.
 */
import SolrNode from "solr-node";
import type { SolrHttp, SolrReply } from "./http.js";

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds; the transport's own deadline where it is left out. */
  readonly timeoutMs?: number;
  /** The entity tag of an answer that is known already. */
  readonly ifNoneMatch?: string | undefined;
}

interface SolrNodeInit {
  readonly method: "GET" | "POST";
  readonly body?: string;
  readonly headers: Record<string, string>;
}

class Call extends SolrNode {
  readonly #http: SolrHttp;
  readonly #options: CallOptions;

  constructor(http: SolrHttp, collection: string, options: CallOptions) {
    super({ core: collection });
    this.#http = http;
    this.#options = options;
  }

  /** Overrides solr-node's own sending; it hands over the address and what fetch takes. */
  _callSolrServer(address: string, init: SolrNodeInit): Promise<SolrReply> {
    const { ifNoneMatch, ...options } = this.#options;
    return this.#http.send({
      ...options,
      // Of the address only the part below Solr's root counts: the transport knows its own.
      path: address.replace(/^.*?\/solr\//, ""),
      ...(init.method === "POST" && { method: "POST", body: init.body ?? "" }),
      headers: { ...init.headers, ...(ifNoneMatch && { "If-None-Match": ifNoneMatch }) },
    });
  }
}

/** Solr's ordinary requests on one collection. Each throws what SolrHttp.send throws. */
export class SolrCollection {
  constructor(
    readonly http: SolrHttp,
    readonly name: string,
  ) {}

  #call(options: CallOptions): Call {
    return new Call(this.http, this.name, options);
  }

  /** `/select` with the parameters as they are; the answer's text is Solr's JSON. */
  async select(parameters: URLSearchParams, options: CallOptions = {}): Promise<SolrReply> {
    return reply(await this.#call(options).search(parameters.toString()));
  }

  /** Makes what was added and deleted visible, and durable unless `soft`. */
  async commit(soft: boolean, options: CallOptions = {}): Promise<void> {
    const call = this.#call(options);
    await (soft ? call.softCommit() : call.commit());
  }
}

/** solr-node's types speak of its own transport's answers; ours are what the seam returns. */
function reply(value: unknown): SolrReply {
  return value as SolrReply;
}
