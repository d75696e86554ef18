/** The values that a document has of a field, as they are compared. */
import { lowerCase } from "../text/case-folding.js";

/** A document as Solr gives it. */
export type Document = Readonly<Record<string, unknown>>;

/** Fields whose values compare as they are (search-semantics, "Filters"). */
const EXACT: ReadonlySet<string> = new Set(["file", "uri"]);

/** A value as it is compared. */
export const folded = (field: string, value: string): string =>
  EXACT.has(field) ? value : lowerCase(value);

/** As they were written. */
export function writtenValues(document: Document, field: string): readonly unknown[] {
  const value = document[field];
  if (Array.isArray(value)) return value;
  return value === undefined || value === null ? [] : [value];
}

/** Each once, whatever its spellings. */
export const foldedValues = (document: Document, field: string): readonly string[] => {
  const written = writtenValues(document, field);
  if (written.length === 1) return [folded(field, String(written[0]))];
  return [...new Set(written.map((value) => folded(field, String(value))))];
};
