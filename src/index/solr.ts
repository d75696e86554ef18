/** The interface of the index for the rest of the service: search, count, export, check. */
import type { FacetCountSearch } from "../domain/aggregation/counted-facets.js";
import type { DatasetFacts } from "../domain/aggregation/datasets.js";
import type { ScanQuery } from "../domain/completeness/group-query.js";
import type { Groups } from "../domain/completeness/groups.js";
import type { Search } from "../domain/search/search.js";
import type { AllItemFacts } from "../domain/stac/item-facts.js";
import type { SortedItems } from "../domain/stac/sorted-items.js";
import type { CountedField } from "../domain/vocabulary/facets.js";
import type { FairSemaphore } from "../platform/concurrency/fair-semaphore.js";
import { batchesOf } from "../platform/concurrency/time-slices.js";
import { FILES } from "./collections/configset.js";
import { ShardTopology } from "./collections/shard-topology.js";
import { isSharded, type SolrTopology } from "./collections/shards.js";
import { refuseReplaying } from "./collections/update-log.js";
import type { SolrDocument } from "./export/document-batch.js";
import { type Export, Exports, type PACE } from "./export/export-admission.js";
import { KeyRangePartitions, type PartitionSizes } from "./export/key-range-partitions.js";
import { type ExportOptions, Segments } from "./export/segments.js";
import {
  type FacetAggregation,
  FacetAggregations,
  type FacetQuery,
} from "./query/facet-aggregations.js";
import { FacetCounter, type FacetCounts, type Page, type PagePart } from "./query/facets.js";
import { GroupSearches } from "./query/group-searches.js";
import { IndexVersions } from "./query/index-versions.js";
import { type SearchClient, Searches, solrSemaphore } from "./query/query-admission.js";
import type { Validity } from "./query/query-cache.js";
import { SolrState } from "./state/solr-state-store.js";
import { SolrCollection } from "./transport/client.js";
import type { SolrEndpoint } from "./transport/endpoint.js";
import { SolrHttp } from "./transport/http.js";
import { SolrUserCollection } from "./user-data/user-collection.js";
import { UserDocuments } from "./user-data/user-documents.js";

/** Limits of concurrent requests to Solr. */
export interface SolrLoad {
  /** Concurrent searches and counts. */
  readonly searches: number;
  /** Concurrent lists. Each takes about 20 MB of Solr's heap. */
  readonly exports: number;
  /** Concurrent heavy queries. Each may take a large part of Solr's heap. */
  readonly heavy: number;
  /** Requests that may wait for a permit: for lists, for searches and for heavy queries each. */
  readonly waiting: number;
  /** Milliseconds that a request may wait for a permit. */
  readonly maxWaitMs: number;
  /** Time that a list may keep its permit. */
  readonly pace?: typeof PACE;
  /** The sizes from which, and in which, lists are read in key ranges. */
  readonly partitions?: PartitionSizes;
}

export const USUAL_LOAD: SolrLoad = {
  searches: 16,
  exports: 8,
  heavy: 2,
  waiting: 256,
  maxWaitMs: 20_000,
};

/** What `scan` can find. */
interface Scans {
  /** The complete groups. */
  readonly groups: Groups;
  readonly datasets: DatasetFacts;
  /** For STAC items. */
  readonly items: AllItemFacts;
  /** The datasets in the order of properties. */
  readonly sortedItems: SortedItems;
}

/** Files in one request for public files. */
const PUBLIC_BATCH = 1000;

export class Solr {
  readonly http: SolrHttp;
  /** The state store. */
  readonly state: SolrState;
  readonly userDocuments: UserDocuments;
  readonly #shards: ShardTopology;
  readonly #counter: FacetCounter;
  readonly #aggregations: FacetAggregations;
  readonly #scans: { readonly [K in keyof Scans]: GroupSearches<Scans[K]> };
  readonly #searches: Searches;
  readonly #heavy: Searches;
  readonly #exports: Exports;
  readonly #admission: Readonly<Record<"searches" | "lists" | "heavy", FairSemaphore>>;

  constructor(
    endpoint: SolrEndpoint,
    timeoutMs: number,
    topology: SolrTopology,
    isUp?: () => boolean,
    load: SolrLoad = USUAL_LOAD,
  ) {
    this.http = new SolrHttp(endpoint, timeoutMs, isUp);
    this.#shards = new ShardTopology(topology);
    this.http.topology = this.#shards;
    const semaphore = (permits: number) => solrSemaphore(permits, load.waiting, load.maxWaitMs);
    this.#admission = {
      searches: semaphore(load.searches),
      lists: semaphore(load.exports),
      heavy: semaphore(load.heavy),
    };
    this.#searches = new Searches(this.http, this.#admission.searches);
    this.#heavy = new Searches(this.http, this.#admission.heavy);
    const { http } = this;
    const partitions = new KeyRangePartitions(http, this.#searches, load.partitions);
    const segments = new Segments(http, this.#searches, partitions);
    this.#exports = new Exports(http, segments, this.#admission.lists, load.pace);
    this.state = new SolrState(this.http);
    this.userDocuments = new UserDocuments(new SolrUserCollection(this.http));
    const versions = new IndexVersions(new SolrCollection(this.http, FILES));
    this.#counter = new FacetCounter(versions);
    this.#aggregations = new FacetAggregations(versions);
    this.#scans = {
      groups: new GroupSearches(versions),
      datasets: new GroupSearches(versions),
      items: new GroupSearches(versions),
      sortedItems: new GroupSearches(versions),
    };
  }

