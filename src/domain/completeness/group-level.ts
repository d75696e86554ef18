/** Groups by a subset of the grouping facets, and the needs that each group meets, as bitsets. */
import type { Interval } from "../extent/intervals.js";
import { emptyBits, hasBit } from "./bitset.js";

export class GroupLevel {
  /** Index of each group, by the joined ids of its values. */
  readonly indexes = new Map<string, number>();
  readonly values: (readonly number[])[] = [];
  /** Number of files of each group. */
  readonly files: number[] = [];
  readonly periods = new Map<number, Interval[]>();
  /** The needs on exactly these facets. */
  readonly needs: Uint32Array;
  /** Those of them that a single file can meet. */
  readonly untimed: Uint32Array;
  readonly #words: number;
  #met: Uint32Array;

  /**
   * @param on indexes of the facets
   * @param needs number of all needs
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

  /** The index of the group with these values, which is added if it is new. */
  indexOf(values: readonly number[]): number {
    const key = values.join();
    const known = this.indexes.get(key);
    if (known !== undefined) return known;
    const index = this.values.length;
    this.indexes.set(key, index);
    this.values.push(values);
    this.files.push(0);
    if ((index + 1) * this.#words > this.#met.length) {
      const larger = new Uint32Array(2 * this.#met.length);
      larger.set(this.#met);
      this.#met = larger;
    }
    return index;
  }

  /** Records the needs that a file of a group meets. */
  add(group: number, met: Uint32Array): void {
    const at = group * this.#words;
    for (let word = 0; word < this.#words; word++) {
      const mine = (met[word] ?? 0) & (this.needs[word] ?? 0);
      this.#met[at + word] = (this.#met[at + word] ?? 0) | mine;
    }
  }

  /** How many untimed needs a group meets. */
  count(group: number): number {
    let count = 0;
    for (let word = 0; word < this.#words; word++) {
      let bits = (this.#met[group * this.#words + word] ?? 0) & (this.untimed[word] ?? 0);
      for (; bits !== 0; bits &= bits - 1) count += 1;
    }
    return count;
  }

  has(group: number, need: number): boolean {
    return hasBit(this.#met, need, group * this.#words);
  }
}
