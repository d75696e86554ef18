/** Turns validated input into a Solr search. Source: search-semantics, "Filters" and "Versions". */
import { InvalidParameters, type ParameterIssue } from "../errors.js";
import { Unreadable } from "../extent/period.js";
import { DETAILS, isDetail, SEARCHABLE_DETAILS } from "../vocabulary/details.js";
import { type Flavour, madeOnce, searchableFacets, translation } from "../vocabulary/flavours.js";
import { EXCLUDES, truthOf } from "../vocabulary/query-words.js";
import { unknownName } from "../vocabulary/unknown-name.js";
import { anyOf, clause, exactly, exists, newest, noneOf, wildcards } from "./lucene.js";
import { periodClause, type Select } from "./period-clause.js";
import { regionClause } from "./region-clause.js";

export type UniqKey = "file" | "uri";

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

/** Every filter must match. */
export interface Search {
  readonly filters: readonly string[];
}

/** The included, or the excluded, values of one search key. */
export interface Constraint {
  /** The key as the caller wrote it, without negation. */
  readonly name: string;
  /** The native name of the key. */
  readonly native: string;
  /** Schema field; undefined for periods, boxes, flags and names of users, whose values are not reported. */
  readonly field: string | undefined;
  readonly isFlag: boolean;
  /** As the caller wrote them, without negation. */
  readonly values: readonly string[];
  readonly included: boolean;
  /** Matches the documents with each value, in the same order. */
  readonly clauses: readonly string[];
  /** Matches the documents that satisfy the constraint. */
  readonly filter: string;
}

/** A value of a search, with the native name of its key. */
export interface SearchedValue {
  readonly key: string;
  readonly value: string;
  readonly isExcluded: boolean;
}

/** A search, with the parts that explain and record it. */
export interface FacetSearch extends Search {
  /** Whether it finds all versions of a file, not only the newest. */
  readonly isMultiVersion: boolean;
  /** The filters for the flavour, the versions and the key of the path. */
  readonly base: readonly string[];
  readonly constraints: readonly Constraint[];
  /** All documents of the flavour, in any version. */
  readonly population: Search;
  /** All searched values, for statistics. */
  readonly searchedValues: readonly SearchedValue[];
}

/** Solr limits the clauses of a query. */
const MAX_VALUES = 1000;

/** For each wildcard Solr walks all values of a field, and its time limit does not stop that. */
const MAX_WILDCARDS = 200;

/** How the values of a search key become clauses. */
interface Key {
  /** The key in the native flavour. */
  readonly native: string;
  /** The prefixes that negate a value; `-` is a sign in dates and degrees. */
  readonly negation: RegExp;
  /** For keys whose values can be reported as unknown. */
  readonly field?: string;
  readonly isFlag?: true;
  clause(value: string, query: SearchInput["query"]): string;
}

const TEXT_NEGATION = /^(?:not |!|-)\s*/;
const NUMERIC_NEGATION = /^(?:not |!)\s*/;

const textKey = (field: string): Key => ({
  native: field,
  negation: TEXT_NEGATION,
  ...(field !== "user" && { field }),
  clause: (value) => clause(field, value),
});

/** Flags have no `field`: their values cannot be unknown. */
const flagKey = (field: string): Key => ({
  native: field,
  negation: TEXT_NEGATION,
  isFlag: true,
  clause: (value) => {
    const flag = truthOf(value);
    if (flag === undefined) throw new Unreadable("must be true or false");
    return exactly(field, String(flag));
  },
});

/** The keys whose meaning no flavour changes. */
const COMMON: readonly (readonly [name: string, Key])[] = [
  ...["file", "uri"].map((field) => [field, textKey(field)] as const),
  ...SEARCHABLE_DETAILS.map(
    (field) => [field, DETAILS[field].kind === "flag" ? flagKey(field) : textKey(field)] as const,
  ),
  [
    "time",
    {
      native: "time",
      negation: NUMERIC_NEGATION,
      clause: (value, query) => periodClause(value, query.time_select),
    },
  ],
  [
    "bbox",
    {
      native: "bbox",
      negation: NUMERIC_NEGATION,
      clause: (value, query) => regionClause(value, query.bbox_select),
    },
  ],
];

/** The search keys of a flavour, by name. `version` is one only where all versions are searched. */
const keysIn = (isTranslated: boolean) =>
  madeOnce((flavour): ReadonlyMap<string, Key> => {
    const { name } = translation(flavour, isTranslated);
    const facets = searchableFacets(flavour).map((facet) => [name(facet), textKey(facet)] as const);
    return new Map([...facets, ...COMMON, ["version", textKey("version")]]);
  });
