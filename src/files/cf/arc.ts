/** Finds the smallest arc of longitudes that holds all points, in bounded memory. */

import { CIRCLE, gapsBetween } from "../../domain/extent/longitudes.js";

/** Bins per degree. Points in one bin are merged, except its outermost two. */
const BINS = 100;

/** Degrees, eastwards. */
interface Arc {
  /** From -180 up to, but not including, 180. */
  readonly west: number;
  readonly width: number;
  /** Median gap between neighbours within the arc; 0 if there is none. */
  readonly usualGap: number;
}

export class Longitudes {
  /** The outermost points of each bin, from 0 up to, but not including, 360. */
  readonly #bins = new Map<number, { west: number; east: number }>();
  count = 0;

  /** @param degrees any range; non-finite values are ignored */
  add(degrees: number): void {
    if (!Number.isFinite(degrees)) return;
    const turned = degrees - CIRCLE * Math.floor(degrees / CIRCLE);
    // Rounding can turn a tiny negative number into a whole turn.
    const position = turned >= CIRCLE ? 0 : turned;
    this.count += 1;
    const number = Math.floor(position * BINS);
    const bin = this.#bins.get(number);
    if (bin === undefined) this.#bins.set(number, { west: position, east: position });
    else if (position < bin.west) bin.west = position;
    else if (position > bin.east) bin.east = position;
  }

  /** The circle without its widest gap; undefined without points. */
  arc(): Arc | undefined {
    const arcs = [...this.#bins.values()].sort((a, b) => a.west - b.west);
    const [widest, ...others] = gapsBetween(arcs).sort((a, b) => b.width - a.width);
    if (widest === undefined) return undefined;
    const usualGap = others[Math.floor(others.length / 2)]?.width ?? 0;
    const west = widest.end - CIRCLE * Math.floor((widest.end + 180) / CIRCLE);
    return { west, width: CIRCLE - widest.width, usualGap };
  }
}
