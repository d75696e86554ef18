/** The index, as the rest of the service sees it: count, export, check. */
import type { Search } from "../query/search.js";
import type { CountedField } from "../vocabulary/facets.js";
import { SolrCollection } from "./client.js";
import type { SolrTopology } from "./collections.js";
import type { SolrEndpoint } from "./endpoint.js";
import {
  type DocumentBatches,
  readExport,
  readStream,
  type SolrDocument,
  streamExpression,
} from "./export.js";
import { FacetCounter, type FacetCounts, searchParameters } from "./facets.js";
import { SolrHttp } from "./http.js";
import { publicFiles } from "./public-files.js";
import { SolrState } from "./state.js";
import { refuseReplaying } from "./update-log.js";
import { UserDocuments } from "./user-documents.js";

export interface ExportOptions {
  /**
   * Fields of the schema with docValues; one at least is in every document that is found. Documents
   * may come with their `file` besides.
   */
  readonly fields: readonly string[];
  /** How many of the first results to leave out. */
  readonly start: number;
  readonly signal?: AbortSignal | undefined;
}

/** Results are in this order, everywhere (search-semantics, "Filters"). */
const ORDER = "file desc";

export class Solr {
  readonly http: SolrHttp;
  /** What the service remembers between requests. */
  readonly state: SolrState;
  readonly userDocuments: UserDocuments;
  readonly #counter: FacetCounter;
  readonly #topology: SolrTopology;

  /** @param isUp whether Solr may be asked; while it may not, everything is SolrUnavailable */
  constructor(
    endpoint: SolrEndpoint,
    timeoutMs: number,
    topology: SolrTopology,
    isUp?: () => boolean,
  ) {
    this.http = new SolrHttp(endpoint, timeoutMs, isUp);
    this.#topology = topology;
    this.state = new SolrState(this.http);
    this.userDocuments = new UserDocuments(this.http);
    // In SolrCloud an entity tag speaks of the one replica that happened to answer.
    this.#counter = new FacetCounter(this.http, !topology.cloud);
  }

  /**
   * Searches both collections, in all of their shards: a ping would ask one core alone.
   *
   * @throws SolrUnavailable, SolrTimeout when they cannot be searched, or do not show everything yet
   */
  async check(signal?: AbortSignal): Promise<void> {
    const collections = ["latest", "files"] as const;
    await Promise.all(
      collections.map((collection) => this.count({ collection, filters: [] }, signal)),
    );
    await refuseReplaying(this.http, collections, signal);
  }

  /** How many documents are found, and how many of them have each value of the facets. */
  countFacets(
    search: Search,
    { facets, signal }: { facets: readonly CountedField[]; signal?: AbortSignal },
  ): Promise<FacetCounts> {
    return this.#counter.count(search, facets, signal);
  }

