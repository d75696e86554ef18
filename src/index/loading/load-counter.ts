/** A 52-bit hash (two rounds of FNV-1a), to store millions of texts compactly. */
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

/** Initial table size. A Set holds at most 16 million entries and takes four times the memory. */
const SLOTS = 1 << 12;

/** Counts stored files, each once, and those that are not the newest version. Takes 16 to 32 bytes per file. */
export class LoadCounter {
  /** Twice the hash, plus one for older versions; 0 if the slot is empty. */
  #slots = new Float64Array(SLOTS);
  #stored = 0;
  #older = 0;

  get stored(): number {
    return this.#stored;
  }

  get older(): number {
    return this.#older;
  }

  /** Records that a file was stored. */
  store(file: string, isOlder: boolean): void {
    if (this.#stored * 2 >= this.#slots.length) this.#grow();
    const key = keyOf(file);
    const slot = this.#slotOf(key);
    const before = this.#slots[slot] as number;
    if (before === 0) this.#stored += 1;
    this.#set(slot, key, before, isOlder);
  }

  /** Changes the state of a file, if it was stored. */
  mark(file: string, isOlder: boolean): void {
    const key = keyOf(file);
    const slot = this.#slotOf(key);
    const before = this.#slots[slot] as number;
    if (before !== 0) this.#set(slot, key, before, isOlder);
  }

  #set(slot: number, key: number, before: number, isOlder: boolean): void {
    this.#older += Number(isOlder) - (before % 2);
    this.#slots[slot] = key + Number(isOlder);
  }

  /** The slot of a key, or the free slot for it. */
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
