/** Where a list comes from: all of it, or what is left of it behind a file, of one shard or of several. */
import type { Search } from "../../domain/search/search.js";
import { isSharded, type SolrTopology } from "../collections/shards.js";
import { searchParameters } from "../query/facets.js";
import { lingering, type SearchClient, type Searches } from "../query/query-admission.js";
import { SolrCollection } from "../transport/client.js";
import type { SolrHttp } from "../transport/http.js";
import { without } from "./batches.js";
import { type Begin, beginning, ORDER } from "./cursor.js";
import { readExport, readStream, type SolrDocument } from "./export.js";
import type { Stretch, Stretches } from "./key-range-partitions.js";
import { streamRequest } from "./shard-stream.js";
import { hasOddOrder } from "./utf8-order.js";

export type Batches = AsyncGenerator<readonly SolrDocument[], void, undefined>;

/** What is read in one piece, as long as nothing breaks: a stretch of what is found, or all of it. */
export interface PlannedStretch {
  readonly search: Search;
  /** How many of its results to leave out. */
  readonly start: number;
}

/** What is left of a stretch from somewhere on. */
export interface Part {
  readonly batches: Batches;
  /** How many documents it has; undefined as long as that is not known. */
  found(): number | undefined;
}

export interface PartOptions extends SearchClient {
  /** Fields with docValues; `file` comes besides where it is needed to go on. */
  readonly fields: readonly string[];
  /** How many of the first results to leave out. */
  readonly start: number;
}

/** So many results are passed over at once: Solr keeps some 50 bytes of each of them. */
const STEP = 200_000;

export class ListParts {
  readonly #http: SolrHttp;
  readonly #topology: SolrTopology;
  readonly #searches: Searches;
  readonly #stretches: Stretches;

  constructor(http: SolrHttp, topology: SolrTopology, searches: Searches, stretches: Stretches) {
    this.#http = http;
    this.#topology = topology;
    this.#searches = searches;
    this.#stretches = stretches;
  }

  /**
   * What is read one after the other. Stretches before the start are passed over, which costs what stands there, and not
   * what the index has.
   *
   * @throws what Searches.select throws
   */
  async plan(search: Search, options: PartOptions): Promise<readonly PlannedStretch[]> {
    const { clientKey, signal } = options;
    const stretches = await this.#stretches.of(search, { clientKey, signal });
    let { start } = options;
    if (stretches === undefined) return [{ search, start }];
    const parts = stretches.map((stretch) => within(search, stretch));
    let passed = 0;
    for (const part of start > 0 ? parts : []) {
      const { numFound } = await this.#searches.select(part, { rows: "0" }, { clientKey, signal });
      if (start < numFound) break;
      start -= numFound;
      passed += 1;
    }
    return parts.slice(passed).map((part, at) => ({ search: part, start: at === 0 ? start : 0 }));
  }

