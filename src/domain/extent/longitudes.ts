/** Longitudes on a circle, in degrees eastwards. */

export const CIRCLE = 360;

/** From the east end of one arc to the west end of the next. */
interface Gap {
  readonly start: number;
  /** May be less than `start`: no turn is added. */
  readonly end: number;
  readonly width: number;
}

/**
 * The gap after each arc; the last gap leads round to the first arc.
 *
 * @param arcs from west to east, within one turn, none inside another
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
