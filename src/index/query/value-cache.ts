/** Which values the index has at all, in any version: what was seen of late is remembered, the rest is asked for. */
import { LRUCache } from "lru-cache";
import { folded } from "../../domain/completeness/folded-values.js";
import type { NamedValue, Search } from "../../domain/search/search.js";
import { lowerCase } from "../../domain/text/case-folding.js";
import { type CallOptions, SolrCollection } from "../transport/client.js";
import type { SolrHttp } from "../transport/http.js";
import { readAnswer } from "../transport/json-response.js";
import { requireWhole, timeLimit } from "../transport/time-limit.js";
import { searchParameters } from "./facets.js";
import type { SearchClient, Searches } from "./query-admission.js";

/** Milliseconds that a value counts as known after it was seen. */
const REMEMBERED = 60_000;
/** Bounds of what is remembered, in characters. */
const MAX_KNOWN = 4 * 1024 * 1024;
const MAX_SPELLINGS = 8 * 1024 * 1024;
/** So many values of a field are looked through for near ones, the most frequent. */
const MAX_CANDIDATES = 20_000;

/** What is known or not: a value of a field, in the documents that a flavour can see. */
export type AskedValue = Pick<NamedValue, "field" | "value" | "clause">;

interface SolrReply {
  readonly responseHeader?: object;
  readonly facet_counts: {
    readonly facet_queries: Readonly<Record<string, number>>;
    readonly facet_fields: Readonly<Record<string, readonly (string | number)[]>>;
  };
}

/** A text that tells a population from others. */
const nameOf = ({ collection, filters }: Search): string => [collection, ...filters].join("\n");

const keyOf = (population: Search, { field, value }: AskedValue): string =>
  `${field}\n${nameOf(population)}\n${folded(field, value)}`;

export class KnownValues {
  readonly #known = new LRUCache<string, true>({
    maxSize: MAX_KNOWN,
    sizeCalculation: (_, key) => key.length + 1,
    ttl: REMEMBERED,
  });
  readonly #spellings = new LRUCache<string, readonly string[]>({
    maxSize: MAX_SPELLINGS,
    sizeCalculation: (values) => values.reduce((sum, value) => sum + value.length + 1, 1),
    ttl: REMEMBERED,
  });

  readonly #http: SolrHttp;
  readonly #searches: Searches;

  constructor(http: SolrHttp, searches: Searches) {
    this.#http = http;
    this.#searches = searches;
  }

  /** Whether a document of the population was seen of late that has the value. */
  has(population: Search, value: AskedValue): boolean {
    return this.#known.has(keyOf(population, value));
  }

  /** Such a document was seen. */
  note(population: Search, values: readonly AskedValue[]): void {
    for (const value of values) this.#known.set(keyOf(population, value), true);
  }

  /** Those of the values that no document of the population has. @throws as Searches.inTurn */
  async missing<T extends AskedValue>(
    population: Search,
    values: readonly T[],
    client: SearchClient,
  ): Promise<readonly T[]> {
    const { facet_queries } = await this.#ask(population, client, (parameters) => {
      for (const [index, { clause }] of values.entries()) {
        // Kept, the documents of each would push out filters of searches.
        parameters.append("facet.query", `{!cache=false key=v${index}}${clause}`);
      }
    });
    const isThere = (_: T, index: number): boolean => (facet_queries[`v${index}`] ?? 0) > 0;
    this.note(population, values.filter(isThere));
    return values.filter((value, index) => !isThere(value, index));
  }

  /** The values that there are of fields, in lower case, the most frequent first. @throws as Searches.inTurn */
  async spellings(
    population: Search,
    fields: readonly string[],
    client: SearchClient,
  ): Promise<ReadonlyMap<string, readonly string[]>> {
    const name = nameOf(population);
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
    const collection = new SolrCollection(this.#http, population.collection);
    const work = (options: CallOptions) => collection.select(parameters, options);
    const { text } = await this.#searches.withPermit(client, work);
    const { responseHeader, facet_counts } = readAnswer<SolrReply>(text);
    requireWhole(responseHeader);
    return facet_counts;
  }
}