  /** Where a list goes on whose last batch is this; undefined where it cannot. */
  behind(search: Search, batch: readonly SolrDocument[]): Begin | undefined {
    const file = batch.at(-1)?.file;
    if (typeof file !== "string") return undefined;
    // In shards, a file of odd order may stand behind others in one order and before them in the other.
    if (this.#isSharded(search) && hasOddOrder(file)) return undefined;
    return { file, included: false };
  }

  /** All of a list. @throws what Searches.select throws */
  async whole(search: Search, options: PartOptions): Promise<Part> {
    if (this.#isSharded(search)) return this.#ofShards(search, options);
    if (options.start === 0) return this.#ofOne(search, options, undefined);
    const file = await this.#fileAt(search, options);
    return file === undefined ? nothing() : this.#ofOne(search, options, { file, included: true });
  }

  /** What is left of it. @throws SolrUnavailable, SolrTimeout */
  async rest(search: Search, options: PartOptions, begin: Begin): Promise<Part> {
    const rest = { ...options, start: 0 };
    return this.#isSharded(search)
      ? this.#ofShards(search, rest, begin)
      : this.#ofOne(search, rest, begin);
  }

  #isSharded(search: Search): boolean {
    return isSharded(this.#topology, search.collection);
  }

  #parameters(search: Search, { fields }: PartOptions): URLSearchParams {
    // The shards' documents are merged by what they are sorted by.
    const withFile = this.#http.hasSeveralNodes || this.#isSharded(search);
    const fl = [...new Set(withFile ? [...fields, "file"] : fields)].join(",");
    return searchParameters(search, { sort: ORDER, fl });
  }

  #ofOne(search: Search, options: PartOptions, begin: Begin | undefined): Part {
    const parameters = this.#parameters(search, options);
    if (begin !== undefined) appendBegin(parameters, begin);
    const collection = new SolrCollection(this.#http, search.collection);
    const request = collection.exportRequest(parameters, lingering(this.#http));
    let found: number | undefined;
    const onFound = (count: number): void => {
      found = count;
    };
    return { batches: readExport(this.#http, request, { onFound }), found: () => found };
  }

  async #ofShards(search: Search, options: PartOptions, begin?: Begin): Promise<Part> {
    const { start, clientKey, signal } = options;
    const parameters = this.#parameters(search, options);
    if (begin !== undefined) appendBegin(parameters, begin);
    const count = await this.#count(search, { clientKey, signal }, begin);
    if (start >= count) return nothing();
    const request = streamRequest(this.#http, search.collection, parameters);
    // Ordinals differ between shards, so the first ones are read and dropped.
    const batches = without(start, readStream(this.#http, request, count));
    return { batches, found: () => count - start };
  }

  async #count(search: Search, client: SearchClient, begin: Begin | undefined): Promise<number> {
    if (begin === undefined) {
      return (await this.#searches.select(search, { rows: "0" }, client)).numFound;
    }
    const from = beginning(begin);
    const filters = [...search.filters, from.filter];
    const more = { rows: "0", first: from.first };
    // A list that has begun must not wait behind those that have not.
    return (await this.#searches.selectAtOnce({ ...search, filters }, more, client)).numFound;
  }

  /**
   * The `file` of the result at the start, so that an export can begin there: /export itself has
   * no offset. Sorted by the ordinal of `file`, which is the same order: to sort by `file` at this
   * depth, Solr would copy every key that it passes, five times as slow. It keeps all that it passes in its
   * heap, so a long way is made in steps.
   */
  async #fileAt(
    search: Search,
    { start, clientKey, signal }: PartOptions,
  ): Promise<string | undefined> {
    const client = { clientKey, signal };
    // A way over all that is found, to learn that it ends before, would be for nothing.
    if (start > STEP) {
      const { numFound } = await this.#searches.select(search, { rows: "0" }, client);
      if (start >= numFound) return undefined;
    }
    const sort = ORDER.replace("file", "ord(file)");
    let file: string | undefined;
    for (let left = start; left > 0; ) {
      const step = Math.min(left, STEP);
      const page: Record<string, string> = { sort, fl: "file", start: String(step), rows: "1" };
      const from = file === undefined ? undefined : beginning({ file, included: true });
      const filters = [...search.filters, ...(from ? [from.filter] : [])];
      const more = { ...page, ...(from && { first: from.first }) };
      const found = await this.#searches.select({ ...search, filters }, more, client);
      file = found.docs[0]?.file as string | undefined;
      if (file === undefined) return undefined;
      left -= step;
    }
    return file;
  }
}

const within = (search: Search, { filter }: Stretch): Search => ({
  ...search,
  filters: [...search.filters, filter],
});

function appendBegin(parameters: URLSearchParams, begin: Begin): void {
  const { filter, first } = beginning(begin);
  parameters.append("fq", filter);
  parameters.set("first", first);
}

async function* none(): Batches {}

const nothing = (): Part => ({ batches: none(), found: () => 0 });
