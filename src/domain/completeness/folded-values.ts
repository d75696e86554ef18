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

/** The distinct values, case-folded. */
export const foldedValues = (document: Document, field: string): readonly string[] => {
  const stored = storedValues(document, field);
  if (stored.length === 1) return [foldCase(field, String(stored[0]))];
  return [...new Set(stored.map((value) => foldCase(field, String(value))))];
};
