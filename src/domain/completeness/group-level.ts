/** Groups of files, with what they have of what is needed, as bits: see NeedsMet. */
import type { Interval } from "../extent/intervals.js";
import { emptyBits, hasBit } from "./bitset.js";

/** Groups by some of the facets, and what each of them has. */
export class GroupLevel {
  /** Places of the groups, by the numbers of their values. */
  readonly places = new Map<string, number>();
  readonly values: (readonly number[])[] = [];
  /** Files of each. */
  readonly files: number[] = [];
  readonly periods = new Map<number, Interval[]>();
  /** The needs that are on these facets, and those of them that one file is enough for. */
  readonly needs: Uint32Array;
  readonly untimed: Uint32Array;
  readonly #words: number;
  #met: Uint32Array;

  /**
   * @param on the facets, by their places
   * @param needs how many there are in all
   */
  constructor(
    readonly on: readonly number[],
    needs: number,
  ) {
    this.needs = emptyBits(needs);
    this.untimed = emptyBits(needs);
    this.#words = this.needs.length;
    this.#met = new Uint32Array(256 * this.#words);
  }

  place(values: readonly number[]): number {
    const key = values.join();
    const known = this.places.get(key);
    if (known !== undefined) return known;
    const place = this.values.length;
    this.places.set(key, place);
    this.values.push(values);
    this.files.push(0);
    if ((place + 1) * this.#words > this.#met.length) {
      const larger = new Uint32Array(2 * this.#met.length);
      larger.set(this.#met);
      this.#met = larger;
    }
    return place;
  }

  /** Notes what a group has. @param met the needs that one of its files meets */
  add(place: number, met: Uint32Array): void {
    const at = place * this.#words;
    for (let word = 0; word < this.#words; word++) {
      const mine = (met[word] ?? 0) & (this.needs[word] ?? 0);
      this.#met[at + word] = (this.#met[at + word] ?? 0) | mine;
    }
  }

  /** How many of the needs that one file is enough for a group meets. */
  count(place: number): number {
    let count = 0;
    for (let word = 0; word < this.#words; word++) {
      let bits = (this.#met[place * this.#words + word] ?? 0) & (this.untimed[word] ?? 0);
      for (; bits !== 0; bits &= bits - 1) count += 1;
    }
    return count;
  }

  has(place: number, need: number): boolean {
    return hasBit(this.#met, need, place * this.#words);
  }
}
