/** What is asked of Solr about groups of files, and what is made of the files that it shows. */

import { anyOf } from "../search/lucene.js";
import type { FacetSearch, Search } from "../search/search.js";
import type { Document } from "./folded-values.js";
import { GroupTally } from "./group-accumulator.js";
import type { Groups } from "./groups.js";
import { isTimed } from "./need.js";
import type { Requirement } from "./requirement.js";

export interface GroupQuestion<T = Groups> {
  /** The documents to look at. */
  readonly search: Search;
  /** Fields with docValues. */
  readonly fields: readonly string[];
  /** All that the answer depends on beside the search. */
  readonly key: string;
  /** Takes the documents one after the other, and tells at the end. */
  begin(): { add(documents: readonly Document[]): void; end(): T };
}

export function groupQuestion(
  { collection, filters }: FacetSearch,
  requirement: Requirement,
): GroupQuestion {
  const { groupBy, needs, isOfAll } = requirement;
  const needed = needs.flatMap(({ values }) => values.map(({ field }) => field));
  const times = needs.some(isTimed) ? ["time_raw", "time_frequency"] : [];
  const ofNeeds = isOfAll ? [] : [anyOf([...new Set(needs.map(({ clause }) => clause))])];
  return {
    search: { collection, filters: [...filters, ...ofNeeds] },
    fields: [...new Set([...groupBy.map(({ field }) => field), ...needed, ...times])],
    key: JSON.stringify([
      groupBy,
      needs.map(({ text, on, values, start, end }) => [text, on, values, start, end]),
    ]),
    begin: () => new GroupTally(requirement),
  };
}
