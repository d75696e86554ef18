/**
 * Builds Lucene queries. All escaping happens here.
 *
 * In callers' values `*` and `?` are wildcards, and `\*` and `\?` the characters themselves. Every other character stands for
 * itself, including the backslash (search-semantics, "Filters").
 */

import { lowerCase } from "../text/case-folding.js";

type Token = { readonly literal: string } | { readonly wildcard: "*" | "?" };

function tokens(value: string): Token[] {
  const found = value.match(/\\[*?]|\*+|\?|(?:(?!\\[*?])[^*?])+/gsu) ?? [];
  return found.map((text) => {
    if (text === "?") return { wildcard: text };
    // Each star costs a state of the automaton, so a run of stars becomes one.
    if (text.startsWith("*")) return { wildcard: "*" };
    return { literal: text === "\\*" || text === "\\?" ? text.slice(1) : text };
  });
}

/** Number of wildcards in a caller's value. */
export const wildcards = (value: string): number =>
  tokens(value).filter((token) => "wildcard" in token).length;

/** The exact text of a caller's value; undefined if it has wildcards. */
export function literal(value: string): string | undefined {
  let text = "";
  for (const token of tokens(value)) {
    if (!("literal" in token)) return undefined;
    text += token.literal;
  }
  return text;
}

/** The value that matches exactly this text: its wildcards are escaped. */
export const literally = (text: string): string => text.replace(/[*?]/g, "\\$&");

/** Inside quotes, only the quote and the backslash are special. */
const quote = (text: string): string => `"${text.replace(/["\\]/g, "\\$&")}"`;

/** Escapes all but letters and digits, whose meaning a backslash could change. */
const escapeBare = (text: string): string => text.replace(/[^\p{L}\p{N}_]/gu, "\\$&");

/**
 * Matches a value of a field.
 *
 * @param field a schema field, never a caller's text
 * @param value a caller's text, possibly with wildcards
 */
export function clause(field: string, value: string): string {
  const parts = tokens(value);
  const literals = parts.map((part) => ("literal" in part ? part.literal : undefined));
  if (!literals.includes(undefined)) return `${field}:${quote(literals.join(""))}`;
  const pattern = parts.map((part) =>
    "literal" in part ? escapeBare(part.literal) : part.wildcard,
  );
  return `${field}:${pattern.join("")}`;
}

/** Matches exactly this value; `*` and `?` are literal. */
export const exactly = (field: string, value: string): string => `${field}:${quote(value)}`;

/** Matches documents whose only value is this one, in any case; `*` and `?` are literal. */
export const onlyValue = (field: string, value: string): string =>
  everyOf([
    exactly(field, value),
    noneOf([`${field}:[* TO ${quote(value)}}`, `${field}:{${quote(value)} TO *]`]),
  ]);

/** Matches values that begin with this text; `*` and `?` are literal. */
export const startsWith = (field: string, text: string): string => `${field}:${escapeBare(text)}*`;

/** Matches values in which this text occurs; `*` and `?` are literal. */
export const contains = (field: string, text: string): string => `${field}:*${escapeBare(text)}*`;

/** Matches values sorted before a text of letters and digits. */
export const sortedBefore = (field: string, text: string): string => `${field}:[* TO ${text}}`;

/**
 * Matches values within an edit distance: a character added, missing or changed, or two neighbours swapped. Solr takes at most
 * the nearest fifty values.
 *
 * @param text in lower case
 */
export const fuzzy = (field: string, text: string, distance: 1 | 2): string =>
  `${field}:${escapeBare(text)}~${distance}`;
/** A clause that holds where a field has these letters, whatever of `-`, `_`, `.` and blanks is between them. @param letters in lower case */
export const sameLetters = (field: string, letters: string): string => {
  const between = "[\\-_\\. ]*";
  return `${field}:/${["", ...Array.from(letters, escapeBare), ""].join(between)}/`;
};
/** A clause in another query parser's language, which must hold no caller's text. */
export const nested = (parser: string, text: string): string => `_query_:${quote(parser + text)}`;

/** Matches any of the clauses; nothing if there are none. */
export function anyOf(clauses: readonly string[]): string {
  const [first = NOTHING, ...others] = clauses;
  return others.length === 0 ? first : `(${clauses.join(" OR ")})`;
}

/** Matches all of the clauses, none of which may be purely negative. */
export const allOf = (clauses: readonly string[]): string =>
  clauses.length === 1 ? (clauses[0] ?? "") : `(${clauses.map((one) => `+${one}`).join(" ")})`;

