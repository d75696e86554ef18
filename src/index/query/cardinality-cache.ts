/** The number of distinct values of fields, cached for a minute. Used to estimate the cost of a search. */
import { LRUCache } from "lru-cache";
import type { Search } from "../../domain/search/search.js";
import { type CallOptions, SolrCollection } from "../transport/client.js";
import type { SolrHttp } from "../transport/http.js";
import { readAnswer } from "../transport/json-response.js";
import { requireWhole, timeLimit } from "../transport/time-limit.js";
import { searchParameters } from "./facets.js";

/** Milliseconds that a number stays in the cache. */
const TTL_MS = 60_000;
const MAX_NUMBERS = 1000;

interface SolrReply {
  readonly responseHeader?: object;
  readonly facets: Readonly<Record<string, number | undefined>>;
}

export class CardinalityCache {
  readonly #http: SolrHttp;
  readonly #known = new LRUCache<string, number>({ max: MAX_NUMBERS, ttl: TTL_MS });

  constructor(http: SolrHttp) {
    this.#http = http;
  }

  /**
   * The number of distinct values of each field in a population. Spellings count separately. Approximate if there are
   * several shards.
   *
   * @param withPermit not called if all numbers are cached
   * @throws what SolrHttp.send throws; SolrTimeout if Solr stopped it
   */
  async of<F extends string>(
    population: Search,
    fields: readonly F[],
    withPermit: <T>(work: (options: CallOptions) => Promise<T>) => Promise<T>,
  ): Promise<Readonly<Record<F, number>>> {
    const { collection, filters } = population;
    const keyOf = (field: string): string => [field, collection, ...filters].join("\n");
    const unknown = fields.filter((field) => !this.#known.has(keyOf(field)));
    const counted: Partial<Record<string, number>> = {};
    if (unknown.length > 0) {
      const facets = Object.fromEntries(unknown.map((field) => [field, `unique(${field})`]));
      const fixed = { rows: "0", wt: "json", "json.facet": JSON.stringify(facets) };
      const parameters = searchParameters(population, { ...timeLimit(this.#http), ...fixed });
      const asking = new SolrCollection(this.#http, collection);
      const { text } = await withPermit((options) => asking.select(parameters, options));
      const { responseHeader, facets: numbers } = readAnswer<SolrReply>(text);
      requireWhole(responseHeader);
      for (const field of unknown) {
        // Solr leaves the number out if no document matches.
        counted[field] = numbers[field] ?? 0;
        this.#known.set(keyOf(field), counted[field]);
      }
    }
    const sizes = fields.map((field) => [
      field,
      counted[field] ?? this.#known.get(keyOf(field)) ?? 0,
    ]);
    return Object.fromEntries(sizes) as Record<F, number>;
  }
}
