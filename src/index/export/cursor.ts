/** The order of results, and where a list of them goes on. */

/** Results are in this order, everywhere (search-semantics, "Filters"). */
export const ORDER = "file desc";

/** Where a list goes on: at a file, or behind it. */
export interface Begin {
  readonly file: string;
  readonly included: boolean;
}

/**
 * Leaves out what stands before. The file is a parameter of its own, as no text of a filter.
 *
 * @param tag by which a facet can leave it out of account: letters
 */
export function beginning(
  { file, included }: Begin,
  tag?: string,
): { readonly filter: string; readonly first: string } {
  const end = included ? "" : " incu=false";
  const name = tag === undefined ? "" : ` tag=${tag}`;
  return { filter: `{!frange u=$first${end}${name} cache=false}file`, first: file };
}
