/** How many documents a load has stored, and how many of them are not the newest version when it ends. */

/** A 52-bit hash (two rounds of FNV-1a), so that millions of texts can be remembered. */
export function hash(text: string): number {
  let low = 0x811c9dc5;
  let high = 0x9747b28c;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    low = Math.imul(low ^ code, 0x01000193);
    high = Math.imul(high ^ code, 0x01000199);
  }
  return (high >>> 12) * 2 ** 32 + (low >>> 0);
}

/** Slots of the first table; a Set would end at 16 million, and take four times the memory. */
const SLOTS = 1 << 12;

/** Counts files by their hashes, each once, in 16 to 32 bytes. */
export class Tally {
  /** Twice the hash, and one more where the file is an older version; 0 where nothing is. */
  #slots = new Float64Array(SLOTS);
  #stored = 0;
  #older = 0;

  get stored(): number {
    return this.#stored;
  }

  get older(): number {
    return this.#older;
  }

  /** A file was stored. */
  store(file: string, isOlder: boolean): void {
    if (this.#stored * 2 >= this.#slots.length) this.#grow();
    const key = keyOf(file);
    const slot = this.#slotOf(key);
    const before = this.#slots[slot] as number;
    if (before === 0) this.#stored += 1;
    this.#set(slot, key, before, isOlder);
  }

  /** What a file is from now on, if it is one of those that were stored. */
  turn(file: string, isOlder: boolean): void {
    const key = keyOf(file);
    const slot = this.#slotOf(key);
    const before = this.#slots[slot] as number;
    if (before !== 0) this.#set(slot, key, before, isOlder);
  }

  #set(slot: number, key: number, before: number, isOlder: boolean): void {
    this.#older += Number(isOlder) - (before % 2);
    this.#slots[slot] = key + Number(isOlder);
  }

  /** Where a key is, or would be. */
  #slotOf(key: number): number {
    const slots = this.#slots;
    let slot = (key / 2) % slots.length;
    for (let found = slots[slot] as number; found !== 0; found = slots[slot] as number) {
      if (found - (found % 2) === key) return slot;
      slot = (slot + 1) % slots.length;
    }
    return slot;
  }

  #grow(): void {
    const before = this.#slots;
    this.#slots = new Float64Array(before.length * 2);
    for (const found of before) {
      if (found !== 0) this.#slots[this.#slotOf(found - (found % 2))] = found;
    }
  }
}

/** Never 0. */
const keyOf = (file: string): number => (hash(file) || 1) * 2;
