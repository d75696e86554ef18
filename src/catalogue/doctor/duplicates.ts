/**
 * Which texts came more than once from files that are no copies of each other, in a memory that does not grow with what
 * there is: it keeps hashes of a part of them, and what may be there twice is asked for again.
 *
 * Copies and versions are files of one data set in several places; their texts may be the same.
 */

/** Texts of which hashes are kept at a time: 20 bytes each, with room between them. */
const MAX_KEPT = 4_000_000;
/** Suspects that are kept; an index in which everything is there twice is told as far as that. */
const MAX_SUSPECTS = 200_000;

/** Two independent hashes of 32 bits (cyrb53's mixing). */
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

/** Who has a text. */
export interface Holder {
  /** The name of a data set; undefined where it is not known. */
  readonly dataset: string | undefined;
  /** Of the file, without folders. */
  readonly name: string;
  /** The same for what lies together. */
  readonly where: string;
}

/** Whether both may have the same text, as copies or versions of each other. */
export const mayShare = (a: Holder, b: Holder): boolean =>
  a.where !== b.where &&
  (a.name === b.name || (a.dataset !== undefined && a.dataset === b.dataset));

/** Words of 32 bits of an entry: two of the text, one of each part of its holder. */
const WORDS = 5;

export class Suspects {
  readonly #found = new Set<string>();
  readonly #slots: number;
  readonly #table: Uint32Array;
  readonly #part: number;
  readonly parts: number;
  #isFull = false;

  /**
   * @param count how many texts may come
   * @param part which of `parts` this one looks at; all that comes is given to each of them
   */
  constructor(count: number, part = 0) {
    this.parts = Math.max(1, Math.ceil(count / MAX_KEPT));
    this.#part = part;
    const kept = Math.ceil(count / this.parts);
    // What hashes leave to chance: a part may have somewhat more than its share.
    this.#slots = 2 ** Math.ceil(Math.log2(Math.max(1024, kept * 1.4)));
    this.#table = new Uint32Array(this.#slots * WORDS);
  }

  /** The texts that may be there twice. */
  get found(): ReadonlySet<string> {
    return this.#found;
  }

  /** Whether there may be more than were found. */
  get isIncomplete(): boolean {
    return this.#isFull;
  }

  add(text: string, holder: Holder): void {
    const [a, b] = hashes(text, 1);
    if (this.parts > 1 && a % this.parts !== this.#part) return;
    // Nought is what is not known, and not like another.
    const [dataset] = holder.dataset === undefined ? [0] : hashes(holder.dataset, 2);
    const [name] = hashes(holder.name, 3);
    const [where] = hashes(holder.where, 4);
    const table = this.#table;
    // An entry that is not empty has an odd first word.
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
          this.#suspect(text);
          return;
        }
      }
      slot = (slot + 1) & (this.#slots - 1);
    }
    this.#isFull = true;
  }

  #suspect(text: string): void {
    if (this.#found.size < MAX_SUSPECTS) this.#found.add(text);
    else if (!this.#found.has(text)) this.#isFull = true;
  }
}
