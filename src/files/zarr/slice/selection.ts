/** Selects elements of an array: along each dimension one index, or a range of which all or some samples are taken. */

export interface Span {
  /** The first index of the range. */
  readonly from: number;
  /** Number of indexes in the range. */
  readonly length: number;
  /** Number of evenly spaced samples: at most `length`. */
  readonly count: number;
  /** Whether the result keeps the dimension. If not, `count` is 1. */
  readonly isKept: boolean;
}

/** One span per dimension of the array. */
export type Selection = readonly Span[];

/** A single index. The result drops the dimension. */
export const singleIndex = (index: number): Span => ({
  from: index,
  length: 1,
  count: 1,
  isKept: false,
});

/** A range, sampled if it is longer than `max`. */
export const sampledRange = (from: number, length: number, max = length): Span => ({
  from,
  length,
  count: Math.min(length, max),
  isKept: true,
});

/** The index of sample `i`: floor((i + 0.5) * length / count), the middle of its share. */
export function indexAt({ from, length, count }: Span, i: number): number {
  return from + Math.floor(((2 * i + 1) * length) / (2 * count));
}

export const indexesOf = (span: Span): Uint32Array =>
  Uint32Array.from({ length: span.count }, (_, i) => indexAt(span, i));

export const shapeOf = (selection: Selection): number[] =>
  selection.filter(({ isKept }) => isKept).map(({ count }) => count);
