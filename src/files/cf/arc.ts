/** The smallest arc of longitudes that holds points, in memory that does not grow with them. */

import { CIRCLE, gapsBetween } from "../../domain/extent/longitudes.js";

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

/** Points up to which no bins are made, which take half a megabyte: those of the axis of a grid, with its bounds. */
const FEW = 2048;

export class Longitudes {
  /** 0 to 360, the latter left out; in bins once they are many. */
  #few: number[] = [];
  #bins: Bins | undefined;
  count = 0;

  /** @param degrees of any range; what is not finite is left out */
  add(degrees: number): void {
    if (!Number.isFinite(degrees)) return;
    const turned = degrees - CIRCLE * Math.floor(degrees / CIRCLE);
    // A tiny negative number becomes a whole turn.
    const position = turned >= CIRCLE ? 0 : turned;
    this.count += 1;
    if (this.#bins !== undefined) this.#bins.add(position);
    else if (this.#few.push(position) > FEW) {
      this.#bins = new Bins();
      for (const one of this.#few.splice(0)) this.#bins.add(one);
    }
  }

  /** The rest of the circle without its widest gap; undefined without points. */
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
  readonly #least = new Float64Array(CIRCLE * BINS).fill(Number.NaN);
  readonly #most = new Float64Array(CIRCLE * BINS).fill(Number.NaN);

  add(position: number): void {
    const bin = binOf(position);
    if (!((this.#least[bin] ?? 0) <= position)) this.#least[bin] = position;
    if (!((this.#most[bin] ?? 0) >= position)) this.#most[bin] = position;
  }

  arcs(): { west: number; east: number }[] {
    const used = [...this.#least.keys()].filter((bin) => !Number.isNaN(this.#least[bin]));
    return used.map((bin) => ({ west: this.#least[bin] ?? 0, east: this.#most[bin] ?? 0 }));
  }
}

/** The same of a few points: those of a bin are one arc. */
function arcsOf(positions: readonly number[]): { west: number; east: number }[] {
  const arcs: { west: number; east: number }[] = [];
  for (const position of [...positions].sort((a, b) => a - b)) {
    const last = arcs.at(-1);
    if (last !== undefined && binOf(last.west) === binOf(position)) last.east = position;
    else arcs.push({ west: position, east: position });
  }
  return arcs;
}