const keysInFlavour = keysIn(true);
const nativeKeys = keysIn(false);

function unknownKey(
  name: string,
  { path, query }: SearchInput,
  known: readonly string[],
  before: number,
): string {
  if (isDetail(name)) return "cannot be searched: it is a range without discrete values";
  const naming = { flavour: path.flavour, translate: query.translate };
  return unknownName(name, naming, known, before);
}

/** Four boxes without commas are one box, written as a list of numbers. */
function oneBox(boxes: readonly string[] | undefined): readonly string[] | undefined {
  const isList = boxes?.length === 4 && boxes.every((text) => !text.includes(","));
  return isList ? [boxes.join(",")] : boxes;
}

/** The values of one search key while they are read. */
interface Chosen extends Omit<Constraint, "filter"> {
  readonly values: string[];
  readonly clauses: string[];
}

/** Reads keys and values. @throws InvalidParameters with an issue for each invalid key and value */
function constraintsOf(input: SearchInput): Constraint[] {
  const { path, query } = input;
  const keys = (query.translate ? keysInFlavour : nativeKeys)(path.flavour);
  const names = (): string[] =>
    [...keys.keys()].filter((name) => name !== "version" || query["multi-version"]);
  const issues: ParameterIssue[] = [];
  const [including, excluding] = [new Map<string, Chosen>(), new Map<string, Chosen>()];
  let count = 0;
  let wildcardCount = 0;
  const given = Object.entries({ time: query.time, bbox: oneBox(query.bbox), ...query.filters });
  for (const [name, values = []] of given) {
    const base = name.endsWith(EXCLUDES) ? name.slice(0, -EXCLUDES.length) : name;
    const key = base === "version" && !query["multi-version"] ? undefined : keys.get(base);
    if (key === undefined) {
      issues.push({ name, in: "query", reason: unknownKey(base, input, names(), issues.length) });
      continue;
    }
    for (const value of values) {
      count += 1;
      wildcardCount += wildcards(value);
      const bare = value.replace(key.negation, "");
      const included = bare === value && base === name;
      const target = included ? including : excluding;
      const { native, field, isFlag = false } = key;
      const shared = { name: base, native, field, isFlag, included };
      const chosen = target.get(base) ?? { ...shared, values: [], clauses: [] };
      target.set(base, chosen);
      try {
        if (bare === "") throw new Unreadable("must not be empty");
        chosen.clauses.push(key.clause(bare, query));
        chosen.values.push(bare);
      } catch (error) {
        if (!(error instanceof Unreadable)) throw error;
        issues.push({ name, in: "query", reason: error.message });
      }
    }
  }
  if (count > MAX_VALUES) issues.push(tooMany(count, MAX_VALUES, "values"));
  if (wildcardCount > MAX_WILDCARDS)
    issues.push(tooMany(wildcardCount, MAX_WILDCARDS, "wildcards"));
  if (issues.length > 0) throw new InvalidParameters(issues);
  return [...including.values(), ...excluding.values()].map((chosen) => ({
    ...chosen,
    filter: chosen.included ? anyOf(chosen.clauses) : noneOf(chosen.clauses),
  }));
}

const tooMany = (found: number, limit: number, things: string): ParameterIssue => ({
  name: "filters",
  in: "query",
  reason: `has ${found} ${things}; at most ${limit} are allowed`,
});

/** Builds the search. @throws InvalidParameters with an issue for each invalid key and value */
export function buildSearch(input: SearchInput): FacetSearch {
  const { path, query } = input;
  const constraints = constraintsOf(input);
  const isUserData = path.flavour.userData === "only";
  const isMultiVersion = query["multi-version"];
  const population = isUserData ? exists("user") : noneOf([exists("user")]);
  // User data have a single version.
  const versions = isUserData || isMultiVersion ? population : newest(population);
  // A search for URIs leaves out documents without one, in lists and counts alike.
  const base = [versions, ...(path.uniq_key === "uri" ? [exists("uri")] : [])];
  return {
    isMultiVersion,
    base,
    constraints,
    filters: [...base, ...constraints.map(({ filter }) => filter)],
    population: { filters: [population] },
    searchedValues: constraints.flatMap(({ native: key, values, included }) =>
      values.map((value) => ({ key, value, isExcluded: !included })),
    ),
  };
}
