/**
 * What at least one of several searches finds, each document once.
 *
 * Solr bounds the clauses of a query (4096 here) and looks at each: so what searches have in common is said once, and those that
 * differ in nothing but a dataset or a file become one with several values.
 */
import { anyOf, everyOf, noneOf, unshared } from "./lucene.js";
import type { Collection, Constraint, FacetSearch, Search } from "./search.js";

/** What of a cart is asked for by its name. */
const NAMED = ["dataset_id", "file"] as const;

/** The order in which they are read: what the first finds, the second is not to give again. */
const ORDER: readonly Collection[] = ["files", "latest"];

/**
 * Searches that together find what any of these finds, and none of which finds what another does: one where all are of the newest
 * versions, or all of all versions; else one of each, as these lie in different collections. Every document of `latest` is
 * in `files` as well, so what the second is not to find again, the filters of the first tell.
 */
export function unionOf(searches: readonly FacetSearch[]): Search[] {
  const parts = ORDER.map((collection) => ({
    collection,
    searches: searches.filter((search) => search.collection === collection),
  })).filter((part) => part.searches.length > 0);
  return parts.map(({ collection, searches }, index) => {
    const before = parts.slice(0, index).map((part) =>
      // Said so that it finds something by itself: not every parser of filters mends one that only excludes.
      unshared(everyOf([noneOf([alternatives(part.searches)])])),
    );
    return { collection, filters: [...union(searches), ...before] };
  });
}

/** Filters that all hold for what any of the searches finds. */
function union(searches: readonly FacetSearch[]): string[] {
  const [first, ...others] = searches;
  const base = first?.base ?? [];
  if (!others.every((search) => keyOf(search.base) === keyOf(base))) {
    return [unshared(alternatives(searches))];
  }
  const found = anyOfThem(searches);
  return found === undefined ? [...base] : [...base, unshared(found)];
}

/** One clause that holds for what any of the searches finds. */
function alternatives(searches: readonly FacetSearch[]): string {
  const byBase = groupBy(searches, ({ base }) => keyOf(base));
  return anyOf(
    byBase.map((some) => {
      const found = anyOfThem(some);
      return everyOf([...(some[0]?.base ?? []), ...(found === undefined ? [] : [found])]);
    }),
  );
}

/** The constraints of any of the searches, which have the same base; undefined where one of them has none. */
function anyOfThem(searches: readonly FacetSearch[]): string | undefined {
  let sets = searches.map(({ constraints }) => constraints);
  if (sets.some((constraints) => constraints.length === 0)) return undefined;
  for (const field of NAMED) sets = mergedBy(field, sets);
  const clauses = sets.map((set) => everyOf(set.map(({ filter }) => filter)));
  return anyOf([...new Set(clauses)]);
}

type Constraints = readonly Constraint[];

/** Sets that differ in the values of one field alone become one. */
function mergedBy(field: string, sets: readonly Constraints[]): Constraints[] {
  const isNamed = (one: Constraint): boolean => one.included && one.field === field;
  const [having, lacking] = [
    sets.filter((set) => set.some(isNamed)),
    sets.filter((set) => !set.some(isNamed)),
  ];
  const alike = groupBy(having, (set) =>
    keyOf(set.filter((one) => !isNamed(one)).map(({ filter }) => filter)),
  );
  const merged = alike.map((some): Constraints => {
    const [first = []] = some;
    const clauses = [...new Set(some.flatMap((set) => set.find(isNamed)?.clauses ?? []))];
    return first.map((one) => (isNamed(one) ? { ...one, clauses, filter: anyOf(clauses) } : one));
  });
  return [...merged, ...lacking];
}

const keyOf = (filters: readonly string[]): string => JSON.stringify([...filters].sort());

function groupBy<T>(all: readonly T[], key: (one: T) => string): T[][] {
  const groups = new Map<string, T[]>();
  for (const one of all) {
    const group = groups.get(key(one));
    if (group === undefined) groups.set(key(one), [one]);
    else group.push(one);
  }
  return [...groups.values()];
}
