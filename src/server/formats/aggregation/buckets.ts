/** Reads buckets, numbers and values from Solr's JSON facets. */
import { lowerCase } from "../../../domain/text/case-folding.js";
import type { Numbers } from "../../../index/query/facet-aggregations.js";

/** Solr's bucket of one value of a field. */
export interface Bucket extends Numbers {
  readonly val: string;
}

/** Solr omits facets over no documents. */
export const bucketsOf = (facet: unknown): readonly Bucket[] =>
  (facet as { readonly buckets?: readonly Bucket[] } | undefined)?.buckets ?? [];

/** An aggregate; Solr omits those over nothing. */
export const numberIn = (numbers: Numbers, name: string): number => Number(numbers[name] ?? 0);

/** The numbers of a query facet. */
export const numbersIn = (numbers: Numbers, name: string): Numbers | undefined =>
  numbers[name] as Numbers | undefined;

/** The number of documents of a query facet. */
export const countOf = (numbers: Numbers, name: string): number =>
  numbersIn(numbers, name)?.count ?? 0;

/**
 * Each value once, whatever its spellings, with the result of its numbers; in the order of metadata searches.
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

interface SpelledValue {
  readonly value: string;
  readonly count: number;
  readonly spellings: number;
}

export const spelledValues = (facet: unknown): SpelledValue[] =>
  byValue(facet, { count: 0, spellings: 0 }, (sum, { count }) => ({
    count: sum.count + count,
    spellings: sum.spellings + 1,
  })).map(([value, sum]) => ({ value, ...sum }));
