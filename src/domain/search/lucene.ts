/**
 * Text of a caller -> Lucene query text. Escaping stands here and nowhere else.
 *
 * In a caller's value `*` and `?` are wildcards and `\*` and `\?` the characters themselves; every
 * other character, a backslash included, means itself (search-semantics, "Filters").
 */

type Token = { readonly literal: string } | { readonly wildcard: "*" | "?" };

function tokens(value: string): Token[] {
  const found = value.match(/\\[*?]|\*+|\?|(?:(?!\\[*?])[^*?])+/gsu) ?? [];
  return found.map((text) => {
    if (text === "?") return { wildcard: text };
    // A run of stars means one; each of them would cost another state of the automaton.
    if (text.startsWith("*")) return { wildcard: "*" };
    return { literal: text === "\\*" || text === "\\?" ? text.slice(1) : text };
  });
}

/** How many wildcards a caller's value has. */
export const wildcards = (value: string): number =>
  tokens(value).filter((token) => "wildcard" in token).length;

/** The one text that a caller's value stands for; undefined where it has wildcards. */
export function literal(value: string): string | undefined {
  let text = "";
  for (const token of tokens(value)) {
    if (!("literal" in token)) return undefined;
    text += token.literal;
  }
  return text;
}

/** The value that stands for exactly this text: its wildcards are taken literally. */
export const literally = (text: string): string => text.replace(/[*?]/g, "\\$&");

/** Inside quotes only the quote and the backslash are special, and no word is an operator. */
const quote = (text: string): string => `"${text.replace(/["\\]/g, "\\$&")}"`;

/** Outside quotes everything is escaped but letters and digits, which a backslash could change. */
const escapeBare = (text: string): string => text.replace(/[^\p{L}\p{N}_]/gu, "\\$&");

/**
 * A clause that holds where a field has a value.
 *
 * @param field a field of the schema, never a caller's text
 * @param value a caller's text, with wildcards
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

/** A clause that holds where a field has exactly this value; nothing in it is a wildcard. */
export const exactly = (field: string, value: string): string => `${field}:${quote(value)}`;

/** A clause that holds where a field begins with this text; nothing in it is a wildcard. */
export const startsWith = (field: string, text: string): string => `${field}:${escapeBare(text)}*`;

/** A clause that holds where a field is sorted before this text, of letters and digits. */
export const before = (field: string, text: string): string => `${field}:[* TO ${text}}`;

/**
 * A clause that holds where a field has a value that few slips make of this text: a character too many, too few, another,
 * or two that changed places. Of very many such values Solr takes the nearest fifty.
 *
 * @param text in lower case
 */
export const misspelled = (field: string, text: string, slips: 1 | 2): string =>
  `${field}:${escapeBare(text)}~${slips}`;

/** A clause that holds where a field has these letters, whatever of `-`, `_`, `.` and blanks is between them. @param letters in lower case */
export const sameLetters = (field: string, letters: string): string => {
  const between = "[\\-_\\. ]*";
  return `${field}:/${["", ...Array.from(letters, escapeBare), ""].join(between)}/`;
};

/** A clause in another query parser's language, which must hold no caller's text. */
export const nested = (parser: string, text: string): string => `_query_:${quote(parser + text)}`;

/** Holds where any of the clauses holds. */
export const anyOf = (clauses: readonly string[]): string =>
  clauses.length === 1 ? (clauses[0] ?? "") : `(${clauses.join(" OR ")})`;

/** Holds where all of the clauses hold; they must be none that only exclude. */
export const allOf = (clauses: readonly string[]): string =>
  clauses.length === 1 ? (clauses[0] ?? "") : `(${clauses.map((one) => `+${one}`).join(" ")})`;

/** Holds where all of the clauses hold, also of those that only exclude (`noneOf`). */
export function everyOf(clauses: readonly string[]): string {
  const isExcluding = (one: string): boolean => one.startsWith("-");
  // A query that only excludes finds nothing inside of another.
  const from = clauses.every(isExcluding) ? ["+*:*"] : [];
  const parts = clauses.map((one) => (isExcluding(one) ? one : `+${one}`));
  return `(${[...from, ...parts].join(" ")})`;
}

/** Holds where none of the clauses holds. */
export const noneOf = (clauses: readonly string[]): string => `-${anyOf(clauses)}`;

/** Holds where a field has any value. */
export const exists = (field: string): string => `${field}:*`;

/** A filter with a name by which a facet can leave it out of account. @param tag of ours: a letter and a number */
export const tagged = (tag: string, clause: string): string => `{!tag=${tag}}${clause}`;

/** A filter that is asked for once: kept, it would push out those that many searches share. */
export const unshared = (clause: string): string => `{!cache=false}${clause}`;

/**
 * The characters that mean themselves in quoted local parameters, Lucene's syntax, a /stream expression, JSON and macros.
 * All others are coded, in case one of these gives them a meaning some day.
 */
const CODED = /[^A-Za-z0-9_]/g;

/** A text whose other characters are written as `\uXXXX`, which all of these read. */
export const coded = (text: string): string =>
  text.replace(CODED, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** Holds where a field of text with docValues has this text, or one that is sorted behind it. Walks over all documents. */
export const notBefore = (field: string, text: string): string =>
  `{!frange l='${coded(text)}' cache=false}${field}`;

/** The same without this text itself. */
export const behind = (field: string, text: string): string =>
  `{!frange l='${coded(text)}' incl=false cache=false}${field}`;

/**
 * Holds where a field has one of these terms. Many more may be given than a query has clauses.
 *
 * @param terms as they are in the index: in lower case, where the field compares in any case
 */
export function hasTerm(field: string, terms: readonly string[]): string {
  // Terms are parted by a text that none of them has, also together with what stands beside it.
  let separator = "\u0001";
  while (terms.some((term) => term.includes(separator))) separator += "\u0002";
  return `{!terms f=${field} separator='${separator}' cache=false}${terms.join(separator)}`;
}
