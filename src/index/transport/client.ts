/**
 * Requests to one collection of Solr.
 *
 * solr-node makes the requests of select and commit. Its transport is replaced by overriding `_callSolrServer`, for the reasons in
 * http.ts. It lacks the other requests, which are made here.
 */
import SolrNode from "solr-node";
import { answeringReplicas, EMPTY_QUERY, NAMED_REPLICAS } from "../collections/shards.js";
import { handlerPath, type SolrHandler } from "./endpoint.js";
import { LEADERS_FIRST, type SolrHttp, type SolrReply } from "./http.js";
import { parseWithVersions, readAnswer } from "./json-response.js";

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds; by default the deadline of the transport. */
  readonly timeoutMs?: number;
  /** See SolrRequest. */
  readonly idempotent?: boolean;
  /** See SolrRequest. */
  readonly maxBytes?: number;
  /** See SolrRequest. */
  readonly replica?: string | undefined;
}

interface SolrNodeInit {
  readonly method: "GET" | "POST";
  readonly body?: string;
  readonly headers: Record<string, string>;
}

/** The beginning of solr-node's addresses. */
const SOLR_ROOT = "/solr/";

class Call extends SolrNode {
  readonly #http: SolrHttp;
  readonly #options: CallOptions;

  constructor(http: SolrHttp, collection: string, options: CallOptions) {
    super({ core: collection });
    this.#http = http;
    this.#options = options;
  }

  /** Overrides solr-node's host: the transport chooses the node. */
  _makeHostUrl(): string {
    return "";
  }

  /** Overrides solr-node's transport, which takes an address, here below `/solr/`, and the options of fetch. */
  _callSolrServer(address: string, { method, body = "", headers }: SolrNodeInit) {
    const path = address.slice(SOLR_ROOT.length);
    if (method === "GET") return this.#http.send({ ...this.#options, path });
    return this.#http.send({ ...this.#options, path, method, body, headers });
  }
}

/** A document that a tolerant update refused. */
export interface UpdateError {
  readonly id: string;
  readonly message: string;
}

/** Whether a message is about a document that does not exist, or was deleted (a negative version is that of a deletion). */
const isAbsent = (message: string): boolean =>
  message.includes("version conflict for ") && / actual=-\d{1,20}$/.test(message);

const JSON_BODY = { "Content-Type": "application/json" };

/** Requests to one collection. Each throws what SolrHttp.send throws. */
export class SolrCollection {
  constructor(
    readonly http: SolrHttp,
    readonly name: string,
  ) {}

  /**
   * Whether an update of several documents may be acknowledged and lose some of them. A node that leads no shard of them forwards
   * them in one stream. If that breaks off, it sends only the first one again (SolrCmdDistributor, StreamingSolrClients); and a
   * tolerant update omits an error that names no document (TolerantUpdateProcessor.finish).
   */
  get mayLose(): boolean {
    return this.http.hasSeveralNodes || this.http.topology.cloud;
  }

  #call(options: CallOptions): Call {
    return new Call(this.http, this.name, options);
  }

  /** Sends the parameters to `/select`. The answer's text is Solr's JSON. */
  async select(
    parameters: URLSearchParams | string,
    options: CallOptions = {},
  ): Promise<SolrReply> {
    return reply(await this.#call(options).search(parameters.toString()));
  }

  /**
   * The version of the searcher that answers; another one has another version. Its open time is a part, because after a crash
   * Solr counts on from the last commit, and its entity tag, because each core counts for itself.
   */
  async searcherVersion(options: CallOptions = {}): Promise<string> {
    const path = `${this.#path("admin/luke")}?show=index&distrib=false&wt=json&indent=off`;
    const { text, etag, lastModified } = await this.http.send({ ...options, path });
    const { index } = readAnswer<{ index: { version: number } }>(text);
    return `${index.version} ${lastModified} ${etag}`;
  }

  /** The address of a replica of each shard, which has just answered. @param more parameters of the search */
  async replicas(
    options: CallOptions,
    more: Readonly<Record<string, string>> = {},
  ): Promise<readonly string[]> {
    const parameters = new URLSearchParams({ ...EMPTY_QUERY, ...NAMED_REPLICAS, ...more });
    const { text } = await this.select(parameters, options);
    return answeringReplicas(readAnswer(text));
  }

  /** Writes additions and deletions to disk, on every replica, and does not make them visible. */
  async writeToDisk(options: CallOptions = {}): Promise<void> {
    const parameters = { commit: "true", openSearcher: "false" };
    await this.update("{}", parameters, { ...options, idempotent: true });
  }

  /**
   * Makes additions and deletions visible and, unless `soft`, durable. In a SolrCloud always durable: the update log of a node
   * that has just started does not reach a replica that copies its index then (SOLR-13486).
   */
  async commit(soft: boolean, options: CallOptions = {}): Promise<void> {
    const call = this.#call({ ...options, idempotent: true });
    await (soft && !this.http.topology.cloud ? call.softCommit() : call.commit());
  }

  /**
   * Documents by their keys, including uncommitted ones (real-time get); `_version_` as text.
   *
   * Documents are placed in shards by their dataset, not by their key, so the request goes to the leader of every shard, because
   * another replica may not have a document yet for which the leader already refused an update.
   *
   * @param fields by default all
   */
  async get<T>(
    ids: readonly string[],
    fields?: readonly string[],
    options: CallOptions = {},
  ): Promise<readonly T[]> {
    if (ids.length === 0) return [];
    // Solr would otherwise expand `${...}` in a path.
    const form = new URLSearchParams({ wt: "json", expandMacros: "false" });
    if (fields !== undefined) form.set("fl", fields.join(","));
    for (const id of ids) form.append("id", id);
    const shards = this.http.topology.shards[this.name] ?? [];
    if (shards.length > 0) {
      form.set("shards", shards.join(","));
      form.set("shards.preference", LEADERS_FIRST);
    }
    const { text } = await this.http.send({ ...options, path: `${this.#path("get")}?${form}` });
    const { doc, response } = parseWithVersions(text) as GetAnswer<T>;
    return response?.docs ?? (doc ? [doc] : []);
  }

  /** Adds documents, or executes commands. */
  async update(
    body: string | Uint8Array,
    parameters: Readonly<Record<string, string>> = {},
    options: CallOptions = {},
  ): Promise<SolrReply> {
    const path = `${this.#path("update")}?${new URLSearchParams({ wt: "json", ...parameters })}`;
    return this.http.send({ ...options, method: "POST", path, body, headers: JSON_BODY });
  }

  /** The same, but documents that are refused do not stop the others. @returns the refused documents */
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
   * Deletes documents that still have the given versions. The key of a document does not determine its shard, so all shards
   * get the command. Shards without the document report that it is absent, which is not a refusal.
   *
   * @param versions by the documents' keys
   * @returns the documents that have another version by now, and other refusals
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
    // A node that leads no shard of the collection reports a refusal twice.
    const stay = errors.filter(({ message }) => !isAbsent(message));
    return [...new Map(stay.map((error) => [error.id, error])).values()];
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

/** solr-node's types describe the answers of its own transport. `_callSolrServer` returns ours. */
function reply(value: unknown): SolrReply {
  return value as SolrReply;
}
