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
  /** A number for each bin that has points, by which its outermost ones are found; 0 for all other bins. */
  readonly #numbers = new Uint16Array(CIRCLE * BINS);
  /** The outermost points by the number of their bin, from 0 up to, but not including, 360. No bin has the number 0. */
  readonly #west = [0];
  readonly #east = [0];
  count = 0;

  /** @param degrees any range; non-finite values are ignored */
  add(degrees: number): void {
    if (!Number.isFinite(degrees)) return;
    const turned = degrees - CIRCLE * Math.floor(degrees / CIRCLE);
    // Rounding can turn a tiny negative number into a whole turn.
    const position = turned >= CIRCLE ? 0 : turned;
    this.count += 1;
    const bin = Math.floor(position * BINS);
    const number = this.#numbers[bin] ?? 0;
    if (number === 0) {
      this.#numbers[bin] = this.#west.push(position) - 1;
      this.#east.push(position);
    } else if (position < (this.#west[number] ?? 0)) this.#west[number] = position;
    else if (position > (this.#east[number] ?? 0)) this.#east[number] = position;
  }

  /** The circle without its widest gap; undefined without points. */
  arc(): Arc | undefined {
    const arcs: { west: number; east: number }[] = [];
    for (let bin = 0; bin < this.#numbers.length; bin++) {
      const number = this.#numbers[bin] ?? 0;
      if (number > 0) arcs.push({ west: this.#west[number] ?? 0, east: this.#east[number] ?? 0 });
    }
    const [widest, ...others] = gapsBetween(arcs).sort((a, b) => b.width - a.width);
    if (widest === undefined) return undefined;
    const usualGap = others[Math.floor(others.length / 2)]?.width ?? 0;
    const west = widest.end - CIRCLE * Math.floor((widest.end + 180) / CIRCLE);
    return { west, width: CIRCLE - widest.width, usualGap };
  }
}
