/** Coordinates of one dimension, in any spacing and order -> the cell with the nearest coordinate. */
import { CIRCLE, gapsBetween } from "../../../../src/domain/extent/longitudes.js";
import { OUTSIDE } from "./grid.js";

export interface AxisLookup {
  readonly from: number;
  readonly to: number;
  /** Index of the cell in file order, or OUTSIDE. */
  at(place: number): number;
}

interface Cells {
  /** Ascending: the lower edge of each cell, and the upper edge of the last. */
  readonly edges: Float64Array;
  /** File index of each. */
  readonly order: Uint32Array;
}

/**
 * Cells end halfway to their neighbours; the outermost are symmetric.
 *
 * @param min edges are clipped to `min` and `max`
 */
export function lineLookup(
  coordinates: Float64Array,
  min = Number.NEGATIVE_INFINITY,
  max = Number.POSITIVE_INFINITY,
): AxisLookup {
  const { sorted, order } = inOrder(coordinates);
  const edges = edgesOf(sorted);
  const cells = { edges: edges.map((edge) => Math.min(Math.max(edge, min), max)), order };
  return lookup(cells, cells.edges[0] ?? 0, cells.edges.at(-1) ?? 0);
}

/** The same for longitudes: the circle opens at its widest gap, unless that gap is no wider than a cell. */
export function circleLookup(longitudes: Float64Array): AxisLookup {
  const { sorted, order } = inOrder(
    longitudes.map((one) => one - CIRCLE * Math.floor(one / CIRCLE)),
  );
  const gaps = gapsBetween([...sorted].map((one) => ({ west: one, east: one })));
  let widest = gaps.length - 1;
  for (const [i, gap] of gaps.entries()) if (gap.width > (gaps[widest]?.width ?? 0)) widest = i;
  const count = sorted.length;
  const first = (widest + 1) % Math.max(count, 1);
  const unrolled = Float64Array.from(sorted, (_, i) => {
    const at = first + i;
    return (sorted[at % count] ?? 0) + (at >= count ? CIRCLE : 0);
  });
  const turned = order.map((_, i) => order[(first + i) % count] ?? 0);
  const edges = edgesOf(unrolled);
  const gap = gaps[widest]?.width ?? CIRCLE;
  const beside = Math.max(gaps.at(widest - 1)?.width ?? 0, gaps[(widest + 1) % count]?.width ?? 0);
  if (count === 1 || gap <= 1.5 * beside) {
    edges[0] = (unrolled[0] ?? 0) - gap / 2;
    edges[count] = edges[0] + CIRCLE;
  }
  const from = edges[0] ?? 0;
  const to = Math.min(edges[count] ?? 0, from + CIRCLE);
  const found = lookup({ edges, order: turned }, from, to, true);
  // A full circle has no first longitude: use the range that maps show.
  return to - from < CIRCLE - 1e-6 ? found : { ...found, from: -180, to: 180 };
}

function inOrder(coordinates: Float64Array) {
  const order = Uint32Array.from(coordinates.keys());
  order.sort((a, b) => (coordinates[a] ?? 0) - (coordinates[b] ?? 0));
  return { sorted: Float64Array.from(order, (one) => coordinates[one] ?? 0), order };
}

/** @param sorted ascending; a single value is a cell of width 1 */
function edgesOf(sorted: Float64Array): Float64Array {
  const count = sorted.length;
  const edges = new Float64Array(count + 1);
  for (let i = 1; i < count; i++) edges[i] = ((sorted[i - 1] ?? 0) + (sorted[i] ?? 0)) / 2;
  const first = sorted[0] ?? 0;
  const last = sorted[count - 1] ?? 0;
  edges[0] = count > 1 ? 2 * first - (edges[1] ?? 0) : first - 0.5;
  edges[count] = count > 1 ? 2 * last - (edges[count - 1] ?? 0) : last + 0.5;
  return edges;
}

function lookup({ edges, order }: Cells, from: number, to: number, isRound = false): AxisLookup {
  return {
    from,
    to,
    at(asked) {
      const place = isRound ? asked - CIRCLE * Math.floor((asked - from) / CIRCLE) : asked;
      if (!(place >= from && place <= to)) return OUTSIDE;
      let low = 0;
      let high = order.length;
      while (high - low > 1) {
        const middle = (low + high) >> 1;
        if ((edges[middle] ?? 0) <= place) low = middle;
        else high = middle;
      }
      return order[low] ?? OUTSIDE;
    },
  };
}
