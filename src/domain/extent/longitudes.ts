/** Longitudes as what they are: places on a circle. Degrees, eastwards. */

export const CIRCLE = 360;

export interface Gap {
  /** Where it begins: the east of the arc before it. */
  readonly start: number;
  /** Where it ends: the west of the arc behind it, without the turn that may lie between. */
  readonly end: number;
  readonly width: number;
}

/**
 * The gaps between arcs, each behind its arc; the last is the one that goes round to the first arc.
 *
 * @param arcs from west to east, none within another, within one turn
 */
export function gapsBetween(arcs: readonly { readonly west: number; readonly east: number }[]) {
  const [first] = arcs;
  if (first === undefined) return [];
  return arcs.map(({ east }, i): Gap => {
    const next = arcs[i + 1];
    const end = (next ?? first).west;
    return { start: east, end, width: (next === undefined ? end + CIRCLE : end) - east };
  });
}
