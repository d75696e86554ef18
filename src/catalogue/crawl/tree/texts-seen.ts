/** A set of millions of texts in 11 to 22 bytes each. */
import { hash } from "../../../index/loading/load-counter.js";

const SLOTS = 1 << 10;
/** Maximum share of occupied slots. */
const MAX_LOAD = 0.7;

/** A set of texts by 52-bit hashes. With ten million texts, one set in a hundred confuses two of them. */
export class TextsSeen {
  #slots = new Float64Array(SLOTS);
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** @returns whether the text is new */
  add(text: string): boolean {
    if (this.#count >= this.#slots.length * MAX_LOAD) this.#grow();
    const key = keyOf(text);
    const slot = this.#slotOf(key);
    if (this.#slots[slot] === key) return false;
    this.#slots[slot] = key;
    this.#count += 1;
    return true;
  }

  has(text: string): boolean {
    const key = keyOf(text);
    return this.#slots[this.#slotOf(key)] === key;
  }

  #slotOf(key: number): number {
    const slots = this.#slots;
    let slot = key % slots.length;
    while (slots[slot] !== 0 && slots[slot] !== key) slot = (slot + 1) % slots.length;
    return slot;
  }

  #grow(): void {
    const before = this.#slots;
    this.#slots = new Float64Array(before.length * 2);
    for (const key of before) if (key !== 0) this.#slots[this.#slotOf(key)] = key;
  }
}

/** Never 0, which marks an empty slot. */
const keyOf = (text: string): number => hash(text) || 1;
