/** Groups of files, with what they have of what is needed, as bits: see NeedsMet. */
import type { Interval } from "../vocabulary/intervals.js";

/** Groups by some of the facets, and what each of them has. */
export class GroupLevel {
  /** Places of the groups, by the numbers of their values. */
  readonly places = new Map<string, number>();
  readonly values: (readonly number[])[] = [];
  /** Files of each. */
  readonly files: number[] = [];
  readonly periods = new Map<number, Interval[]>();
  #met: Uint32Array;

  constructor(
    /** The facets, by their places. */
    readonly on: readonly number[],
    readonly words: number,
  ) {
    this.#met = new Uint32Array(256 * words);
  }

  place(values: readonly number[]): number {
    const key = values.join();
    const known = this.places.get(key);
    if (known !== undefined) return known;
    const place = this.values.length;
    this.places.set(key, place);
    this.values.push(values);
    this.files.push(0);
    if ((place + 1) * this.words > this.#met.length) {
      const larger = new Uint32Array(2 * this.#met.length);
      larger.set(this.#met);
      this.#met = larger;
    }
    return place;
  }

  /** Notes what a group has. @param mask of the needs that count here */
  add(place: number, met: Uint32Array, mask: Uint32Array): void {
    const at = place * this.words;
    for (let word = 0; word < this.words; word++) {
      this.#met[at + word] = (this.#met[at + word] ?? 0) | ((met[word] ?? 0) & (mask[word] ?? 0));
    }
  }

  /** How many of the needs of a mask a group meets. */
  count(place: number, mask: Uint32Array): number {
    let count = 0;
    for (let word = 0; word < this.words; word++) {
      let bits = (this.#met[place * this.words + word] ?? 0) & (mask[word] ?? 0);
      for (; bits !== 0; bits &= bits - 1) count += 1;
    }
    return count;
  }

  has(place: number, need: number): boolean {
    return (((this.#met[place * this.words + (need >> 5)] ?? 0) >>> (need & 31)) & 1) === 1;
  }
}
