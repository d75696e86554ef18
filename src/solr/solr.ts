/** The index, as the rest of the service sees it: count, export, check. */
import type { Search } from "../query/search.js";
import type { CountedField } from "../vocabulary/facets.js";
import { SolrCollection } from "./client.js";
import type { SolrTopology } from "./collections.js";
import type { SolrEndpoint } from "./endpoint.js";
import { type DocumentBatches, readExport, type SolrDocument } from "./export.js";
import { FacetCounter, type FacetCounts, searchParameters } from "./facets.js";
import { SolrHttp } from "./http.js";
import { SolrState } from "./state.js";

export interface ExportOptions {
  /** Fields of the schema with docValues; one at least is in every document that is found. */
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
  readonly #counter: FacetCounter;

  constructor(endpoint: SolrEndpoint, timeoutMs: number, topology: SolrTopology) {
    this.http = new SolrHttp(endpoint, timeoutMs);
    this.state = new SolrState(this.http);
    // In SolrCloud an entity tag speaks of the one replica that happened to answer.
    this.#counter = new FacetCounter(this.http, !topology.cloud);
  }

  /** @throws SolrUnavailable, SolrTimeout when the collections cannot be searched */
  async check(signal?: AbortSignal): Promise<void> {
    const names = ["latest", "files"];
    await Promise.all(names.map((name) => new SolrCollection(this.http, name).ping({ signal })));
  }

  /** How many documents are found, and how many of them have each value of the facets. */
  countFacets(
    search: Search,
    { facets, signal }: { facets: readonly CountedField[]; signal?: AbortSignal },
  ): Promise<FacetCounts> {
    return this.#counter.count(search, facets, signal);
  }

  /**
   * Every document that is found, in batches, in the order of results. What fails at the start
   * fails here; what fails later fails the iteration.
   */
  async export(search: Search, options: ExportOptions): Promise<DocumentBatches> {
    const { fields, start, signal } = options;
    const parameters = searchParameters(search);
    parameters.set("sort", ORDER);
    parameters.set("fl", fields.join(","));
    if (start > 0) {
      const first = await this.#fileAt(search, start, signal);
      if (first === undefined) return nothing();
      parameters.append("fq", "{!frange u=$first cache=false}file");
      parameters.set("first", first);
    }
    const batches = readExport(this.http, `${search.collection}/export?${parameters}`, signal);
    return await started(batches);
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
    const parameters = searchParameters(search);
    parameters.set("sort", ORDER.replace("file", "ord(file)"));
    parameters.set("fl", "file");
    parameters.set("start", String(position));
    parameters.set("rows", "1");
    const { text } = await new SolrCollection(this.http, search.collection).select(parameters, {
      signal,
    });
    const { response } = JSON.parse(text) as { response: { docs: SolrDocument[] } };
    return response.docs[0]?.file as string | undefined;
  }
}

async function* nothing(): AsyncGenerator<readonly SolrDocument[]> {}

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
