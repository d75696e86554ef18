/** Extra rows and columns beyond each edge, so that scrolling shows no gap and Tab finds the next cell. */
const SPARE = 6;

/** First index, and the one after the last. */
export interface Range {
  readonly first: number;
  readonly last: number;
}

export const isInSight = ({ first, last }: Range, place: number): boolean =>
  place >= first && place < last;

/** The visible range of rows or columns. @param all whether to treat all as visible */
export function rangeInSight(
  count: number,
  size: number,
  scrolled: number,
  room: number,
  all: boolean,
): Range {
  if (all) return { first: 0, last: count };
  const first = Math.min(Math.max(0, Math.floor(scrolled / size) - SPARE), Math.max(0, count - 1));
  return { first, last: Math.min(count, Math.ceil((scrolled + room) / size) + SPARE) };
}
