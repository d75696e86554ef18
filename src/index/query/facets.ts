/** Counting facet values in Solr, and keeping what was counted as long as it holds. */
import type { FacetCountSearch } from "../../domain/aggregation/counted-facets.js";
import type { Search } from "../../domain/search/search.js";
import { lowerCase } from "../../domain/text/case-folding.js";
import { isDetail } from "../../domain/vocabulary/details.js";
import { type CountedField, isSingle, storedField } from "../../domain/vocabulary/facets.js";
import { cursorFilter, ORDER } from "../export/cursor.js";
import type { SolrDocument } from "../export/export.js";
import { type CallOptions, SolrCollection } from "../transport/client.js";
import type { SolrHttp } from "../transport/http.js";
import { requireWhole, timeLimit } from "../transport/time-limit.js";
import type { IndexVersions, Versioned } from "./index-versions.js";
import { KeptAnswers, type KeptUse } from "./query-cache.js";

/** For each facet its values, in lower case, with the number of documents that have them in any spelling. */
export interface FacetCounts {
  readonly total: number;
  readonly counts: ReadonlyMap<CountedField, ReadonlyMap<string, number>>;
  /** For each detail that was counted, how many of the documents have it among which it was counted. */
  readonly known: ReadonlyMap<CountedField, number>;
}

/** A piece of a list, wanted beside the counts of all of it. */
export interface PagePart {
  readonly fields: readonly string[];
  readonly rows: number;
  /** The `file` of the document behind which it begins. */
  readonly behind?: string | undefined;
}

/** What is found, in the order of results, from somewhere on; the counts are of all that is found. */
export interface Page extends FacetCounts {
  readonly documents: readonly SolrDocument[];
  /** Whether more follows. */
  readonly hasMore: boolean;
}

interface SolrFacetReply {
  readonly responseHeader?: object;
  readonly response: { readonly numFound: number; readonly docs?: readonly SolrDocument[] };
  readonly facet_counts: {
    /** Values and their counts in turn; null is what has none. */
    readonly facet_fields: Record<string, (string | number | null)[]>;
    readonly facet_queries?: Readonly<Record<string, number>>;
  };
}

/** The name of the count of all that is found, and of the filter that it and the facets leave out of account. */
const ALL = "all";
const BEHIND = "behind";

/** The name of the count of all among which a detail is counted. */
const allOf = (field: string): string => `${ALL}_${field}`;

/** Bound of all known answers together, in bytes of memory. */
const KNOWN_SIZE = 96 * 1024 * 1024;
/** The same of first pages. */
const PAGES_SIZE = 24 * 1024 * 1024;

/** What every request for a search has in common. @param more what it has besides, each name once */
export function searchParameters(
  { filters }: Search,
  more: Readonly<Record<string, string>> = {},
): URLSearchParams {
  // Solr would put its own parameters in place of `${...}`, also inside a caller's quoted value.
  const parameters = new URLSearchParams({ q: "*:*", expandMacros: "false", ...more });
  for (const filter of filters) parameters.append("fq", filter);
  return parameters;
}

interface Parsed extends Page {
  /** Facets of which a document may have been counted twice, as it may have several spellings of a value. */
  readonly doubtful: readonly CountedField[];
}

function parse(reply: unknown, facets: readonly CountedField[]): Parsed {
  const { responseHeader, response, facet_counts } = reply as SolrFacetReply;
  requireWhole(responseHeader);
  const { numFound, docs: documents = [] } = response;
  const total = facet_counts.facet_queries?.[ALL] ?? numFound;
  const doubtful = new Set<CountedField>();
  const known = new Map<CountedField, number>();
  const counts = facets.map((facet) => {
    const flat = facet_counts.facet_fields[storedField(facet)] ?? [];
    const values = new Map<string, number>();
    for (let i = 0; i < flat.length; i += 2) {
      if (flat[i] === null) {
        const all = facet_counts.facet_queries?.[allOf(storedField(facet))] ?? total;
        known.set(facet, all - Number(flat[i + 1]));
        continue;
      }
      const value = lowerCase(String(flat[i]));
      const before = values.get(value);
      if (before !== undefined && !isSingle(facet)) doubtful.add(facet);
      values.set(value, (before ?? 0) + Number(flat[i + 1]));
    }
    return [facet, values] as const;
  });
  const hasMore = numFound > documents.length;
  const all = { total, counts: new Map(counts), known };
  return { ...all, documents, hasMore, doubtful: [...doubtful] };
}

/** Counts with those of some facets put in place of others. */
function corrected<T extends FacetCounts>(summed: T, exact: FacetCounts): T {
  return { ...summed, counts: new Map([...summed.counts, ...exact.counts]) };
}

/** What is being counted. */
interface Counting {
  readonly parameters: URLSearchParams;
  readonly collection: SolrCollection;
  readonly facets: readonly CountedField[];
  readonly aside: Aside;
  readonly options: CallOptions;
}

/** Tags of the filters that a facet leaves out of account. */
type Aside = (facet: CountedField) => readonly string[];
const NONE: Aside = () => [];

