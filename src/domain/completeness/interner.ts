import { type Document, foldCase, foldedValues, storedValues } from "./folded-values.js";

/** Maps the case-folded values of one facet to small numbers, which are cheaper to compare and store than strings. */
export class Interner {
  readonly values: string[] = [];
  readonly #ids = new Map<string, number>();
  readonly #byStored = new Map<unknown, number>();

  constructor(readonly field: string) {}

  idsOf(document: Document): readonly number[] {
    const stored = storedValues(document, this.field);
    if (stored.length !== 1) {
      return foldedValues(document, this.field).map((value) => this.#idOf(value));
    }
    const [one] = stored;
    let id = this.#byStored.get(one);
    if (id === undefined) {
      id = this.#idOf(foldCase(this.field, String(one)));
      this.#byStored.set(one, id);
    }
    return [id];
  }

  #idOf(value: string): number {
    const known = this.#ids.get(value);
    if (known !== undefined) return known;
    const id = this.values.length;
    this.#ids.set(value, id);
    this.values.push(value);
    return id;
  }
}
