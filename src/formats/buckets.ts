/** Buckets of Solr's JSON facets -> values. */
import type { Numbers } from "../solr/breakdowns.js";
import { lowerCase } from "../vocabulary/lower-case.js";

interface Buckets {
  readonly buckets: readonly (Numbers & { readonly val: string })[];
}

/**
 * Each value once, in whatever spellings documents have it, with what is made of its numbers; in the order of metadata
 * searches.
 */
export function byValue<T>(
  facet: unknown,
  start: T,
  add: (sum: T, bucket: Numbers) => T,
): (readonly [value: string, T])[] {
  const values = new Map<string, T>();
  for (const bucket of (facet as Buckets | undefined)?.buckets ?? []) {
    const value = lowerCase(bucket.val);
    values.set(value, add(values.get(value) ?? start, bucket));
  }
  return [...values].sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Each value once, with the number of its documents, and in how many spellings they have it. */
export interface SpelledValue {
  readonly value: string;
  readonly count: number;
  readonly spellings: number;
}

export const spelledValues = (facet: unknown): SpelledValue[] =>
  byValue(facet, { count: 0, spellings: 0 }, (sum, { count }) => ({
    count: sum.count + count,
    spellings: sum.spellings + 1,
  })).map(([value, sum]) => ({ value, ...sum }));