function facetField(facet: CountedField, tags: readonly string[]): string {
  const field = storedField(facet);
  return tags.length > 0 ? `{!ex=${tags.join(",")} key=${field}}${field}` : field;
}

/** Counts facet values, and keeps what was counted as long as it holds. */
export class FacetCounter {
  readonly #http: SolrHttp;
  readonly #kept: KeptAnswers<FacetCounts>;
  readonly #pages: KeptAnswers<Page>;
  readonly #versions: IndexVersions;

  constructor(http: SolrHttp, versions: IndexVersions) {
    this.#http = http;
    this.#versions = versions;
    this.#kept = new KeptAnswers(versions, KNOWN_SIZE);
    this.#pages = new KeptAnswers(versions, PAGES_SIZE);
  }

  /** How often what was counted could be given again. */
  get kept(): KeptUse {
    return this.#kept.use;
  }

  /** The same of first pages. */
  get keptPages(): KeptUse {
    return this.#pages.use;
  }

  /** @throws what SolrHttp.send throws; SolrTimeout when Solr gave it up */
  async count(
    search: Search | FacetCountSearch,
    facets: readonly CountedField[],
    options: CallOptions = {},
  ): Promise<FacetCounts> {
    const aside: Aside = "ownTags" in search ? (facet) => search.ownTags.get(facet) ?? [] : NONE;
    const parameters = this.#parameters(search, facets, { rows: "0" }, aside);
    for (const detail of facets.filter(isDetail)) {
      const tags = aside(detail).join(",");
      if (tags === "") continue;
      parameters.append("facet.query", `{!ex=${tags} key=${allOf(storedField(detail))}}*:*`);
    }
    const collection = new SolrCollection(this.#http, search.collection);
    return this.#kept.ask(collection, parameters, options, (answer) =>
      this.#made(answer, { parameters, collection, facets, aside, options }),
    );
  }

  /**
   * Counts, and gives a piece of the list beside them, in one request. It costs the same wherever the piece begins. A first
   * one is kept as counts are.
   *
   * @throws as count
   */
  async page(
    search: Search,
    facets: readonly CountedField[],
    { fields, rows, behind }: PagePart,
    options: CallOptions = {},
  ): Promise<Page> {
    const part = { sort: ORDER, fl: fields.join(","), rows: String(rows) };
    const aside: Aside = behind === undefined ? NONE : () => [BEHIND];
    const parameters = this.#parameters(search, facets, part, aside);
    if (behind !== undefined) {
      const { filter, first } = cursorFilter({ file: behind, included: false }, BEHIND);
      parameters.append("fq", filter);
      parameters.set("first", first);
      parameters.append("facet.query", `{!ex=${BEHIND} key=${ALL}}*:*`);
    }
    const collection = new SolrCollection(this.#http, search.collection);
    return this.#pages.ask(collection, parameters, options, async (answer) => {
      const made = await this.#made(answer, { parameters, collection, facets, aside, options });
      return behind === undefined ? made : { value: made.value, version: undefined };
    });
  }

  #parameters(
    search: Search,
    facets: readonly CountedField[],
    part: Readonly<Record<string, string>>,
    aside: Aside,
  ): URLSearchParams {
    const all = { "facet.limit": "-1", "facet.mincount": "1", "facet.sort": "index" };
    const fixed = { ...timeLimit(this.#http), wt: "json", facet: "true", ...all };
    const parameters = searchParameters(search, { ...fixed, ...part });
    for (const facet of facets) parameters.append("facet.field", facetField(facet, aside(facet)));
    for (const detail of facets.filter(isDetail)) {
      parameters.set(`f.${storedField(detail)}.facet.missing`, "true");
    }
    return parameters;
  }

  /** What is made of Solr's answer. */
  async #made(
    { reply, version }: Versioned,
    asked: Counting,
  ): Promise<{ readonly value: Page; readonly version: string | undefined }> {
    const { doubtful, ...summed } = parse(reply, asked.facets);
    if (doubtful.length === 0) return { value: summed, version };
    const exact = await this.#byTerms(asked, doubtful);
    // What was counted in two states of the index is true of neither.
    const isOne = exact.version === version;
    return { value: corrected(summed, exact), version: isOne ? version : undefined };
  }

  /**
   * Counts by the terms of the index, which are in lower case, so that a document with `tas` and `TAS` counts once. That
   * goes through all documents of a facet, whatever is searched: too slow for what nobody spells in two ways.
   */
  async #byTerms(
    { parameters, collection, aside, options }: Counting,
    facets: readonly CountedField[],
  ): Promise<FacetCounts & { readonly version: string | undefined }> {
    const asked = new URLSearchParams(parameters);
    asked.set("rows", "0");
    asked.delete("facet.field");
    for (const facet of facets) asked.append("facet.field", facetField(facet, aside(facet)));
    asked.set("facet.method", "enum");
    // Kept, a filter for each value would push out those of searches.
    asked.set("facet.enum.cache.minDf", "2147483647");
    const answer = await this.#versions.select(collection, asked.toString(), undefined, options);
    return { ...parse(answer?.reply, facets), version: answer?.version };
  }
}
