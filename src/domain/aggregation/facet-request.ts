/** The part of Solr's JSON facets that is used here (Solr Reference Guide, "JSON Facet API"). */
import { EVERYTHING, uncached } from "../search/lucene.js";

/** Counts the documents of each value of a field. */
export interface TermsFacet {
  readonly type: "terms";
  readonly field: string;
  /** -1 for all. */
  readonly limit: number;
  /** `enum` with `index asc` walks terms; the default walks stored values. */
  readonly method?: "enum";
  /** `by` is an aggregate of this name in `facet`. */
  readonly sort?: "index asc" | "index desc" | "by asc" | "by desc";
  /** Values to skip. */
  readonly offset?: number;
  /** Asks shards again for values that others reported, so that counts are exact. */
  readonly refine?: true;
  /** For `enum`: terms with at least this many documents are cached as filters. */
  readonly cacheDf?: number;
  readonly domain?: Domain;
  readonly facet?: FacetTree;
}

/** Counts the documents that match a clause. */
export interface QueryFacet {
  readonly type: "query";
  readonly q: string;
  readonly domain?: Domain;
  readonly facet?: FacetTree;
}

/** Changes which documents a facet counts. */
interface Domain {
  /** Comma-separated tags of filters to ignore. */
  readonly excludeTags?: string;
  /** An additional filter. */
  readonly filter?: string;
}

/** Counts the documents in steps of a date field, with aggregates of each. */
interface RangeFacet {
  readonly type: "range";
  readonly field: string;
  /** Solr dates, and a step in Solr's date math. */
  readonly start: string;
  readonly end: string;
  readonly gap: string;
  readonly mincount: number;
  /** Counts what is before the start and after the end as well. */
  readonly other?: readonly ["before", "after"];
  readonly facet?: FacetTree;
}

/** By our own names; a string is an aggregate such as `sum(size)`. */
export type FacetTree = { readonly [name: string]: TermsFacet | QueryFacet | RangeFacet | string };

/**
 * Counts the documents of a clause.
 *
 * Uncached: otherwise the clause would evict filters of searches from Solr's cache. Solr always has the set of all documents.
 *
 * @param ignored tags of filters that are left out, separated by commas
 */
export const counting = (clause: string, ignored = "", facet?: FacetTree): QueryFacet => ({
  type: "query",
  q: clause === EVERYTHING ? clause : uncached(clause),
  ...(ignored !== "" && { domain: { excludeTags: ignored } }),
  ...(facet && { facet }),
});

/**
 * Every value of a field as stored, with its number of documents.
 *
 * Takes aggregates but no subfacets: Solr would look those up by the stored text among the lower-case terms, and find nothing.
 */
export const eachValue = (
  field: string,
  aggregates?: Readonly<Record<string, string>>,
): TermsFacet => ({
  type: "terms",
  field,
  limit: -1,
  ...(aggregates && { facet: aggregates }),
});

/**
 * Every term of a field, in lower case, with its number of documents in any spelling, and subfacets.
 *
 * Solr walks all documents of the field for each domain, so this goes outside and `eachValue` inside.
 */
export const eachTerm = (field: string, facet?: FacetTree): TermsFacet => ({
  type: "terms",
  field,
  limit: -1,
  method: "enum",
  sort: "index asc",
  ...(facet && { facet }),
});

/**
 * Solr holds a bit for each value of the index in a `unique()`, for each value of the innermost facet of stored values. With
 * `eachTerm` it holds those of one value at a time.
 */
export const MAX_UNIQUE_BITS = 2 ** 29;

/** Counts the documents per time step, for each date field (Solr Reference Guide, "Range Faceting"). */
export interface DateHistogram {
  readonly fields: readonly string[];
  /** Solr dates; `end` is the first instant after the last step. */
  readonly start: string;
  readonly end: string;
  /** Step length in Solr's date math, such as `+5YEARS`. */
  readonly gap: string;
}
