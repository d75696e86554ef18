/**
 * Finds texts that occur in several files which are not copies or versions of each other. Memory is bounded: a pass
 * stores hashes of one part of the texts, and suspects are verified against the index.
 *
 * Copies and versions are the same or other versions of one file of a data set. They may share their texts.
 */

/** Hashes stored at a time: 20 bytes each, in a table with free slots. */
const MAX_KEPT = 4_000_000;
const MAX_SUSPECTS = 200_000;

/** Two independent 32-bit hashes (cyrb53's mixing). */
function hashes(text: string, seed: number): readonly [number, number] {
  let [a, b] = [0xdeadbeef ^ seed, 0x41c6ce57 ^ seed];
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    a = Math.imul(a ^ code, 2_654_435_761);
    b = Math.imul(b ^ code, 1_597_334_677);
  }
  a = Math.imul(a ^ (a >>> 16), 2_246_822_507) ^ Math.imul(b ^ (b >>> 13), 3_266_489_909);
  b = Math.imul(b ^ (b >>> 16), 2_246_822_507) ^ Math.imul(a ^ (a >>> 13), 3_266_489_909);
  return [a >>> 0, b >>> 0];
}

export interface Holder {
  /** The name of a data set; undefined if it is unknown. */
  readonly dataset: string | undefined;
  /** The file's name without folders. */
  readonly name: string;
  /** The same for all files of one copy of a data set. */
  readonly copy: string;
}

/** Whether both may have the same text, as copies or versions of each other. */
export const mayShare = (a: Holder, b: Holder): boolean =>
  a.copy !== b.copy && (a.name === b.name || (a.dataset !== undefined && a.dataset === b.dataset));

/** 32-bit words per slot: two for the text, one for each member of its holder. */
const WORDS = 5;

export class Suspects {
  /** The texts that may occur twice. */
  readonly found = new Set<string>();
  /** Files that share a text which is not in `found`, because that is full. */
  left = 0;
  readonly #slots: number;
  readonly #table: Uint32Array;
  readonly #part: number;
  readonly parts: number;

  /** @param part the part, of `parts`, that this pass examines; every pass receives all texts */
  constructor(count: number, part = 0) {
    this.parts = Math.max(1, Math.ceil(count / MAX_KEPT));
    this.#part = part;
    const kept = Math.ceil(count / this.parts);
    // Spare slots, because hashes do not divide the texts evenly.
    this.#slots = 2 ** Math.ceil(Math.log2(Math.max(1024, kept * 1.4)));
    this.#table = new Uint32Array(this.#slots * WORDS);
  }

  add(text: string, holder: Holder): void {
    const [a, b] = hashes(text, 1);
    if (this.parts > 1 && a % this.parts !== this.#part) return;
    // 0 marks an unknown data set, which equals no other.
    const [dataset] = holder.dataset === undefined ? [0] : hashes(holder.dataset, 2);
    const [name] = hashes(holder.name, 3);
    const [where] = hashes(holder.copy, 4);
    const table = this.#table;
    // The first word of a used slot is odd, so it is never 0.
    const first = (a | 1) >>> 0;
    for (let slot = b & (this.#slots - 1), tries = 0; tries < this.#slots; tries++) {
      const at = slot * WORDS;
      if (table[at] === 0) {
        table.set([first, b, dataset, name, where], at);
        return;
      }
      if (table[at] === first && table[at + 1] === b) {
        const isSame = table[at + 3] === name || (dataset !== 0 && table[at + 2] === dataset);
        if (!isSame || table[at + 4] === where) {
          if (this.found.size < MAX_SUSPECTS) this.found.add(text);
          else if (!this.found.has(text)) this.left += 1;
          return;
        }
      }
      slot = (slot + 1) & (this.#slots - 1);
    }
  }
}
