/** The smallest arc of longitudes that holds points, in memory that does not grow with them. */

import { CIRCLE, gapsBetween } from "../vocabulary/longitudes.js";

/** Bins a degree: only points in the same bin are not told apart, but for the outermost two. */
const BINS = 100;

/** Degrees, eastwards. */
export interface Arc {
  /** -180 to 180, the latter left out. */
  readonly west: number;
  readonly width: number;
  /** The median of the gaps between neighbours within it; 0 where there is none. */
  readonly usualGap: number;
}

export class Longitudes {
  readonly #least = new Float64Array(CIRCLE * BINS).fill(Number.NaN);
  readonly #most = new Float64Array(CIRCLE * BINS).fill(Number.NaN);
  count = 0;

  /** @param degrees of any range; what is not finite is left out */
  add(degrees: number): void {
    if (!Number.isFinite(degrees)) return;
    const turned = degrees - CIRCLE * Math.floor(degrees / CIRCLE);
    // A tiny negative number becomes a whole turn.
    const position = turned >= CIRCLE ? 0 : turned;
    const bin = Math.floor(position * BINS);
    this.count += 1;
    if (!((this.#least[bin] ?? 0) <= position)) this.#least[bin] = position;
    if (!((this.#most[bin] ?? 0) >= position)) this.#most[bin] = position;
  }

  /** The rest of the circle without its widest gap; undefined without points. */
  arc(): Arc | undefined {
    const used = [...this.#least.keys()].filter((bin) => !Number.isNaN(this.#least[bin]));
    const arcs = used.map((bin) => ({ west: this.#least[bin] ?? 0, east: this.#most[bin] ?? 0 }));
    const [widest, ...others] = gapsBetween(arcs).sort((a, b) => b.width - a.width);
    if (widest === undefined) return undefined;
    const usualGap = others[Math.floor(others.length / 2)]?.width ?? 0;
    const west = widest.end - CIRCLE * Math.floor((widest.end + 180) / CIRCLE);
    return { west, width: CIRCLE - widest.width, usualGap };
  }
}
