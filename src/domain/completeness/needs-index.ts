/** Which of many needs a file meets, looked up value by value. */
import { addBit, emptyBits } from "./bitset.js";
import { type Document, folded, writtenValues } from "./folded-values.js";
import type { Need } from "./need.js";

interface Field {
  readonly field: string;
  /** Needs that say nothing of it. */
  readonly free: Uint32Array;
  /** Needs that a value meets. */
  readonly byValue: ReadonlyMap<string, Uint32Array>;
}

/** Sets of needs are bits of words: of a thousand combinations each file is looked at once. */
export class NeedsMet {
  readonly #fields: readonly Field[];
  readonly #all: Uint32Array;

  constructor(needs: readonly Need[]) {
    const none = (): Uint32Array => emptyBits(needs.length);
    this.#all = none();
    for (const need of needs.keys()) addBit(this.#all, need);
    const names = new Set(needs.flatMap(({ values }) => values.map(({ field }) => field)));
    this.#fields = [...names].map((field) => {
      const free = none();
      const byValue = new Map<string, Uint32Array>();
      for (const [index, { values }] of needs.entries()) {
        const wanted = values.find((one) => one.field === field);
        if (wanted === undefined) addBit(free, index);
        for (const value of wanted?.values ?? []) {
          const bits = byValue.get(value) ?? none();
          byValue.set(value, bits);
          addBit(bits, index);
        }
      }
      return { field, free, byValue };
    });
  }

  /** The fields that are looked at. */
  get fields(): readonly string[] {
    return this.#fields.map(({ field }) => field);
  }

  by(document: Document): Uint32Array {
    const met = this.#all.slice();
    for (const { field, free, byValue } of this.#fields) {
      const found = writtenValues(document, field).map((value) =>
        byValue.get(folded(field, String(value))),
      );
      for (let word = 0; word < met.length; word++) {
        let bits = free[word] ?? 0;
        for (const one of found) bits |= one?.[word] ?? 0;
        met[word] = (met[word] ?? 0) & bits;
      }
    }
    return met;
  }
}
