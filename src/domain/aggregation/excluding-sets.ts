/** Finds which constraints of a search exclude everything together: counts sets of them without the others. */
import { EVERYTHING } from "../search/lucene.js";
import { counting, type FacetTree } from "./facet-request.js";

/** A filter with a tag by which a facet can exclude it. */
export interface Tagged {
  readonly tag: string;
}

/** Constraints that are counted without all others, and the facet that does so. */
export interface CountedSet<T extends Tagged> {
  readonly members: readonly T[];
  readonly count: string;
}

/** Sets counted in one request: all sets of eight constraints, or the small sets of more. */
const MAX_SETS = 256;

/** All sets of `size` indexes from `from` to `count - 1`. */
function* choices(from: number, count: number, size: number): Generator<number[]> {
  if (size === 0) yield [];
  else {
    for (let first = from; first <= count - size; first++) {
      for (const rest of choices(first + 1, count, size - 1)) yield [first, ...rest];
    }
  }
}

/** The sets of no member, one, two and so on, as long as all sets of a size fit. */
export function smallSets<T extends Tagged>(all: readonly T[]): CountedSet<T>[] {
  const sets: CountedSet<T>[] = [];
  for (let size = 0; size <= all.length; size++) {
    const larger = [...choices(0, all.length, size)].map((indexes) =>
      countedSet(indexes.flatMap((index) => all[index] ?? [])),
    );
    if (sets.length + larger.length > MAX_SETS) break;
    sets.push(...larger);
  }
  return sets;
}

/** `some` alone, then with the first of `others`, with the first two, and so on. */
export const growingSets = <T extends Tagged>(
  some: readonly T[],
  others: readonly T[],
): CountedSet<T>[] => [
  countedSet(some),
  ...others.map((_, index) => countedSet([...some, ...others.slice(0, index + 1)])),
];

const countedSet = <T extends Tagged>(members: readonly T[]): CountedSet<T> => ({
  members,
  count: `set_${members.map(({ tag }) => tag).join("_")}`,
});

/** The facets that count sets: the documents that match all of their members. */
export function setFacets<T extends Tagged>(
  sets: readonly CountedSet<T>[],
  all: readonly T[],
): FacetTree {
  const facets = sets.map(({ members, count }) => {
    const others = all.filter((one) => !members.includes(one));
    return [count, counting(EVERYTHING, others.map(({ tag }) => tag).join(","))] as const;
  });
  return Object.fromEntries(facets);
}
