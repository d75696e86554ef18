/** Places on the sphere, in bins, and the nearest by great circle, so that poles are right too. */

import { CIRCLE } from "../../../../src/domain/extent/longitudes.js";
import { Longitudes } from "../../../../src/files/cf/arc.js";
import { OUTSIDE } from "./grid.js";
import type { Extent } from "./view.js";

const RADIANS = Math.PI / 180;
const MAX_BINS = 2_000_000;
/** Longitude offsets by which a cap may reach places across the seam. */
const TURNS = [0, -CIRCLE, CIRCLE];
const UNTURNED = [0];

/** The chord of an arc on the unit sphere. @param degrees 0 to 180 */
export const chordOf = (degrees: number): number =>
  2 * Math.sin((Math.min(degrees, 180) * RADIANS) / 2);

export class NearestPlace {
  readonly extent: Extent;
  /** Places without NaN. */
  readonly count: number;
  /** Unit vectors and indexes of the places, bin after bin. */
  readonly #vectors: Float64Array;
  readonly #which: Uint32Array;
  /** Start of each bin's places, and the end of the last. */
  readonly #starts: Uint32Array;
  readonly #bands: number;
  /** Degrees of latitude. */
  readonly #bandHeight: number;
  /** First bin of each band, and one more. */
  readonly #bandStarts: Uint32Array;

