/** Counting facet values in Solr, and keeping what was counted as long as it holds. */
import type { Search } from "../query/search.js";
import { isDetail } from "../vocabulary/details.js";
import { type CountedField, isSingle, storedField } from "../vocabulary/facets.js";
import { lowerCase } from "../vocabulary/lower-case.js";
import { type CallOptions, SolrCollection } from "./client.js";
import type { SolrHttp } from "./http.js";
import type { IndexVersions } from "./index-versions.js";
import { KeptAnswers, type KeptUse } from "./kept-answers.js";
import { requireWhole, timeLimit } from "./time-limit.js";

/** For each facet its values, in lower case, with the number of documents that have them in any spelling. */
export interface FacetCounts {
  readonly total: number;
  readonly counts: ReadonlyMap<CountedField, ReadonlyMap<string, number>>;
  /** For each detail that was counted, how many of the documents have it. */
  readonly known: ReadonlyMap<CountedField, number>;
}

interface SolrFacetReply {
  readonly responseHeader?: object;
  readonly response: { readonly numFound: number };
  /** Values and their counts in turn; null is what has none. */
  readonly facet_counts: { readonly facet_fields: Record<string, (string | number | null)[]> };
}

/** Bound of all known answers together, in bytes of memory. */
const KNOWN_SIZE = 96 * 1024 * 1024;

/** What every request for a search has in common. */
export function searchParameters({ filters }: Search): URLSearchParams {
  // Solr would put its own parameters in place of `${...}`, also inside a caller's quoted value.
  const parameters = new URLSearchParams({ q: "*:*", expandMacros: "false" });
  for (const filter of filters) parameters.append("fq", filter);
  return parameters;
}

interface Parsed extends FacetCounts {
  /** Facets of which a document may have been counted twice, as it may have several spellings of a value. */
  readonly doubtful: readonly CountedField[];
}

function parse(reply: unknown, facets: readonly CountedField[]): Parsed {
  const { responseHeader, response, facet_counts } = reply as SolrFacetReply;
  requireWhole(responseHeader);
  const doubtful = new Set<CountedField>();
  const known = new Map<CountedField, number>();
  const counts = facets.map((facet) => {
    const flat = facet_counts.facet_fields[storedField(facet)] ?? [];
    const values = new Map<string, number>();
    for (let i = 0; i < flat.length; i += 2) {
      if (flat[i] === null) {
        known.set(facet, response.numFound - Number(flat[i + 1]));
        continue;
      }
      const value = lowerCase(String(flat[i]));
      const before = values.get(value);
      if (before !== undefined && !isSingle(facet)) doubtful.add(facet);
      values.set(value, (before ?? 0) + Number(flat[i + 1]));
    }
    return [facet, values] as const;
  });
  return { total: response.numFound, counts: new Map(counts), known, doubtful: [...doubtful] };
}

/** Counts with those of some facets put in place of others. */
function corrected(summed: FacetCounts, exact: FacetCounts): FacetCounts {
  return { ...summed, counts: new Map([...summed.counts, ...exact.counts]) };
}

/** Counts facet values, and keeps what was counted as long as it holds. */
export class FacetCounter {
  readonly #http: SolrHttp;
  readonly #kept: KeptAnswers<FacetCounts>;
  readonly #versions: IndexVersions;

  constructor(http: SolrHttp, versions: IndexVersions) {
    this.#http = http;
    this.#versions = versions;
    this.#kept = new KeptAnswers(versions, KNOWN_SIZE);
  }

  /** How often what was counted could be given again. */
  get kept(): KeptUse {
    return this.#kept.use;
  }

  /** @throws what SolrHttp.send throws; SolrTimeout when Solr gave it up */
  async count(
    search: Search,
    facets: readonly CountedField[],
    options: CallOptions = {},
  ): Promise<FacetCounts> {
    const parameters = searchParameters(search);
    const fixed = { rows: "0", wt: "json", facet: "true" };
    const all = { "facet.limit": "-1", "facet.mincount": "1", "facet.sort": "index" };
    const given = { ...timeLimit(this.#http), ...fixed, ...all };
    for (const [name, value] of Object.entries(given)) parameters.set(name, value);
    for (const facet of facets) parameters.append("facet.field", storedField(facet));
    for (const detail of facets.filter(isDetail)) {
      parameters.set(`f.${storedField(detail)}.facet.missing`, "true");
    }

    const collection = new SolrCollection(this.#http, search.collection);
    return this.#kept.ask(collection, parameters, options, async ({ reply, version }) => {
      const { doubtful, ...summed } = parse(reply, facets);
      if (doubtful.length === 0) return { value: summed, version };
      const exact = await this.#byTerms(parameters, collection, doubtful, options);
      // What was counted in two states of the index is true of neither.
      const isOne = exact.version === version;
      return { value: corrected(summed, exact), version: isOne ? version : undefined };
    });
  }

  /**
   * Counts by the terms of the index, which are in lower case, so that a document with `tas` and `TAS` counts once. That
   * goes through all documents of a facet, whatever is searched: too slow for what nobody spells in two ways.
   */
  async #byTerms(
    parameters: URLSearchParams,
    collection: SolrCollection,
    facets: readonly CountedField[],
    options: CallOptions,
  ): Promise<FacetCounts & { readonly version: string | undefined }> {
    const asked = new URLSearchParams(parameters);
    asked.delete("facet.field");
    for (const facet of facets) asked.append("facet.field", storedField(facet));
    asked.set("facet.method", "enum");
    // Kept, a filter for each value would push out those of searches.
    asked.set("facet.enum.cache.minDf", "2147483647");
    const answer = await this.#versions.select(collection, asked, undefined, options);
    return { ...parse(answer?.reply, facets), version: answer?.version };
  }
}
