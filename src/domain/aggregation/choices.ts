/** A search whose facets are counted as if they were not restricted themselves: what another choice of each would give. */
import { tagged } from "../search/lucene.js";
import type { FacetSearch, Search } from "../search/search.js";

/** A search, and the filters of it that some facets leave out of account. */
export interface Choices extends Search {
  /** By native names of facets: tags of what they include and exclude themselves. */
  readonly lifted: ReadonlyMap<string, readonly string[]>;
}

export function choicesOf({ collection, base, constraints }: FacetSearch): Choices {
  const lifted = new Map<string, string[]>();
  const filters = constraints.map(({ native, filter }, index) => {
    const tag = `c${index}`;
    lifted.set(native, [...(lifted.get(native) ?? []), tag]);
    return tagged(tag, filter);
  });
  return { collection, filters: [...base, ...filters], lifted };
}