  /** @param longitudes degrees in any range @param latitudes degrees; places with a NaN are ignored */
  constructor(longitudes: Float64Array, latitudes: Float64Array) {
    const { extent, count } = spanOf(longitudes, latitudes);
    this.extent = extent;
    this.count = count;
    const height = Math.max(extent.north - extent.south, 1e-6);
    const width = Math.max(extent.east - extent.west, 1e-6);
    const middle = Math.max(Math.cos(((extent.north + extent.south) / 2) * RADIANS), 0.3);
    const size = Math.sqrt((height * width * middle) / Math.min(Math.max(count, 1), MAX_BINS / 2));
    this.#bands = Math.min(Math.max(Math.ceil(height / size), 1), 20_000);
    this.#bandHeight = height / this.#bands;
    this.#bandStarts = new Uint32Array(this.#bands + 1);
    for (let band = 0; band < this.#bands; band++) {
      const latitude = extent.south + (band + 0.5) * this.#bandHeight;
      const bins = Math.max(1, Math.round((width * Math.cos(latitude * RADIANS)) / size));
      this.#bandStarts[band + 1] = (this.#bandStarts[band] ?? 0) + Math.min(bins, 50_000);
    }
    const bins = this.#bandStarts[this.#bands] ?? 0;
    this.#starts = new Uint32Array(bins + 1);
    const binOf = new Int32Array(longitudes.length).fill(OUTSIDE);
    for (let i = 0; i < longitudes.length; i++) {
      const longitude = longitudes[i] ?? Number.NaN;
      const latitude = latitudes[i] ?? Number.NaN;
      if (!isPlace(longitude, latitude)) continue;
      const band = this.#bandOf(latitude);
      const bin = (this.#bandStarts[band] ?? 0) + this.#columnOf(longitude, this.#binsIn(band));
      binOf[i] = bin;
      this.#starts[bin + 1] = (this.#starts[bin + 1] ?? 0) + 1;
    }
    for (let bin = 0; bin < bins; bin++) {
      this.#starts[bin + 1] = (this.#starts[bin + 1] ?? 0) + (this.#starts[bin] ?? 0);
    }
    const next = this.#starts.slice();
    this.#which = new Uint32Array(count);
    this.#vectors = new Float64Array(3 * count);
    for (let i = 0; i < longitudes.length; i++) {
      const bin = binOf[i] ?? OUTSIDE;
      if (bin === OUTSIDE) continue;
      const at = next[bin] ?? 0;
      next[bin] = at + 1;
      this.#which[at] = i;
      const [x, y, z] = vectorOf(longitudes[i] ?? 0, latitudes[i] ?? 0);
      this.#vectors[3 * at] = x;
      this.#vectors[3 * at + 1] = y;
      this.#vectors[3 * at + 2] = z;
    }
  }

  /** The nearest place. @param reach chord within which it must lie @param unlike a place to skip */
  find(longitude: number, latitude: number, reach: number, unlike = OUTSIDE) {
    const [x, y, z] = vectorOf(longitude, latitude);
    const cosine = Math.cos(latitude * RADIANS);
    let found = OUTSIDE;
    let best = reach * reach * (1 + 1e-12);
    const own = (latitude - this.extent.south) / this.#bandHeight;
    const middle = Math.min(Math.max(Math.floor(own), 0), this.#bands - 1);
    const turned = this.#turned(longitude);
    const span = this.extent.east - this.extent.west;
    // From the place's own band up and down, until both are farther than the best.
    for (let step = 0, isNear = true; isNear; step++) {
      isNear = false;
      for (const band of step === 0 ? [middle] : [middle + step, middle - step]) {
        if (band < 0 || band >= this.#bands) continue;
        const reached = 2 * Math.asin(Math.min(Math.sqrt(best) / 2, 1));
        const away = Math.max(band - own, own - band - 1, 0) * this.#bandHeight * RADIANS;
        if (away > reached) continue;
        isNear = true;
        const bins = this.#binsIn(band);
        // Longitude range of a cap that contains no pole.
        const sine = Math.sin(reached) / cosine;
        const isAll = reached >= Math.PI / 2 || !(sine < 1) || cosine < 1e-9;
        const half = isAll ? CIRCLE : Math.asin(sine) / RADIANS;
        for (const shift of isAll ? UNTURNED : TURNS) {
          const from = Math.floor(((turned + shift - half) / span) * bins);
          const to = Math.floor(((turned + shift + half) / span) * bins);
          if (to < 0 || from >= bins) continue;
          const start = this.#bandStarts[band] ?? 0;
          const end = this.#starts[start + Math.min(to, bins - 1) + 1] ?? 0;
          for (let at = this.#starts[start + Math.max(from, 0)] ?? 0; at < end; at++) {
            const dx = (this.#vectors[3 * at] ?? 0) - x;
            const dy = (this.#vectors[3 * at + 1] ?? 0) - y;
            const dz = (this.#vectors[3 * at + 2] ?? 0) - z;
            const square = dx * dx + dy * dy + dz * dz;
            if (square > best) continue;
            const which = this.#which[at] ?? 0;
            // If several lie at one place, take the first.
            if (which === unlike || (square === best && which > found && found !== OUTSIDE))
              continue;
            best = square;
            found = which;
          }
        }
      }
    }
    return { found, chord: Math.sqrt(best) };
  }

  #bandOf(latitude: number): number {
    const band = Math.floor((latitude - this.extent.south) / this.#bandHeight);
    return Math.min(Math.max(band, 0), this.#bands - 1);
  }

  #binsIn(band: number): number {
    return (this.#bandStarts[band + 1] ?? 0) - (this.#bandStarts[band] ?? 0);
  }

  /** Degrees east of the western end, 0 to 360. */
  #turned(longitude: number): number {
    const away = longitude - this.extent.west;
    return away - CIRCLE * Math.floor(away / CIRCLE);
  }

  #columnOf(longitude: number, bins: number): number {
    const span = Math.max(this.extent.east - this.extent.west, 1e-6);
    return Math.min(Math.floor((this.#turned(longitude) / span) * bins), bins - 1);
  }
}

const isPlace = (longitude: number, latitude: number): boolean =>
  Number.isFinite(longitude) && Math.abs(latitude) <= 90.000_1;

function vectorOf(longitude: number, latitude: number): readonly [number, number, number] {
  const cosine = Math.cos(latitude * RADIANS);
  const turn = longitude * RADIANS;
  return [cosine * Math.cos(turn), cosine * Math.sin(turn), Math.sin(latitude * RADIANS)];
}

/** The bounding box of all places, and their number. */
function spanOf(longitudes: Float64Array, latitudes: Float64Array) {
  const arcs = new Longitudes();
  let south = 90;
  let north = -90;
  for (let i = 0; i < longitudes.length; i++) {
    const latitude = latitudes[i] ?? Number.NaN;
    const longitude = longitudes[i] ?? Number.NaN;
    if (!isPlace(longitude, latitude)) continue;
    arcs.add(longitude);
    if (latitude < south) south = latitude;
    if (latitude > north) north = latitude;
  }
  const arc = arcs.arc() ?? { west: -180, width: CIRCLE };
  if (arcs.count === 0) [south, north] = [-90, 90];
  // Places all around the globe have a small gap between any two.
  const isAround = arc.width > CIRCLE - 5;
  // Widened slightly, so that rounding puts no place beyond an end.
  const west = isAround ? -180 : arc.west - 1e-9;
  return {
    extent: { west, east: west + (isAround ? CIRCLE : arc.width + 2e-9), south, north },
    count: arcs.count,
  };
}
