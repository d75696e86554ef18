/** What Solr answers to JSON facets -> buckets, numbers and values. */

import { lowerCase } from "../../../domain/text/case-folding.js";
import type { Numbers } from "../../../index/query/facet-aggregations.js";

/** What Solr tells of one value of a field. */
export interface Bucket extends Numbers {
  readonly val: string;
}

/** Of no documents Solr tells nothing. */
export const bucketsOf = (facet: unknown): readonly Bucket[] =>
  (facet as { readonly buckets?: readonly Bucket[] } | undefined)?.buckets ?? [];

/** An aggregate, which Solr leaves out where it is one of nothing. */
export const numberIn = (numbers: Numbers, name: string): number => Number(numbers[name] ?? 0);

/** What a query facet tells. */
export const numbersIn = (numbers: Numbers, name: string): Numbers | undefined =>
  numbers[name] as Numbers | undefined;

/** How many documents a query facet has. */
export const countOf = (numbers: Numbers, name: string): number =>
  numbersIn(numbers, name)?.count ?? 0;

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
  for (const bucket of bucketsOf(facet)) {
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
