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
  /** The outermost points of each bin, from 0 up to, but not including, 360; NaN for a bin without points. */
  readonly #west = new Float64Array(CIRCLE * BINS).fill(Number.NaN);
  readonly #east = this.#west.slice();
  count = 0;

  /** @param degrees any range; non-finite values are ignored */
  add(degrees: number): void {
    if (!Number.isFinite(degrees)) return;
    const turned = degrees - CIRCLE * Math.floor(degrees / CIRCLE);
    // Rounding can turn a tiny negative number into a whole turn.
    const position = turned >= CIRCLE ? 0 : turned;
    this.count += 1;
    const bin = Math.floor(position * BINS);
    const west = this.#west[bin] ?? Number.NaN;
    const east = this.#east[bin] ?? Number.NaN;
    if (!(west <= position)) this.#west[bin] = position;
    if (!(east >= position)) this.#east[bin] = position;
  }

  /** The circle without its widest gap; undefined without points. */
  arc(): Arc | undefined {
    const arcs: { west: number; east: number }[] = [];
    for (let bin = 0; bin < this.#west.length; bin++) {
      const west = this.#west[bin] ?? Number.NaN;
      if (!Number.isNaN(west)) arcs.push({ west, east: this.#east[bin] ?? west });
    }
    const [widest, ...others] = gapsBetween(arcs).sort((a, b) => b.width - a.width);
    if (widest === undefined) return undefined;
    const usualGap = others[Math.floor(others.length / 2)]?.width ?? 0;
    const west = widest.end - CIRCLE * Math.floor((widest.end + 180) / CIRCLE);
    return { west, width: CIRCLE - widest.width, usualGap };
  }
}
