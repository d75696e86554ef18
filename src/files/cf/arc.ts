/** Finds the smallest arc of longitudes that holds all points, in bounded memory. */

import { CIRCLE, gapsBetween } from "../../domain/extent/longitudes.js";

/** Bins per degree. Points in one bin are merged, except its outermost two. */
const BINS = 100;

/** Degrees, eastwards. */
export interface Arc {
  /** From -180 up to, but not including, 180. */
  readonly west: number;
  readonly width: number;
  /** Median gap between neighbours within the arc; 0 if there is none. */
  readonly usualGap: number;
}

/** Up to this many points (a grid axis with its bounds) are stored one by one; the bins take half a megabyte. */
const FEW = 2048;

export class Longitudes {
  /** From 0 up to, but not including, 360. */
  #few: number[] = [];
  #bins: Bins | undefined;
  count = 0;

  /** @param degrees any range; non-finite values are ignored */
  add(degrees: number): void {
    if (!Number.isFinite(degrees)) return;
    const turned = degrees - CIRCLE * Math.floor(degrees / CIRCLE);
    // Rounding can turn a tiny negative number into a whole turn.
    const position = turned >= CIRCLE ? 0 : turned;
    this.count += 1;
    if (this.#bins !== undefined) this.#bins.add(position);
    else if (this.#few.push(position) > FEW) {
      this.#bins = new Bins();
      for (const one of this.#few.splice(0)) this.#bins.add(one);
    }
  }

  /** The circle without its widest gap; undefined without points. */
  arc(): Arc | undefined {
    const arcs = this.#bins?.arcs() ?? arcsOf(this.#few);
    const [widest, ...others] = gapsBetween(arcs).sort((a, b) => b.width - a.width);
    if (widest === undefined) return undefined;
    const usualGap = others[Math.floor(others.length / 2)]?.width ?? 0;
    const west = widest.end - CIRCLE * Math.floor((widest.end + 180) / CIRCLE);
    return { west, width: CIRCLE - widest.width, usualGap };
  }
}

const binOf = (position: number): number => Math.floor(position * BINS);

class Bins {
  readonly #westmost = new Float64Array(CIRCLE * BINS).fill(Number.NaN);
  readonly #eastmost = new Float64Array(CIRCLE * BINS).fill(Number.NaN);

  add(position: number): void {
    const bin = binOf(position);
    if (!((this.#westmost[bin] ?? 0) <= position)) this.#westmost[bin] = position;
    if (!((this.#eastmost[bin] ?? 0) >= position)) this.#eastmost[bin] = position;
  }

  arcs(): { west: number; east: number }[] {
    const used = [...this.#westmost.keys()].filter((bin) => !Number.isNaN(this.#westmost[bin]));
    return used.map((bin) => ({ west: this.#westmost[bin] ?? 0, east: this.#eastmost[bin] ?? 0 }));
  }
}

/** As Bins.arcs, for a list of points: those in one bin form one arc. */
function arcsOf(positions: readonly number[]): { west: number; east: number }[] {
  const arcs: { west: number; east: number }[] = [];
  for (const position of [...positions].sort((a, b) => a - b)) {
    const last = arcs.at(-1);
    if (last !== undefined && binOf(last.west) === binOf(position)) last.east = position;
    else arcs.push({ west: position, east: position });
  }
  return arcs;
}
