/** The order of results, and where a list of them continues. */
import type { Search } from "../../domain/search/search.js";

/** The order of all results (search-semantics, "Filters"). */
export const ORDER = "file desc";

/** A position in the order of results. */
export interface Cursor {
  readonly file: string;
  /** Whether the list continues with this file, or with the next one. */
  readonly included: boolean;
}

/**
 * The filter that keeps the results from a cursor on, and the value of the parameter `first` that it names. As a parameter,
 * the file needs no escaping.
 *
 * @param tag letters by which a facet can exclude the filter
 */
export function cursorFilter(
  { file, included }: Cursor,
  tag?: string,
): { readonly filter: string; readonly first: string } {
  const end = included ? "" : " incu=false";
  const name = tag === undefined ? "" : ` tag=${tag}`;
  return { filter: `{!frange u=$first${end}${name} cache=false}file`, first: file };
}

/** The results of a search from a cursor on, as a search and its additional parameters; all results without a cursor. */
export function searchFrom(
  search: Search,
  cursor: Cursor | undefined,
): { readonly search: Search; readonly parameters: Readonly<Record<string, string>> } {
  if (cursor === undefined) return { search, parameters: {} };
  const { filter, first } = cursorFilter(cursor);
  return { search: { ...search, filters: [...search.filters, filter] }, parameters: { first } };
}
