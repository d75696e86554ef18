/**
 * Validated input -> what Solr is asked. Pure: nothing here talks to anyone.
 *
 * Source: search-semantics, "Filters" and "Versions".
 */

import { InvalidParameters, type ParameterIssue } from "../errors.js";
import { Unreadable } from "../extent/period.js";
import { truthOf } from "../vocabulary/booleans.js";
import { DETAILS, isDetail, SEARCHABLE_DETAILS } from "../vocabulary/details.js";
import { type Flavour, searchableFacets, translation } from "../vocabulary/flavours.js";
import { unknownName } from "../vocabulary/unknown-name.js";
import { anyOf, clause, exactly, exists, literal, noneOf, wildcards } from "./lucene.js";
import { periodClause } from "./period-clause.js";
import { regionClause } from "./region-clause.js";
import type { Select } from "./select.js";

export type UniqKey = "file" | "uri";
/** `latest` holds the newest version of each data set, `files` holds all. */
export type Collection = "latest" | "files";

export interface SearchInput {
  readonly path: { readonly flavour: Flavour; readonly uniq_key: UniqKey };
  readonly query: {
    readonly "multi-version": boolean;
    readonly translate: boolean;
    readonly time?: readonly string[] | undefined;
    readonly time_select: Select;
    readonly bbox?: readonly string[] | undefined;
    readonly bbox_select: Select;
    readonly filters: Readonly<Record<string, readonly string[]>>;
  };
}

/** A search as Solr is asked: every filter must hold. */
export interface Search {
  readonly collection: Collection;
  readonly filters: readonly string[];
}

/** A value without wildcards that is searched for, or excluded. */
export interface NamedValue {
  /** The key, as the caller wrote it, without what negates it. */
  readonly name: string;
  /** The field of the schema. */
  readonly field: string;
  readonly value: string;
  /** Holds for the documents that have it. */
  readonly clause: string;
  /** Whether what is found may have it; else it is excluded. */
  readonly included: boolean;
  /** Whether whatever is found has it. */
  readonly alone: boolean;
}

/** All that one key of a search asks for, or all that it excludes. */
export interface Constraint {
  /** The key, as the caller wrote it, without what negates it. */
  readonly name: string;
  /** By which all flavours know it. */
  readonly native: string;
  /** The field of the schema whose values can be told; undefined of periods, boxes and flags. */
  readonly field: string | undefined;
  /** As the caller wrote them, without what negates them. */
  readonly values: readonly string[];
  /** Whether what is found has one of them; else none. */
  readonly included: boolean;
  /** Of each value, in their order: holds for the documents that have it. */
  readonly clauses: readonly string[];
  /** Holds for the documents that it lets through. */
  readonly filter: string;
}

/** A value of a search, under the native name of its facet. */
export interface SearchedValue {
  readonly key: string;
  readonly value: string;
  readonly isExcluded: boolean;
}

/** A search, with what is said of it to whoever asked. */
export interface FacetSearch extends Search {
  /** What stands in `filters` for the flavour and the key of the path. */
  readonly base: readonly string[];
  /** The others, one after the other. */
  readonly constraints: readonly Constraint[];
  /** The documents that the flavour can see, in any version. */
  readonly population: Search;
  /** What can be held against them: no user's name, which is nobody's business. */
  readonly values: readonly NamedValue[];
  /** Every value that was asked for, for those who count what is searched. */
  readonly asked: readonly SearchedValue[];
}

/** More values than this in one search are refused: Solr bounds the clauses of a query. */
const MAX_VALUES = 1000;

/** The same of wildcards: each costs Solr a walk over all values of a field, in which nothing stops it. */
const MAX_WILDCARDS = 200;

/** How the values of one query key become clauses. */
interface Key {
  /** By which all flavours know it. */
  readonly native: string;
  /** Marks before a value that negate it; `-` is a sign where values are dates or degrees. */
  readonly negation: RegExp;
  /** Of those whose values can be known or unknown. */
  readonly field?: string;
  clause(value: string): string;
}

const TEXT_NEGATION = /^(?:not |!|-)\s*/;
const NUMERIC_NEGATION = /^(?:not |!)\s*/;

const textKey = (field: string): Key => ({
  native: field,
  negation: TEXT_NEGATION,
  ...(field !== "user" && { field }),
  clause: (value) => clause(field, value),
});

/** Of what is true or false no value can be unknown. */
const flagKey = (field: string): Key => ({
  native: field,
  negation: TEXT_NEGATION,
  clause: (value) => {
    const flag = truthOf(value);
    if (flag === undefined) throw new Unreadable("must be true or false");
    return exactly(field, String(flag));
  },
});

