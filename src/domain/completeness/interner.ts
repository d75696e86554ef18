/** Values of files -> numbers, which are compared and kept for less than texts. */
import { type Document, folded, foldedValues, writtenValues } from "./folded-values.js";

/** The values of one facet, each with a number. */
export class NumberedValues {
  readonly values: string[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #written = new Map<unknown, number>();

  constructor(readonly field: string) {}

  of(document: Document): readonly number[] {
    const written = writtenValues(document, this.field);
    if (written.length !== 1) {
      return foldedValues(document, this.field).map((value) => this.#number(value));
    }
    const [one] = written;
    let number = this.#written.get(one);
    if (number === undefined) {
      number = this.#number(folded(this.field, String(one)));
      this.#written.set(one, number);
    }
    return [number];
  }

  #number(value: string): number {
    const known = this.#numbers.get(value);
    if (known !== undefined) return known;
    const number = this.values.length;
    this.#numbers.set(value, number);
    this.values.push(value);
    return number;
  }
}
