/** Facet counts of searches, cached by index version. */
import type { FacetCountSearch } from "../../domain/aggregation/counted-facets.js";
import type { Search } from "../../domain/search/search.js";
import { lowerCase } from "../../domain/text/case-folding.js";
import { isDetail } from "../../domain/vocabulary/details.js";
import { type CountedField, isSingle, storedField } from "../../domain/vocabulary/facets.js";
import { mapInSlices, TimeSlice, textsInOrder } from "../../platform/concurrency/time-slices.js";
import { cursorFilter, ORDER } from "../export/cursor.js";
import type { SolrDocument } from "../export/document-batch.js";
import type { CallOptions } from "../transport/client.js";
import type { SolrHttp } from "../transport/http.js";
import type { IndexVersions, Versioned } from "./index-versions.js";
import { requireWhole, searchParameters, timeLimit } from "./parameters.js";
import { type ComputedAnswer, memoryOf, QueryCache } from "./query-cache.js";

/** The values of each facet, in lower case and sorted by code unit, with the number of documents. Upper and lower case count together. */
export interface FacetCounts {
  readonly total: number;
  readonly counts: ReadonlyMap<CountedField, ReadonlyMap<string, number>>;
  /** The number of documents that have a value, for each counted detail. */
  readonly known: ReadonlyMap<CountedField, number>;
}

/** The part of a list to return with the counts. */
export interface PagePart {
  readonly fields: readonly string[];
  readonly rows: number;
  /** The `file` of the document after which it starts. */
  readonly behind?: string | undefined;
}

/** A part of the results in their order, with the counts of all results. */
export interface Page extends FacetCounts {
  readonly documents: readonly SolrDocument[];
  /** Whether more documents follow. */
  readonly hasMore: boolean;
}

interface SolrFacetReply {
  readonly responseHeader?: object;
  readonly response: { readonly numFound: number; readonly docs?: readonly SolrDocument[] };
  readonly facet_counts: {
    /** Values, each followed by its count. The value null stands for documents without one. */
    readonly facet_fields: Record<string, (string | number | null)[]>;
    readonly facet_queries?: Readonly<Record<string, number>>;
  };
}

/** The key of the total count, and the tag of the filter that the total and the facets ignore. */
const ALL = "all";
const BEHIND = "behind";

/** The key of the number of documents among which a detail is counted. */
const allOf = (field: string): string => `${ALL}_${field}`;

/** Limits of the caches of counts and of first pages, in bytes of memory. */
const MAX_CACHE_BYTES = 96 * 1024 * 1024;
const MAX_PAGE_CACHE_BYTES = 24 * 1024 * 1024;
/** Limit of one answer of Solr, in bytes. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;
/** Bytes of an entry of a map besides its text, in V8. */
const ENTRY_BYTES = 72;

interface Parsed extends Page {
  /** Facets that may have counted a document twice, because it has a value in two spellings. */
  readonly countedTwice: readonly CountedField[];
  /** Bytes of memory. */
  readonly size: number;
}

/** Reads Solr's counts in slices: a facet may have a value for every document. */
async function parse(reply: unknown, facets: readonly CountedField[]): Promise<Parsed> {
  const { responseHeader, response, facet_counts } = reply as SolrFacetReply;
  requireWhole(responseHeader);
  const { numFound, docs: documents = [] } = response;
  const total = facet_counts.facet_queries?.[ALL] ?? numFound;
  const countedTwice = new Set<CountedField>();
  const known = new Map<CountedField, number>();
  const counts = new Map<CountedField, ReadonlyMap<string, number>>();
  const slice = new TimeSlice();
  let size = memoryOf(documents);
  for (const facet of facets) {
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
      if (before !== undefined && !isSingle(facet)) countedTwice.add(facet);
      values.set(value, (before ?? 0) + Number(flat[i + 1]));
      if (before === undefined) size += ENTRY_BYTES + value.length;
      if (i % 1000 === 0 && slice.isOver) await slice.next();
    }
    counts.set(facet, await inOrder(values));
    if (slice.isOver) await slice.next();
  }
  const hasMore = numFound > documents.length;
  return { total, counts, known, documents, hasMore, countedTwice: [...countedTwice], size };
}

/** Values that are sorted at once, within about a millisecond. */
const FEW = 2000;

/** The counts in the order of their values. Solr's order is that of the stored spellings. */
async function inOrder(values: ReadonlyMap<string, number>): Promise<ReadonlyMap<string, number>> {
  let last = "";
  let isSorted = true;
  for (const value of values.keys()) {
    if (value < last) isSorted = false;
    last = value;
  }
  if (isSorted) return values;
  if (values.size <= FEW) return new Map([...values].sort(([a], [b]) => (a < b ? -1 : 1)));
  const sorted = await textsInOrder(values.keys());
  return new Map(await mapInSlices(sorted, (value) => [value, values.get(value) ?? 0] as const));
}

interface Counting {
  readonly parameters: URLSearchParams;
  readonly facets: readonly CountedField[];
  readonly ignoredTags: IgnoredTags;
  readonly options: CallOptions;
}

