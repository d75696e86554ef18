/** Which values the index has. Recently seen values are cached for a minute, others are requested from Solr. */
import { LRUCache } from "lru-cache";
import { foldCase } from "../../domain/completeness/folded-values.js";
import type { NamedValue, Search } from "../../domain/search/search.js";
import { lowerCase } from "../../domain/text/case-folding.js";
import { FILES } from "../collections/configset.js";
import { type CallOptions, SolrCollection } from "../transport/client.js";
import type { SolrHttp } from "../transport/http.js";
import { readAnswer } from "../transport/json-response.js";
import { requireWhole, searchParameters, timeLimit } from "./parameters.js";
import type { SearchClient, Searches } from "./query-admission.js";

/** Milliseconds that a value stays in the cache. */
const TTL_MS = 60_000;
/** Limits of the caches, in characters. */
const MAX_KNOWN_CHARACTERS = 4 * 1024 * 1024;
const MAX_SPELLING_CHARACTERS = 8 * 1024 * 1024;
/** Most frequent values of a field among which similar spellings are searched. */
const MAX_CANDIDATES = 20_000;

/** A value of a field, with the clause that matches it. */
type ValueQuery = Pick<NamedValue, "field" | "value" | "clause">;

interface SolrReply {
  readonly responseHeader?: object;
  readonly facet_counts: {
    readonly facet_queries: Readonly<Record<string, number>>;
    readonly facet_fields: Readonly<Record<string, readonly (string | number)[]>>;
  };
}

/** A text that identifies a population. */
const populationKey = ({ filters }: Search): string => filters.join("\n");

const keyOf = (population: Search, { field, value }: ValueQuery): string =>
  `${field}\n${populationKey(population)}\n${foldCase(field, value)}`;

export class ValueCache {
  readonly #known = new LRUCache<string, true>({
    maxSize: MAX_KNOWN_CHARACTERS,
    sizeCalculation: (_, key) => key.length + 1,
    ttl: TTL_MS,
  });
  readonly #spellings = new LRUCache<string, readonly string[]>({
    maxSize: MAX_SPELLING_CHARACTERS,
    sizeCalculation: (values) => values.reduce((sum, value) => sum + value.length + 1, 1),
    ttl: TTL_MS,
  });

  readonly #http: SolrHttp;
  readonly #searches: Searches;

  constructor(http: SolrHttp, searches: Searches) {
    this.#http = http;
    this.#searches = searches;
  }

  /** Whether the cache has the value for the population. */
  has(population: Search, value: ValueQuery): boolean {
    return this.#known.has(keyOf(population, value));
  }

  /** Records that documents of the population have the values. */
  note(population: Search, values: readonly ValueQuery[]): void {
    for (const value of values) this.#known.set(keyOf(population, value), true);
  }

  /** The values that no document of the population has. */
  async missing<T extends ValueQuery>(
    population: Search,
    values: readonly T[],
    client: SearchClient,
  ): Promise<readonly T[]> {
    const { facet_queries } = await this.#ask(population, client, (parameters) => {
      for (const [index, { clause }] of values.entries()) {
        // Cached, these queries would evict the filters of searches.
        parameters.append("facet.query", `{!cache=false key=v${index}}${clause}`);
      }
    });
    const isThere = (_: T, index: number): boolean => (facet_queries[`v${index}`] ?? 0) > 0;
    this.note(population, values.filter(isThere));
    return values.filter((value, index) => !isThere(value, index));
  }

  /** The values of fields, in lower case, the most frequent first. */
  async spellings(
    population: Search,
    fields: readonly string[],
    client: SearchClient,
  ): Promise<ReadonlyMap<string, readonly string[]>> {
    const name = populationKey(population);
    const found = new Map<string, readonly string[]>();
    for (const field of fields) {
      const known = this.#spellings.get(`${field}\n${name}`);
      if (known) found.set(field, known);
    }
    const rest = fields.filter((field) => !found.has(field));
    if (rest.length === 0) return found;
    const { facet_fields } = await this.#ask(population, client, (parameters) => {
      parameters.set("facet.limit", String(MAX_CANDIDATES));
      parameters.set("facet.mincount", "1");
      for (const field of rest) parameters.append("facet.field", field);
    });
    for (const field of rest) {
      const texts = (facet_fields[field] ?? []).filter((_, index) => index % 2 === 0);
      const values = [...new Set(texts.map((text) => lowerCase(String(text))))];
      this.#spellings.set(`${field}\n${name}`, values);
      found.set(field, values);
    }
    return found;
  }

  async #ask(
    population: Search,
    client: SearchClient,
    add: (parameters: URLSearchParams) => void,
  ): Promise<SolrReply["facet_counts"]> {
    const fixed = { ...timeLimit(this.#http), rows: "0", wt: "json", facet: "true" };
    const parameters = searchParameters(population, fixed);
    add(parameters);
    const collection = new SolrCollection(this.#http, FILES);
    const work = (options: CallOptions) => collection.select(parameters, options);
    const { text } = await this.#searches.withPermit(client, work);
    const { responseHeader, facet_counts } = readAnswer<SolrReply>(text);
    requireWhole(responseHeader);
    return facet_counts;
  }
}
