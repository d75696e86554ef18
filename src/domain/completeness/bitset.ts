/** Sets of small whole numbers as bitsets of 32-bit words. */

/** An empty set for numbers below `count`. */
export const emptyBits = (count: number): Uint32Array =>
  new Uint32Array(Math.max(1, Math.ceil(count / 32)));

export function addBit(words: Uint32Array, bit: number): void {
  words[bit >> 5] = (words[bit >> 5] ?? 0) | (1 << (bit & 31));
}

/** @param from index of the set's first word, if `words` holds several sets */
export const hasBit = (words: Uint32Array, bit: number, from = 0): boolean =>
  (((words[from + (bit >> 5)] ?? 0) >>> (bit & 31)) & 1) === 1;

/** Whether two sets have something in common. */
export const meet = (one: Uint32Array, other: Uint32Array): boolean =>
  one.some((word, index) => (word & (other[index] ?? 0)) !== 0);
