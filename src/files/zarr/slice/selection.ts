/** Which elements of an array are wanted: along each dimension one, or a stretch, all of it or so many samples of it. */

export interface Span {
  /** The first index of the stretch. */
  readonly from: number;
  /** Indexes that the stretch has in the array. */
  readonly length: number;
  /** How many of them are wanted, evenly: at most `length`. */
  readonly count: number;
  /** Whether the dimension stays; one that does not has a count of 1. */
  readonly isKept: boolean;
}

/** One for each dimension of the array. */
export type Selection = readonly Span[];

/** A single index; the dimension falls away. */
export const oneOf = (index: number): Span => ({ from: index, length: 1, count: 1, isKept: false });

/** A stretch, sampled where it is longer than `most`. */
export const stretch = (from: number, length: number, most = length): Span => ({
  from,
  length,
  count: Math.min(length, most),
  isKept: true,
});

/** Which index a sample is of: the nearest to the middle of its share, floor((i + 0.5) * length / count). */
export function indexAt({ from, length, count }: Span, i: number): number {
  return from + Math.floor(((2 * i + 1) * length) / (2 * count));
}

/** The indexes of all samples. */
export const indexesOf = (span: Span): Uint32Array =>
  Uint32Array.from({ length: span.count }, (_, i) => indexAt(span, i));

/** The lengths of what is wanted. */
export const shapeOf = (selection: Selection): number[] =>
  selection.filter(({ isKept }) => isKept).map(({ count }) => count);