/** The keys that a search understands, by name. */
function keysOf({ path, query }: SearchInput): Map<string, Key> {
  const { name } = translation(path.flavour, query.translate);
  const facets = searchableFacets(path.flavour);
  const keys = new Map(facets.map((facet) => [name(facet), textKey(facet)]));
  for (const field of ["file", "uri"]) keys.set(field, textKey(field));
  for (const field of SEARCHABLE_DETAILS) {
    keys.set(field, DETAILS[field].kind === "flag" ? flagKey(field) : textKey(field));
  }
  if (query["multi-version"]) keys.set("version", textKey("version"));
  keys.set("time", {
    native: "time",
    negation: NUMERIC_NEGATION,
    clause: (value) => periodClause(value, query.time_select),
  });
  keys.set("bbox", {
    native: "bbox",
    negation: NUMERIC_NEGATION,
    clause: (value) => regionClause(value, query.bbox_select),
  });
  return keys;
}

const EXCLUDES = "_not_";

function unknownKey(name: string, { path, query }: SearchInput, known: readonly string[]): string {
  if (name === "version") return "can be searched with multi-version=true only";
  if (isDetail(name)) return "cannot be searched by: it has no values but a range";
  const naming = { flavour: path.flavour, translate: query.translate };
  return unknownName(name, naming, known);
}

/** A number alone is no box, but four of them are one that was written as a list. */
function oneBox(boxes: readonly string[] | undefined): readonly string[] | undefined {
  const isList = boxes?.length === 4 && boxes.every((text) => !text.includes(","));
  return isList ? [boxes.join(",")] : boxes;
}

/** The values of one key, included or excluded, each with its clause. */
interface Chosen {
  readonly native: string;
  readonly field: string | undefined;
  readonly values: string[];
  readonly clauses: string[];
}

/**
 * What Solr is asked for a search.
 *
 * @throws InvalidParameters that names every key and value which is not valid
 */
export function buildSearch(input: SearchInput): FacetSearch {
  const { path, query } = input;
  const keys = keysOf(input);
  const issues: ParameterIssue[] = [];
  const included = new Map<string, Chosen>();
  const excluded = new Map<string, Chosen>();
  const given = Object.entries({ time: query.time, bbox: oneBox(query.bbox), ...query.filters });
  let count = 0;
  let wild = 0;

  for (const [name, values = []] of given) {
    const base = name.endsWith(EXCLUDES) ? name.slice(0, -EXCLUDES.length) : name;
    const key = keys.get(base);
    if (key === undefined) {
      issues.push({ name, in: "query", reason: unknownKey(base, input, [...keys.keys()]) });
      continue;
    }
    for (const value of values) {
      count += 1;
      wild += wildcards(value);
      const bare = value.replace(key.negation, "");
      const target = bare !== value || base !== name ? excluded : included;
      const chosen = target.get(base) ?? {
        ...{ native: key.native, field: key.field },
        ...{ values: [], clauses: [] },
      };
      target.set(base, chosen);
      try {
        if (bare === "") throw new Unreadable("must not be empty");
        chosen.clauses.push(key.clause(bare));
        chosen.values.push(bare);
      } catch (error) {
        if (!(error instanceof Unreadable)) throw error;
        issues.push({ name, in: "query", reason: error.message });
      }
    }
  }
  if (count > MAX_VALUES) {
    issues.push({ name: "filters", in: "query", reason: `has more than ${MAX_VALUES} values` });
  }
  if (wild > MAX_WILDCARDS) {
    issues.push({
      name: "filters",
      in: "query",
      reason: `has more than ${MAX_WILDCARDS} wildcards`,
    });
  }
  if (issues.length > 0) throw new InvalidParameters(issues);

  const population = path.flavour.userData === "only" ? exists("user") : noneOf([exists("user")]);
  // Where URIs are asked for, what has none is not part of the result, in lists and counts alike.
  const base = [population, ...(path.uniq_key === "uri" ? [exists("uri")] : [])];
  const constraints = [...constraintsOf(included, true), ...constraintsOf(excluded, false)];
  return {
    collection: query["multi-version"] ? "files" : "latest",
    ...{ base, constraints },
    filters: [...base, ...constraints.map(({ filter }) => filter)],
    population: { collection: "files", filters: [population] },
    values: [...namedValues(included, true), ...namedValues(excluded, false)],
    asked: [...askedValues(included, false), ...askedValues(excluded, true)],
  };
}

const askedValues = (chosen: ReadonlyMap<string, Chosen>, isExcluded: boolean): SearchedValue[] =>
  [...chosen.values()].flatMap(({ native: key, values }) =>
    values.map((value) => ({ key, value, isExcluded })),
  );

function constraintsOf(chosen: ReadonlyMap<string, Chosen>, included: boolean): Constraint[] {
  return [...chosen].map(([name, { native, field, values, clauses }]) => {
    const filter = included ? anyOf(clauses) : noneOf(clauses);
    return { name, native, field, values, included, clauses, filter };
  });
}

/** The values that can be known or unknown. */
function namedValues(chosen: ReadonlyMap<string, Chosen>, included: boolean): NamedValue[] {
  return [...chosen].flatMap(([name, { field, values, clauses }]) => {
    if (field === undefined) return [];
    const alone = included && values.length === 1;
    return values.flatMap((text, index) => {
      const value = literal(text);
      const clause = clauses[index];
      if (value === undefined || clause === undefined) return [];
      return [{ name, field, value, clause, included, alone }];
    });
  });
}
