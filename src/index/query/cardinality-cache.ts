/** How many values fields have in the index, as of late: enough to plan by, before a search is looked at. */
import { LRUCache } from "lru-cache";
import type { Search } from "../../domain/search/search.js";
import { type CallOptions, SolrCollection } from "../transport/client.js";
import type { SolrHttp } from "../transport/http.js";
import { readAnswer } from "../transport/json-response.js";
import { requireWhole, timeLimit } from "../transport/time-limit.js";
import { searchParameters } from "./facets.js";

/** Milliseconds that a number holds. */
const REMEMBERED = 60_000;
const MAX_NUMBERS = 1000;

interface SolrReply {
  readonly responseHeader?: object;
  readonly facets: Readonly<Record<string, number | undefined>>;
}

export class KnownSizes {
  readonly #http: SolrHttp;
  readonly #known = new LRUCache<string, number>({ max: MAX_NUMBERS, ttl: REMEMBERED });

  constructor(http: SolrHttp) {
    this.#http = http;
  }

  /**
   * Of each field how many values the documents of a population have, each spelling for itself; over several shards only
   * about.
   *
   * @param withPermit is not called where all of it is known
   * @throws what SolrHttp.send throws; SolrTimeout when Solr gave it up
   */
  async of<F extends string>(
    population: Search,
    fields: readonly F[],
    withPermit: <T>(work: (options: CallOptions) => Promise<T>) => Promise<T>,
  ): Promise<Readonly<Record<F, number>>> {
    const { collection, filters } = population;
    const keyOf = (field: string): string => [field, collection, ...filters].join("\n");
    const unknown = fields.filter((field) => !this.#known.has(keyOf(field)));
    const asked: Partial<Record<string, number>> = {};
    if (unknown.length > 0) {
      const facets = Object.fromEntries(unknown.map((field) => [field, `unique(${field})`]));
      const fixed = { rows: "0", wt: "json", "json.facet": JSON.stringify(facets) };
      const parameters = searchParameters(population, { ...timeLimit(this.#http), ...fixed });
      const asking = new SolrCollection(this.#http, collection);
      const { text } = await withPermit((options) => asking.select(parameters, options));
      const { responseHeader, facets: numbers } = readAnswer<SolrReply>(text);
      requireWhole(responseHeader);
      for (const field of unknown) {
        // Of no documents Solr tells nothing.
        asked[field] = numbers[field] ?? 0;
        this.#known.set(keyOf(field), asked[field]);
      }
    }
    const sizes = fields.map((field) => [
      field,
      asked[field] ?? this.#known.get(keyOf(field)) ?? 0,
    ]);
    return Object.fromEntries(sizes) as Record<F, number>;
  }
}
