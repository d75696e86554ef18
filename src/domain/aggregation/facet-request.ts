/** What is asked of Solr's JSON facets (Solr Reference Guide, "JSON Facet API"), as far as it is used here. */

/** Of each value of a field how many documents have it. */
export interface TermsFacet {
  readonly type: "terms";
  readonly field: string;
  /** -1 for all. */
  readonly limit: number;
  /** `enum` in the order of the index goes by terms, else Solr goes by stored values. */
  readonly method?: "enum";
  readonly sort?: "index asc";
  /** Of several shards: counts what is told in all of them. */
  readonly refine?: true;
  /** By terms: the documents of those that at least so many have are kept among Solr's filters. */
  readonly cacheDf?: number;
  readonly domain?: Domain;
  readonly facet?: FacetTree;
}

/** Documents of which a clause holds. */
export interface QueryFacet {
  readonly type: "query";
  readonly q: string;
  readonly domain?: Domain;
  readonly facet?: FacetTree;
}

/** Other documents than those that are found. */
export interface Domain {
  /** Filters that do not count, by their tags; with a comma between them. */
  readonly excludeTags?: string;
  /** One more that counts here alone. */
  readonly filter?: string;
}

/** By names of ours; a text is an aggregate, such as `sum(size)`. */
export type FacetTree = { readonly [name: string]: TermsFacet | QueryFacet | string };

/**
 * Every value of a field as it was stored, with the number of its documents. Of their documents only aggregates can be told,
 * which Solr sums up on its way, and no further facets: it would look for these by the stored text among terms, which
 * are in lower case, and find nothing.
 */
export const eachValue = (
  field: string,
  aggregates?: Readonly<Record<string, string>>,
): TermsFacet => ({
  ...{ type: "terms", field, limit: -1 },
  ...(aggregates && { facet: aggregates }),
});

/**
 * Every term of a field, in lower case, with the number of its documents in any spelling, and what is asked about them. Goes
 * through all documents of the field for each domain, so it stands outside and `eachValue` inside.
 */
export const eachTerm = (field: string, facet?: FacetTree): TermsFacet => ({
  ...{ type: "terms", field, limit: -1, method: "enum", sort: "index asc" },
  ...(facet && { facet }),
});

/**
 * The same inside of another facet, for few terms: their documents are kept among Solr's filters, so that they are gone through
 * once, and not for each value outside.
 */
export const eachKeptTerm = (field: string, facet?: FacetTree): TermsFacet => ({
  ...eachTerm(field, facet),
  cacheDf: 1,
});

/** Every value of a field of plain text, of which there are few, and what is asked about its documents. */
export const eachText = (field: string, facet: FacetTree): TermsFacet => ({
  ...eachValue(field),
  facet,
});
