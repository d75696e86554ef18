/** Rows or columns beyond each edge of what is in sight, so that scrolling shows no gap and Tab finds the next one. */
const SPARE = 6;

/** The first, and the one behind the last. */
export interface Range {
  readonly first: number;
  readonly last: number;
}

export const isInSight = ({ first, last }: Range, place: number): boolean =>
  place >= first && place < last;

/**
 * Which of many rows or columns of one size are in sight.
 *
 * @param all whether they are taken as in sight all of them */
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