/** The tags of the filters that a facet ignores. */
type IgnoredTags = (facet: CountedField) => readonly string[];
const NONE: IgnoredTags = () => [];

function facetField(facet: CountedField, tags: readonly string[]): string {
  const field = storedField(facet);
  return tags.length > 0 ? `{!ex=${tags.join(",")} key=${field}}${field}` : field;
}

export class FacetCounter {
  readonly #http: SolrHttp;
  readonly counts: QueryCache<FacetCounts>;
  /** First pages. */
  readonly pages: QueryCache<Page>;
  readonly #versions: IndexVersions;

  constructor(versions: IndexVersions) {
    this.#http = versions.collection.http;
    this.#versions = versions;
    this.counts = new QueryCache(versions, MAX_CACHE_BYTES);
    this.pages = new QueryCache(versions, MAX_PAGE_CACHE_BYTES);
  }

  async count(
    search: Search | FacetCountSearch,
    facets: readonly CountedField[],
    options: CallOptions = {},
  ): Promise<FacetCounts> {
    const ignoredTags: IgnoredTags =
      "ownTags" in search ? (facet) => search.ownTags.get(facet) ?? [] : NONE;
    const parameters = this.#parameters(search, facets, { rows: "0" }, ignoredTags);
    for (const detail of facets.filter(isDetail)) {
      const tags = ignoredTags(detail).join(",");
      if (tags === "") continue;
      parameters.append("facet.query", `{!ex=${tags} key=${allOf(storedField(detail))}}*:*`);
    }
    const bounded = { ...options, maxBytes: MAX_ANSWER_BYTES };
    return this.counts.ask(parameters, bounded, (answer) =>
      this.#compute(answer, { parameters, facets, ignoredTags, options }),
    );
  }

  /**
   * Counts, and returns a part of the list, in one request. The cost does not depend on where the part starts. First parts
   * are cached like counts.
   */
  async page(
    search: Search,
    facets: readonly CountedField[],
    { fields, rows, behind }: PagePart,
    options: CallOptions = {},
  ): Promise<Page> {
    const part = { sort: ORDER, fl: fields.join(","), rows: String(rows) };
    const ignoredTags: IgnoredTags = behind === undefined ? NONE : () => [BEHIND];
    const parameters = this.#parameters(search, facets, part, ignoredTags);
    if (behind !== undefined) {
      const { filter, first } = cursorFilter({ file: behind, included: false }, BEHIND);
      parameters.append("fq", filter);
      parameters.set("first", first);
      parameters.append("facet.query", `{!ex=${BEHIND} key=${ALL}}*:*`);
    }
    const bounded = { ...options, maxBytes: MAX_ANSWER_BYTES };
    return this.pages.ask(parameters, bounded, async (answer) => {
      const made = await this.#compute(answer, { parameters, facets, ignoredTags, options });
      return behind === undefined ? made : { ...made, version: undefined };
    });
  }

  #parameters(
    search: Search,
    facets: readonly CountedField[],
    part: Readonly<Record<string, string>>,
    ignoredTags: IgnoredTags,
  ): URLSearchParams {
    const all = { "facet.limit": "-1", "facet.mincount": "1", "facet.sort": "index" };
    const fixed = { ...timeLimit(this.#http), wt: "json", facet: "true", ...all };
    const parameters = searchParameters(search, { ...fixed, ...part });
    for (const facet of facets)
      parameters.append("facet.field", facetField(facet, ignoredTags(facet)));
    for (const detail of facets.filter(isDetail)) {
      parameters.set(`f.${storedField(detail)}.facet.missing`, "true");
    }
    return parameters;
  }

  async #compute({ reply, version }: Versioned, counting: Counting): Promise<ComputedAnswer<Page>> {
    const { countedTwice, size, ...summed } = await parse(reply, counting.facets);
    if (countedTwice.length === 0) return { value: summed, version, size };
    const exact = await this.#byTerms(counting, countedTwice);
    // Counts of two index versions are correct for neither, so they are not cached.
    const isOne = exact.version === version;
    const value = { ...summed, counts: new Map([...summed.counts, ...exact.counts]) };
    return { value, version: isOne ? version : undefined, size };
  }

  /**
   * Counts by the terms of the index, which are in lower case, so that a document with `tas` and `TAS` counts once. This
   * reads all documents of a facet, whatever the search, so it is only used for facets with several spellings.
   */
  async #byTerms(
    { parameters, ignoredTags, options }: Counting,
    facets: readonly CountedField[],
  ): Promise<FacetCounts & { readonly version: string | undefined }> {
    const termParameters = new URLSearchParams(parameters);
    termParameters.set("rows", "0");
    termParameters.delete("facet.field");
    for (const facet of facets)
      termParameters.append("facet.field", facetField(facet, ignoredTags(facet)));
    termParameters.set("facet.method", "enum");
    // Cached, the filters of single values would evict those of searches.
    termParameters.set("facet.enum.cache.minDf", "2147483647");
    const answer = await this.#versions.select(termParameters.toString(), undefined, options);
    return { ...(await parse(answer?.reply, facets)), version: answer?.version };
  }
}
