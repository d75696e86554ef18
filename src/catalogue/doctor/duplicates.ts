/**
 * Finds texts that occur in several files which are not copies or versions of each other. Memory is bounded: a pass
 * stores hashes of one part of the texts, and suspects are verified against the index.
 *
 * Copies and versions are the same or other versions of one file of a data set. They may share their texts.
 */

import { hash } from "../../platform/hashed-texts.js";

/** Hashes stored at a time: 20 bytes each, in a table with free slots. */
const MAX_KEPT = 4_000_000;
const MAX_SUSPECTS = 200_000;

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

const shortHash = (text: string): number => hash(text) >>> 0;

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
    const own = hash(text);
    const low = own >>> 0;
    // Never 0, which marks a free slot.
    const high = Math.floor(own / 2 ** 32) + 1;
    if (high % this.parts !== this.#part) return;
    // 0 marks an unknown data set, which equals no other.
    const dataset = holder.dataset === undefined ? 0 : shortHash(holder.dataset);
    const name = shortHash(holder.name);
    const where = shortHash(holder.copy);
    const table = this.#table;
    for (let slot = low & (this.#slots - 1), tries = 0; tries < this.#slots; tries++) {
      const at = slot * WORDS;
      if (table[at] === 0) {
        table.set([high, low, dataset, name, where], at);
        return;
      }
      if (table[at] === high && table[at + 1] === low) {
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