/** Matches all of the clauses, which may be purely negative (`noneOf`). */
export function everyOf(clauses: readonly string[]): string {
  const isExcluding = (one: string): boolean => one.startsWith("-");
  // Inside another query, a purely negative one matches nothing.
  const from = clauses.every(isExcluding) ? ["+*:*"] : [];
  const parts = clauses.map((one) => (isExcluding(one) ? one : `+${one}`));
  return `(${[...from, ...parts].join(" ")})`;
}

export const noneOf = (clauses: readonly string[]): string => `-${anyOf(clauses)}`;

/** From documents to those of the versions that they hide. Both are in the same shard. */
const REPLACED = "{!join from=_replaces_ to=_dataset_version_}";

/**
 * Matches the newest versions of datasets among the documents of a clause. Versions that a document hides are left out even if they
 * are marked: several documents cannot change in one step (`_replaces_` in schema.xml).
 *
 * @param clause may be purely negative
 */
export const newest = (clause: string): string =>
  everyOf(["latest:true", clause, noneOf([nested(REPLACED, exists("_replaces_"))])]);

/** Matches documents that have the field. */
export const exists = (field: string): string => `${field}:*`;

/** A filter that facets can exclude by its tag. @param tag our own: letters and digits */
export const tagged = (tag: string, clause: string): string => `{!tag=${tag}}${clause}`;

/** A clause whose documents Solr caches, for the other queries that contain it. */
export const cached = (clause: string): string => `filter(${clause})`;

/** A filter that Solr does not cache, so that it does not evict filters that many searches share. */
export const uncached = (clause: string): string => `{!cache=false}${clause}`;

/**
 * The characters that are literal in quoted local parameters, Lucene's syntax, JSON and macros. All
 * others are escaped, in case one of these gives them a meaning.
 */
const CODED = /[^A-Za-z0-9_]/g;

/** Writes all other characters as `\uXXXX`, which each of these syntaxes reads. */
export const coded = (text: string): string =>
  text.replace(CODED, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** Matches a text field with docValues whose value is sorted at or after this text. Walks all documents. */
export const sortedFrom = (field: string, text: string): string =>
  `{!frange l='${coded(text)}' cache=false}${field}`;

/** As sortedFrom, without the text itself. */
export const sortedAfter = (field: string, text: string): string =>
  `{!frange l='${coded(text)}' incl=false cache=false}${field}`;

/** As sortedAfter, for the values before this text. */
export const sortedBeforeText = (field: string, text: string): string =>
  `{!frange u='${coded(text)}' incu=false cache=false}${field}`;

/**
 * Matches documents with any of these terms; there may be more than a query can have clauses.
 *
 * @param terms as indexed: in lower case if the field ignores case
 */
export function hasTerm(field: string, terms: readonly string[]): string {
  // The separator must not occur in a term, nor across the border of two terms.
  let separator = "\u0001";
  while (terms.some((term) => term.includes(separator))) separator += "\u0002";
  return `{!terms f=${field} separator='${separator}' cache=false}${terms.join(separator)}`;
}

/** Matches all documents but these; may stand inside any other clause. */
export const allBut = (clause: string): string => everyOf([noneOf([clause])]);

export const EVERYTHING = "*:*";
export const NOTHING = allBut(EVERYTHING);

/**
 * Matches documents with one of these values as they are written, with regard to case.
 *
 * @param field a facet, whose indexed terms are in lower case, or a text field that is not indexed
 * @param isIndexed whether Solr can find candidates by terms, which saves it reading the values of all documents
 */
export function hasValue(field: string, values: readonly string[], isIndexed = true): string {
  const written = hasTerm(field, values).replace("{!terms", "{!terms method=docValuesTermsFilter");
  const exact = `_query_:${quote(written)}`;
  if (!isIndexed) return exact;
  return allOf([`_query_:${quote(hasTerm(field, values.map(lowerCase)))}`, exact]);
}

/**
 * Matches documents with the same value of a field as a document that all clauses match. On SolrCloud only documents of one
 * shard are compared.
 *
 * @param field with docValues and one value
 * @param clauses may be purely negative (`noneOf`)
 */
export const ofSame = (field: string, clauses: readonly string[]): string =>
  nested(`{!join from=${field} to=${field} method=topLevelDV}`, everyOf(clauses));

/** Matches values from one bound to another; `*` is open. @param from, to Solr's dates or numbers, never a caller's text */
export const inRange = (field: string, from: string, to: string): string =>
  `${field}:[${from} TO ${to}]`;