  /** How many documents are found. */
  async count(search: Search, signal?: AbortSignal): Promise<number> {
    return (await this.#select(search, { rows: "0" }, signal)).numFound;
  }

  /**
   * Documents whose `file` has one of the digests, with `file`, `uri`, `user` and `owner`; committed ones only.
   *
   * @param digests hexadecimal, so that nothing in them has a meaning to Solr
   */
  async byDigest(digests: readonly string[], signal?: AbortSignal): Promise<SolrDocument[]> {
    if (digests.length === 0) return [];
    const filters = [`{!terms f=file_digest cache=false}${digests.join(",")}`];
    const page = { fl: "file,uri,user,owner", rows: "10" };
    return (await this.#select({ collection: "files", filters }, page, signal)).docs;
  }

  /** Whose user data a search finds, and how many documents there are. @param most that are given */
  async claims(
    search: Search,
    most: number,
    signal?: AbortSignal,
  ): Promise<{ readonly count: number; readonly documents: SolrDocument[] }> {
    const page = { fl: "file,user,owner", rows: String(most) };
    const { numFound, docs } = await this.#select(search, page, signal);
    return { count: numFound, documents: docs };
  }

  /** Those of the files that are public data of the index. @throws SolrUnavailable, SolrTimeout */
  publicFiles(files: readonly string[]): Promise<ReadonlySet<string>> {
    return publicFiles(this.http, files);
  }

  /**
   * Every document that is found, in batches, in the order of results. What fails at the start
   * fails here; what fails later fails the iteration.
   */
  async export(search: Search, options: ExportOptions): Promise<DocumentBatches> {
    const parameters = searchParameters(search);
    parameters.set("sort", ORDER);
    parameters.set("fl", options.fields.join(","));
    const shards = this.#topology.shards[search.collection] ?? 1;
    const batches =
      shards > 1
        ? await this.#exportShards(search, parameters, options)
        : await this.#exportShard(search, parameters, options);
    return await started(batches);
  }

  async #exportShard(
    search: Search,
    parameters: URLSearchParams,
    { start, signal }: ExportOptions,
  ): Promise<AsyncGenerator<readonly SolrDocument[], void, undefined>> {
    if (start > 0) {
      const first = await this.#fileAt(search, start, signal);
      if (first === undefined) return nothing();
      parameters.append("fq", "{!frange u=$first cache=false}file");
      parameters.set("first", first);
    }
    return readExport(this.http, { path: `${search.collection}/export?${parameters}`, signal });
  }

  async #exportShards(
    search: Search,
    parameters: URLSearchParams,
    { fields, start, signal }: ExportOptions,
  ): Promise<AsyncGenerator<readonly SolrDocument[], void, undefined>> {
    const found = await this.count(search, signal);
    // The shards' documents are merged by what they are sorted by.
    parameters.set("fl", [...new Set([...fields, "file"])].join(","));
    const request = {
      method: "POST" as const,
      path: `${search.collection}/stream`,
      body: new URLSearchParams({
        expr: streamExpression(search.collection, parameters),
      }).toString(),
      headers: { "Content-Type": "application/x-www-form-urlencoded" },
      signal,
    };
    // Ordinals differ between shards, so the first ones are read and dropped.
    return without(start, readStream(this.http, request, found));
  }

  /**
   * The `file` of the result at a position, so that an export can begin there: /export itself has
   * no offset. Sorted by the ordinal of `file`, which is the same order: to sort by `file` at this
   * depth, Solr would copy every key that it passes, five times as slow.
   */
  async #fileAt(
    search: Search,
    position: number,
    signal: AbortSignal | undefined,
  ): Promise<string | undefined> {
    const sort = ORDER.replace("file", "ord(file)");
    const page = { sort, fl: "file", start: String(position), rows: "1" };
    const { docs } = await this.#select(search, page, signal);
    return docs[0]?.file as string | undefined;
  }

  async #select(
    search: Search,
    more: Readonly<Record<string, string>>,
    signal: AbortSignal | undefined,
  ): Promise<{ numFound: number; docs: SolrDocument[] }> {
    const parameters = searchParameters(search);
    for (const [name, value] of Object.entries(more)) parameters.set(name, value);
    const collection = new SolrCollection(this.http, search.collection);
    const { text } = await collection.select(parameters, { signal });
    const { response } = JSON.parse(text) as {
      response: { numFound: number; docs: SolrDocument[] };
    };
    return response;
  }
}

async function* nothing(): AsyncGenerator<readonly SolrDocument[]> {}

/** Batches without their first `count` documents. */
async function* without(
  count: number,
  batches: AsyncGenerator<readonly SolrDocument[], void, undefined>,
): AsyncGenerator<readonly SolrDocument[], void, undefined> {
  let left = count;
  for await (const documents of batches) {
    const rest = left > 0 ? documents.slice(left) : documents;
    left -= documents.length - rest.length;
    if (rest.length > 0) yield rest;
  }
}

/** The same batches, once the first has arrived: an error before it is still a status. */
async function started(
  batches: AsyncGenerator<readonly SolrDocument[], void, undefined>,
): Promise<DocumentBatches> {
  const first = await batches.next();
  return {
    [Symbol.asyncIterator]: async function* () {
      try {
        if (first.done) return;
        yield first.value;
        yield* batches;
      } finally {
        await batches.return();
      }
    },
  };
}
