/**
 * solr-node, over our own transport, and beside it what it cannot do.
 *
 * solr-node makes the requests of Solr's ordinary handlers (select, commit);
 * what sends them is replaced at its one seam, `_callSolrServer`. The reasons stand in http.ts.
 */
import SolrNode from "solr-node";
import { handlerPath, type SolrHandler } from "./endpoint.js";
import type { SolrHttp, SolrReply, SolrRequest } from "./http.js";
import { readAnswer } from "./json-response.js";
import { parseWithVersions } from "./version-json.js";

export interface GetOptions extends CallOptions {
  /** Of the collection; where they are left out, the topology tells. */
  readonly shards?: readonly string[];
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds; the transport's own deadline where it is left out. */
  readonly timeoutMs?: number;
  /** See SolrRequest. */
  readonly idempotent?: boolean;
  /** See SolrRequest. */
  readonly maxBytes?: number;
  /** The entity tag of an answer that is known already. */
  readonly ifNoneMatch?: string | undefined;
  /** See SolrRequest. */
  readonly near?: string;
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

/** A document that a tolerant update did not take. */
export interface UpdateError {
  readonly id: string;
  readonly message: string;
}

/** What Solr says of a document that it does not have, or has no more (a version below zero is that of its deletion). */
const isAbsent = (message: string): boolean =>
  message.includes("version conflict for ") && / actual=-\d{1,20}$/.test(message);

const JSON_BODY = { "Content-Type": "application/json" };
const FORM_BODY = { "Content-Type": "application/x-www-form-urlencoded" };

/** Everything that is asked of one collection. Each request throws what SolrHttp.send throws. */
export class SolrCollection {
  constructor(
    readonly http: SolrHttp,
    readonly name: string,
  ) {}

  /**
   * Whether a tolerant update may be answered as if all were done, and is not: Solr tells nothing of documents that another
   * node should have had which died meanwhile (TolerantUpdateProcessor.finish leaves errors out that name no document).
   */
  get mayLose(): boolean {
    return this.http.hasSeveralNodes || this.http.topology.cloud;
  }

  #call(options: CallOptions): Call {
    return new Call(this.http, this.name, options);
  }

  /** `/select` with the parameters as they are; the answer's text is Solr's JSON. */
  async select(
    parameters: URLSearchParams | string,
    options: CallOptions = {},
  ): Promise<SolrReply> {
    return reply(await this.#call(options).search(parameters.toString()));
  }

  /** Makes what was added and deleted visible, and durable unless `soft`. */
  async commit(soft: boolean, options: CallOptions = {}): Promise<void> {
    const call = this.#call({ ...options, idempotent: true });
    await (soft ? call.softCommit() : call.commit());
  }

  /**
   * Documents by their keys, also what no commit has made visible yet (real-time get); `_version_` as text.
   *
   * Documents lie in the shards by their datasets, not by their keys, so that all shards are asked; and of each the
   * replica that leads, as another may not have yet what was refused as being there.
   *
   * @param fields all where left out
   */
  async get<T>(
    ids: readonly string[],
    fields?: readonly string[],
    { shards, ...options }: GetOptions = {},
  ): Promise<readonly T[]> {
    if (ids.length === 0) return [];
    // Else Solr would put its own parameters in place of `${...}` in a path.
    const form = new URLSearchParams({ wt: "json", expandMacros: "false" });
    if (fields !== undefined) form.set("fl", fields.join(","));
    for (const id of ids) form.append("id", id);
    const asked = shards ?? this.http.topology.shards[this.name] ?? [];
    if (asked.length > 0) {
      form.set("shards", asked.join(","));
      form.set("shards.preference", "replica.leader:true");
    }
    const { text } = await this.http.send({ ...options, path: `${this.#path("get")}?${form}` });
    const { doc, response } = parseWithVersions(text) as GetAnswer<T>;
    return response?.docs ?? (doc ? [doc] : []);
  }

  /**
   * Adds documents or does what commands say.
   *
   * @param body JSON of documents or of commands
   */
  async update(
    body: string | Uint8Array,
    parameters: Readonly<Record<string, string>> = {},
    options: CallOptions = {},
  ): Promise<SolrReply> {
    const path = `${this.#path("update")}?${new URLSearchParams({ wt: "json", ...parameters })}`;
    return this.http.send({ ...options, method: "POST", path, body, headers: JSON_BODY });
  }

  /** The same for what it can be done for, also where others are refused. @returns those that are refused */
  async updateTolerantly(
    body: string | Uint8Array,
    options: CallOptions = {},
  ): Promise<readonly UpdateError[]> {
    const { text } = await this.update(body, { "update.chain": "tolerant" }, options);
    const { responseHeader } = readAnswer<{
      responseHeader: { errors?: readonly UpdateError[] };
    }>(text);
    return responseHeader.errors ?? [];
  }

  /** Deletes documents by their keys. */
  async delete(ids: readonly string[], options: CallOptions = {}): Promise<void> {
    await this.update(JSON.stringify({ delete: ids }), {}, { ...options, idempotent: true });
  }

  /**
   * Deletes documents that are still in the versions they were seen in. Which shard a document lies in does not follow
   * from its key, so all shards are told, and those that do not have it say so: that is no refusal.
   *
   * @param versions of documents, by their keys
   * @returns those that stay, as they have another version by now, and what else was refused
   */
  async deleteVersions(
    versions: ReadonlyMap<string, string>,
    options: CallOptions = {},
  ): Promise<readonly UpdateError[]> {
    if (versions.size === 0) return [];
    const commands = [...versions].map(
      ([id, version]) => `"delete":{"id":${JSON.stringify(id)},"_version_":${version}}`,
    );
    const errors = await this.updateTolerantly(`{${commands.join(",")}}`, options);
    // Each once: a node that leads no shard of the collection tells of a refusal twice.
    const stay = errors.filter(({ message }) => !isAbsent(message));
    return [...new Map(stay.map((error) => [error.id, error])).values()];
  }

  /** Deletes all documents that a query finds, in the language of the lucene parser. */
  async deleteFound(query: string, options: CallOptions = {}): Promise<void> {
    const body = JSON.stringify({ delete: { query } });
    await this.update(body, { expandMacros: "false" }, { ...options, idempotent: true });
  }

  /** What `readExport` asks: all that is found, by one shard alone. @param openTimeoutMs see SolrRequest */
  exportRequest(parameters: URLSearchParams, openTimeoutMs: number): SolrRequest {
    return { path: `${this.#path("export")}?${parameters}`, openTimeoutMs };
  }

  /** What `readStream` asks: a streaming expression, over all shards. */
  streamRequest(expression: string, openTimeoutMs: number): SolrRequest {
    const body = new URLSearchParams({ expr: expression }).toString();
    return { method: "POST", path: this.#path("stream"), body, headers: FORM_BODY, openTimeoutMs };
  }

  #path(handler: SolrHandler): string {
    return handlerPath(this.name, handler);
  }
}

interface GetAnswer<T> {
  /** For one key. */
  readonly doc?: T | null;
  /** For several. */
  readonly response?: { readonly docs: readonly T[] };
}

/** solr-node's types speak of its own transport's answers; ours are what the seam returns. */
function reply(value: unknown): SolrReply {
  return value as SolrReply;
}
