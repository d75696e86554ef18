/** Counting facet values in Solr, with revalidation of what is known already. */
import { LRUCache } from "lru-cache";
import type { Search } from "../query/search.js";
import { type CountedField, storedField } from "../vocabulary/facets.js";
import { type CallOptions, SolrCollection } from "./client.js";
import type { SolrHttp } from "./http.js";
import { requireWhole, timeLimit } from "./time-limit.js";

/** For each facet its values, as they were stored, with the number of documents that have them. */
export interface FacetCounts {
  readonly total: number;
  readonly counts: ReadonlyMap<CountedField, ReadonlyMap<string, number>>;
}

interface Known {
  readonly etag: string;
  readonly counts: FacetCounts;
}

interface SolrFacetReply {
  readonly responseHeader?: object;
  readonly response: { readonly numFound: number };
  readonly facet_counts: { readonly facet_fields: Record<string, (string | number)[]> };
}

/** Bound of all known answers together, in characters of Solr's JSON. */
const KNOWN_SIZE = 32 * 1024 * 1024;

/** What every request for a search has in common. */
export function searchParameters({ filters }: Search): URLSearchParams {
  // Solr would put its own parameters in place of `${...}`, also inside a caller's quoted value.
  const parameters = new URLSearchParams({ q: "*:*", expandMacros: "false" });
  for (const filter of filters) parameters.append("fq", filter);
  return parameters;
}

function parse(text: string, facets: readonly CountedField[]): FacetCounts {
  const { responseHeader, response, facet_counts } = JSON.parse(text) as SolrFacetReply;
  requireWhole(responseHeader);
  const counts = facets.map((facet) => {
    const flat = facet_counts.facet_fields[storedField(facet)] ?? [];
    const values = new Map<string, number>();
    for (let i = 0; i < flat.length; i += 2) values.set(String(flat[i]), Number(flat[i + 1]));
    return [facet, values] as const;
  });
  return { total: response.numFound, counts: new Map(counts) };
}

/**
 * Counts facet values. Solr's entity tag changes with its index, so an answer that is known is only
 * revalidated: Solr replies 304 without running the query, and nothing stale is ever given.
 */
export class FacetCounter {
  readonly #http: SolrHttp;
  readonly #known = new LRUCache<string, Known>({ maxSize: KNOWN_SIZE });
  readonly #revalidate: boolean;

  /** @param revalidate false where Solr's entity tag speaks of one shard or replica only */
  constructor(http: SolrHttp, revalidate: boolean) {
    this.#http = http;
    this.#revalidate = revalidate;
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

    const key = `${search.collection}?${parameters}`;
    const known = this.#revalidate ? this.#known.get(key) : undefined;
    const reply = await new SolrCollection(this.#http, search.collection).select(parameters, {
      ...options,
      ifNoneMatch: known?.etag,
    });
    if (reply.status === 304 && known) return known.counts;
    const counts = parse(reply.text, facets);
    if (this.#revalidate && reply.etag !== undefined) {
      const size = key.length + reply.text.length;
      this.#known.set(key, { etag: reply.etag, counts }, { size });
    }
    return counts;
  }
}
