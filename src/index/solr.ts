/** The index, as the rest of the service sees it: count, export, check. */
import type { Choices } from "../domain/aggregation/choices.js";
import type { DatasetFacts } from "../domain/aggregation/datasets.js";
import type { GroupQuestion } from "../domain/completeness/group-query.js";
import type { Groups } from "../domain/completeness/groups.js";
import type { Search } from "../domain/search/search.js";
import type { CountedField } from "../domain/vocabulary/facets.js";
import type { FairSemaphore } from "../platform/fair-semaphore.js";
import { CATALOGUE } from "./collections/configset.js";
import { KnownShards } from "./collections/shard-topology.js";
import { isSharded, type SolrTopology } from "./collections/shards.js";
import { refuseReplaying, requireReplayed } from "./collections/update-log.js";
import type { SolrDocument } from "./export/export.js";
import { type Export, type ExportOptions, Exports, type PACE } from "./export/export-admission.js";
import { EXTENT, type Extent, Stretches } from "./export/key-range-partitions.js";
import { KnownSizes } from "./query/cardinality-cache.js";
import { type Breakdown, Breakdowns, type Question } from "./query/facet-aggregations.js";
import { FacetCounter, type FacetCounts, type Page, type PagePart } from "./query/facets.js";
import { GroupSearches } from "./query/group-searches.js";
import { EntityTags } from "./query/index-versions.js";
import { type SearchClient, Searches, solrSemaphore } from "./query/query-admission.js";
import { ShardVersions } from "./query/shard-versions.js";
import { KnownValues } from "./query/value-cache.js";
import { SolrState } from "./state/solr-state-store.js";
import type { SolrEndpoint } from "./transport/endpoint.js";
import { SolrHttp } from "./transport/http.js";
import { publicFiles } from "./user-data/public-files.js";
import { SolrUserCollection } from "./user-data/user-collection.js";
import { UserDocuments } from "./user-data/user-documents.js";

/** How much Solr is asked at once. */
export interface SolrLoad {
  /** Searches and counts that run at a time. */
  readonly searches: number;
  /** Lists that are open at a time; each holds some 20 MB of Solr's heap. */
  readonly exports: number;
  /** Requests that may wait for a permit: for lists, for searches, and for heavy questions each. */
  readonly waiting: number;
  /** Milliseconds that a request may wait for a permit. */
  readonly patience: number;
  /** How long a list may keep its permit. */
  readonly pace?: typeof PACE;
  /** From which size a collection is read in stretches. */
  readonly extent?: Extent;
}

export const USUAL_LOAD: SolrLoad = { searches: 16, exports: 8, waiting: 256, patience: 20_000 };

/** Heavy questions that Solr works on at a time: each may take a good part of its heap. */
const HEAVY = 2;

export class Solr {
  readonly http: SolrHttp;
  /** What the service remembers between requests. */
  readonly state: SolrState;
  readonly userDocuments: UserDocuments;
  /** Which values there are. */
  readonly values: KnownValues;
  readonly #shards: KnownShards;
  readonly #counter: FacetCounter;
  readonly #breakdowns: Breakdowns;
  readonly #groups: GroupSearches<Groups>;
  readonly #datasets: GroupSearches<DatasetFacts>;
  readonly #searches: Searches;
  readonly #heavy: Searches;
  readonly #sizes: KnownSizes;
  readonly #exports: Exports;
  readonly #admission: Readonly<Record<"searches" | "lists" | "heavy", FairSemaphore>>;

