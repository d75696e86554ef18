/**
 * The union of several searches, each document once.
 *
 * Solr limits the clauses of a query (4096 here) and evaluates each. So common parts are stated once, and searches that
 * differ only in a dataset or a file are merged into one with several values.
 */
import { groupBy } from "../../platform/group-by.js";
import { anyOf, everyOf, uncached } from "./lucene.js";
import type { Constraint, FacetSearch, Search } from "./search.js";

/** The items of a cart are selected by these fields. */
const NAMED = ["dataset_id", "file"] as const;

/** One search that finds what any of these finds. */
export function unionOf(searches: readonly FacetSearch[]): Search {
  const [first, ...others] = searches;
  const base = first?.base ?? [];
  if (!others.every((search) => keyOf(search.base) === keyOf(base))) {
    return { filters: [uncached(alternatives(searches))] };
  }
  const found = anyConstraints(searches);
  return { filters: found === undefined ? base : [...base, uncached(found)] };
}

/** One clause that matches the union. */
function alternatives(searches: readonly FacetSearch[]): string {
  const byBase = groupBy(searches, ({ base }) => keyOf(base));
  return anyOf(
    [...byBase.values()].map((some) => {
      const found = anyConstraints(some);
      return everyOf([...(some[0]?.base ?? []), ...(found === undefined ? [] : [found])]);
    }),
  );
}

/** Matches the constraints of any of the searches, which share a base; undefined if one has no constraints. */
function anyConstraints(searches: readonly FacetSearch[]): string | undefined {
  let sets = searches.map(({ constraints }) => constraints);
  if (sets.some((constraints) => constraints.length === 0)) return undefined;
  for (const field of NAMED) sets = mergedBy(field, sets);
  const clauses = sets.map((set) => everyOf(set.map(({ filter }) => filter)));
  return anyOf([...new Set(clauses)]);
}

type Constraints = readonly Constraint[];

/** Merges sets that differ only in the values of one field. */
function mergedBy(field: string, sets: readonly Constraints[]): Constraints[] {
  const isNamed = (one: Constraint): boolean => one.included && one.field === field;
  const having = sets.filter((set) => set.some(isNamed));
  const lacking = sets.filter((set) => !set.some(isNamed));
  const alike = groupBy(having, (set) =>
    keyOf(set.filter((one) => !isNamed(one)).map(({ filter }) => filter)),
  );
  const merged = [...alike.values()].map((some): Constraints => {
    const [first = []] = some;
    const clauses = [...new Set(some.flatMap((set) => set.find(isNamed)?.clauses ?? []))];
    return first.map((one) => (isNamed(one) ? { ...one, clauses, filter: anyOf(clauses) } : one));
  });
  return [...merged, ...lacking];
}

const keyOf = (filters: readonly string[]): string => JSON.stringify([...filters].sort());