  /** Permits and waiting requests, and the hits of the caches. */
  get usage() {
    const { searches, lists, heavy } = this.#admission;
    return {
      admission: { searches: searches.usage, lists: lists.usage, heavy: heavy.usage },
      facetCounts: this.#counter.counts.usage,
      pages: this.#counter.pages.usage,
      breakdowns: this.#aggregations.cache.usage,
      groups: this.#scans.groups.cache.usage,
      datasets: this.#scans.datasets.cache.usage,
    } as const;
  }

  /** Starts to follow changes of shards. @returns a function that ends it */
  followShards(): () => void {
    return this.#shards.follow(this.http);
  }

  /**
   * Checks the index by a search of all shards. A ping would only test one core.
   *
   * @returns the number of documents
   * @throws SolrUnavailable, SolrTimeout if it cannot be searched, or replays its update log
   */
  async check(signal?: AbortSignal): Promise<number> {
    const found = await this.#searches.selectAtOnce({ filters: [] }, { rows: "0" }, { signal });
    await refuseReplaying(this.http, signal);
    return found.numFound;
  }

  /** The number of documents of a search, and of each facet value. */
  countFacets(
    search: Search | FacetCountSearch,
    { facets, ...client }: { facets: readonly CountedField[] } & SearchClient,
  ): Promise<FacetCounts> {
    return this.#searches.withPermit(client, (options) =>
      this.#counter.count(search, facets, options),
    );
  }

  /** How long counts of `countFacets` stay right; undefined if that is unknown. */
  validityOf(found: FacetCounts): Validity | undefined {
    return this.#counter.counts.validityOf(found);
  }

  /** A part of the results, with the counts of all results. */
  page(
    search: Search,
    { facets, part, ...client }: { facets: readonly CountedField[]; part: PagePart } & SearchClient,
  ): Promise<Page> {
    return this.#searches.withPermit(client, (options) =>
      this.#counter.page(search, facets, part, options),
    );
  }

  /** Aggregations over the results. */
  aggregateFacets(question: FacetQuery, client: SearchClient): Promise<FacetAggregation> {
    const searches = question.isHeavy ? this.#heavy : this.#searches;
    return searches.withPermit(client, (options) => this.#aggregations.ask(question, options));
  }

  /** Facts about groups of files from all documents of a search. */
  scan<K extends keyof Scans>(
    facts: K,
    question: ScanQuery<Scans[K]>,
    { isHeavy = true, ...client }: { isHeavy?: boolean } & SearchClient,
  ): Promise<Scans[K]> {
    const searches = isHeavy ? this.#heavy : this.#searches;
    return searches.withPermit(client, (options) => this.#scans[facts].ask(question, options));
  }

  /** Whether the index has more than one shard. */
  get isSharded(): boolean {
    return isSharded(this.#shards, FILES);
  }

  /** The number of documents of a search. */
  count(search: Search, client: SearchClient = {}): Promise<number> {
    return this.#searches.count(search, client);
  }

  /**
   * The committed documents whose `file` has one of the digests.
   *
   * @param digests hexadecimal, so that Solr's query syntax does not apply to them
   * @param within filters that the documents match as well
   */
  async byDigest(
    digests: readonly string[],
    signal: AbortSignal | undefined,
    fields: readonly string[],
    within: readonly string[] = [],
  ): Promise<SolrDocument[]> {
    if (digests.length === 0) return [];
    const filters = [`{!terms f=file_digest cache=false}${digests.join(",")}`, ...within];
    const page = { fl: fields.join(","), rows: String(10 * digests.length) };
    return (await this.#searches.selectAtOnce({ filters }, page, { signal })).docs;
  }

  /** The owners of the user data of a search, and the number of documents. */
  async claims(
    search: Search,
    most: number,
    signal?: AbortSignal,
  ): Promise<{ readonly count: number; readonly documents: SolrDocument[] }> {
    const page = { fl: "file,user,owner", rows: String(most) };
    const { numFound, docs } = await this.#searches.selectAtOnce(search, page, { signal });
    return { count: numFound, documents: docs };
  }

  /** The files that are in the index and have no owner, including uncommitted ones. */
  async publicFiles(files: readonly string[]): Promise<ReadonlySet<string>> {
    const collection = new SolrCollection(this.http, FILES);
    const known = new Set<string>();
    for (const batch of batchesOf(files, PUBLIC_BATCH)) {
      const found = await collection.get<SolrDocument>(batch, ["file", "owner", "user"]);
      for (const { file, owner, user } of found) {
        if (owner === undefined && user === undefined) known.add(String(file));
      }
    }
    return known;
  }

  /**
   * All documents of a search, in batches, in the order of results. Errors at the start are thrown here, later ones by the
   * iteration.
   */
  export(search: Search, options: ExportOptions): Promise<Export> {
    return this.#exports.export(search, options);
  }
}
