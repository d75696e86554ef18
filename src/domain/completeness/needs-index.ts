import { addBit, emptyBits } from "./bitset.js";
import { type Document, foldCase, storedValues } from "./folded-values.js";
import type { Need } from "./need.js";

interface Field {
  readonly field: string;
  /** Needs that do not restrict the field. */
  readonly free: Uint32Array;
  /** Needs that accept a value. */
  readonly byValue: ReadonlyMap<string, Uint32Array>;
}

/** Finds which of many needs a file meets, with one lookup per value: sets of needs are bitsets. */
export class NeedIndex {
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

  /** The fields that `metBy` reads. */
  get fields(): readonly string[] {
    return this.#fields.map(({ field }) => field);
  }

  /** The needs that a document meets, as a bitset. */
  metBy(document: Document): Uint32Array {
    const met = this.#all.slice();
    for (const { field, free, byValue } of this.#fields) {
      const found = storedValues(document, field).map((value) =>
        byValue.get(foldCase(field, String(value))),
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
