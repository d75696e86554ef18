/** Field values of a Solr document, as stored and in the form in which they are compared. */
import { lowerCase } from "../text/case-folding.js";

/** A document as Solr returns it. */
export type Document = Readonly<Record<string, unknown>>;

/** Fields whose values are case-sensitive (search-semantics, "Filters"). */
const EXACT: ReadonlySet<string> = new Set(["file", "uri"]);

/** A value in the form in which it is compared. */
export const foldCase = (field: string, value: string): string =>
  EXACT.has(field) ? value : lowerCase(value);

export function storedValues(document: Document, field: string): readonly unknown[] {
  const value = document[field];
  if (Array.isArray(value)) return value;
  return value === undefined || value === null ? [] : [value];
}

/** The first value of a field, or an empty text. */
export const textOf = (document: Document, field: string): string =>
  String(storedValues(document, field)[0] ?? "");

/** The distinct values, case-folded. */
export const foldedValues = (document: Document, field: string): readonly string[] => {
  const stored = storedValues(document, field);
  if (stored.length === 1) return [foldCase(field, String(stored[0]))];
  return [...new Set(stored.map((value) => foldCase(field, String(value))))];
};

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
