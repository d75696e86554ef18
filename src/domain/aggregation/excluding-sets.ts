/**
 * Which constraints of a search exclude everything together. Each set of them is counted alone of all: without the tags of the others.
 */
import type { FacetTree } from "./facet-request.js";

/** A filter of a search, by whose tag others are counted without it. */
export interface Tagged {
  readonly tag: string;
}

/** Constraints that are counted alone of all, and the name of the facet that does so. */
export interface AskedSet<T extends Tagged> {
  readonly members: readonly T[];
  readonly count: string;
}

/** Sets that are counted in one request: all those of eight constraints, of more the small ones. */
const MAX_SETS = 256;

/** Sets of so many, as the places of their members. */
function* choices(from: number, count: number, size: number): Generator<number[]> {
  if (size === 0) yield [];
  else {
    for (let first = from; first <= count - size; first++) {
      for (const rest of choices(first + 1, count, size - 1)) yield [first, ...rest];
    }
  }
}

/** The sets that are looked at first: those of no member, of one, of two, as far as all of one size can be. */
export function smallSets<T extends Tagged>(all: readonly T[]): AskedSet<T>[] {
  const sets: AskedSet<T>[] = [];
  for (let size = 0; size <= all.length; size++) {
    const larger = [...choices(0, all.length, size)].map((places) =>
      asked(places.flatMap((place) => all[place] ?? [])),
    );
    if (sets.length + larger.length > MAX_SETS) break;
    sets.push(...larger);
  }
  return sets;
}

/** Some constraints together with the first one of others, with the first two, and so on. */
export const growingSets = <T extends Tagged>(
  some: readonly T[],
  others: readonly T[],
): AskedSet<T>[] => [
  asked(some),
  ...others.map((_, index) => asked([...some, ...others.slice(0, index + 1)])),
];

const asked = <T extends Tagged>(members: readonly T[]): AskedSet<T> => ({
  members,
  count: `set_${members.map(({ tag }) => tag).join("_")}`,
});

/** The facets that count sets. @param all constraints of the search */
export function setFacets<T extends Tagged>(
  sets: readonly AskedSet<T>[],
  all: readonly T[],
): FacetTree {
  const facets = sets.map(({ members, count }) => [count, everything(all, members)] as const);
  return Object.fromEntries(facets);
}

/** Counts what only some constraints let through. */
function everything(all: readonly Tagged[], members: readonly Tagged[]): FacetTree[string] {
  const excludeTags = all
    .filter((one) => !members.includes(one))
    .map(({ tag }) => tag)
    .join(",");
  return { type: "query", q: "*:*", ...(excludeTags !== "" && { domain: { excludeTags } }) };
}