  /** @param isUp whether Solr may be asked; while it may not, everything is SolrUnavailable */
  constructor(
    endpoint: SolrEndpoint,
    timeoutMs: number,
    topology: SolrTopology,
    isUp?: () => boolean,
    { searches, exports, waiting, patience, pace, extent = EXTENT }: SolrLoad = USUAL_LOAD,
  ) {
    this.http = new SolrHttp(endpoint, timeoutMs, isUp);
    this.#shards = new KnownShards(topology);
    this.http.topology = this.#shards;
    this.#admission = {
      searches: solrSemaphore(searches, waiting, patience),
      lists: solrSemaphore(exports, waiting, patience),
      heavy: solrSemaphore(HEAVY, waiting, patience),
    };
    this.#searches = new Searches(this.http, this.#admission.searches);
    this.#heavy = new Searches(this.http, this.#admission.heavy);
    this.#sizes = new KnownSizes(this.http);
    this.values = new KnownValues(this.http, this.#searches);
    const stretches = new Stretches(this.http, this.#shards, this.#searches, extent);
    const { lists } = this.#admission;
    this.#exports = new Exports(this.http, this.#shards, this.#searches, stretches, lists, pace);
    this.state = new SolrState(this.http);
    this.userDocuments = new UserDocuments({
      files: new SolrUserCollection(this.http, "files"),
      latest: new SolrUserCollection(this.http, "latest"),
      ready: () => requireReplayed(this.http, CATALOGUE),
    });
    // In SolrCloud an entity tag speaks of the one replica that happened to answer.
    const versions = topology.cloud ? new ShardVersions() : new EntityTags();
    this.#counter = new FacetCounter(this.http, versions);
    this.#breakdowns = new Breakdowns(this.http, versions);
    this.#groups = new GroupSearches(this.http, this.#shards, versions);
    this.#datasets = new GroupSearches(this.http, this.#shards, versions);
  }

  /** Permits and waiting requests, and the hits of the caches. */
  get usage() {
    const { searches, lists, heavy } = this.#admission;
    return {
      admission: { searches: searches.usage, lists: lists.usage, heavy: heavy.usage },
      facetCounts: this.#counter.kept,
      pages: this.#counter.keptPages,
      breakdowns: this.#breakdowns.kept,
      groups: this.#groups.kept,
      datasets: this.#datasets.kept,
    } as const;
  }

  /** From now on shards that are split or made anew are known. @returns what ends that */
  followShards(): () => void {
    return this.#shards.follow(this.http);
  }

  /**
   * Searches both collections, in all of their shards: a ping would ask one core alone.
   *
   * @returns how many documents `files` has
   * @throws SolrUnavailable, SolrTimeout when they cannot be searched, or do not show everything yet
   */
  async check(signal?: AbortSignal): Promise<number> {
    const collections = ["latest", "files"] as const;
    const [, files] = await Promise.all(
      collections.map((collection) =>
        this.#searches.selectAtOnce({ collection, filters: [] }, { rows: "0" }, { signal }),
      ),
    );
    await refuseReplaying(this.http, collections, signal);
    return files?.numFound ?? 0;
  }

  /** How many documents are found, and how many have each value of the facets. */
  countFacets(
    search: Search | Choices,
    { facets, ...client }: { facets: readonly CountedField[] } & SearchClient,
  ): Promise<FacetCounts> {
    return this.#searches.withPermit(client, (options) =>
      this.#counter.count(search, facets, options),
    );
  }

  /** A piece of what is found, and the counts of all of it. @throws as a search */
  page(
    search: Search,
    { facets, part, ...client }: { facets: readonly CountedField[]; part: PagePart } & SearchClient,
  ): Promise<Page> {
    return this.#searches.withPermit(client, (options) =>
      this.#counter.page(search, facets, part, options),
    );
  }

  /** Numbers about what is found. @throws as a search; AnswerTooLong */
  breakDown(question: Question, client: SearchClient): Promise<Breakdown> {
    const searches = question.isHeavy ? this.#heavy : this.#searches;
    return searches.withPermit(client, (options) => this.#breakdowns.ask(question, options));
  }

  /** Which groups of what is found are complete. @throws as a search; TooManyResults */
  completeGroups(question: GroupQuestion, client: SearchClient): Promise<Groups> {
    return this.#heavy.withPermit(client, (options) => this.#groups.ask(question, options));
  }

  /**
   * What the files of datasets say of them.
   *
   * @param isHeavy where these are very many: as Question
   * @throws as completeGroups
   */
  datasets(
    question: GroupQuestion<DatasetFacts>,
    { isHeavy, ...client }: { isHeavy: boolean } & SearchClient,
  ): Promise<DatasetFacts> {
    const searches = isHeavy ? this.#heavy : this.#searches;
    return searches.withPermit(client, (options) => this.#datasets.ask(question, options));
  }

  /** Of fields how many values there are, about: see KnownSizes. */
  sizes(
    population: Search,
    fields: readonly string[],
    client: SearchClient,
  ): Promise<Readonly<Record<string, number>>> {
    return this.#sizes.of(population, fields, (work) => this.#searches.withPermit(client, work));
  }

  /** Whether a collection is more than one index. */
  isSharded(collection: string): boolean {
    return isSharded(this.#shards, collection);
  }

  /** How many documents are found. */
  async count(search: Search, client: SearchClient = {}): Promise<number> {
    return (await this.#searches.select(search, { rows: "0" }, client)).numFound;
  }

  /**
   * Documents whose `file` has one of the digests, with `file`, `uri`, `user` and `owner`; committed ones only.
   *
   * @param digests hexadecimal, so that nothing in them has a meaning to Solr
   */
  async byDigest(
    digests: readonly string[],
    signal: AbortSignal | undefined,
    fields: readonly string[],
  ): Promise<SolrDocument[]> {
    if (digests.length === 0) return [];
    const filters = [`{!terms f=file_digest cache=false}${digests.join(",")}`];
    const page = { fl: fields.join(","), rows: "10" };
    const search = { collection: "files", filters } as const;
    return (await this.#searches.selectAtOnce(search, page, { signal })).docs;
  }

  /** Whose user data a search finds, and how many documents there are. @param most that are given */
  async claims(
    search: Search,
    most: number,
    signal?: AbortSignal,
  ): Promise<{ readonly count: number; readonly documents: SolrDocument[] }> {
    const page = { fl: "file,user,owner", rows: String(most) };
    const { numFound, docs } = await this.#searches.selectAtOnce(search, page, { signal });
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
  export(search: Search, options: ExportOptions): Promise<Export> {
    return this.#exports.export(search, options);
  }
}
