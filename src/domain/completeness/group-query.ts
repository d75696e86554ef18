/** A scan of all documents of a search that summarises them by group. */

import { anyOf } from "../search/lucene.js";
import type { FacetSearch, Search } from "../search/search.js";
import type { Document } from "./folded-values.js";
import { GroupAccumulator } from "./group-accumulator.js";
import type { Groups } from "./groups.js";
import { isTimed } from "./need.js";
import type { Requirement } from "./requirement.js";

export interface ScanQuery<T = Groups> {
  /** The documents to read. */
  readonly search: Search;
  /** Fields to read; all have docValues. */
  readonly fields: readonly string[];
  /** Identifies the result together with the search, for caches. */
  readonly key: string;
  /** A new accumulator: takes the documents batch by batch, then gives the result. */
  accumulator(): { add(documents: readonly Document[]): void; result(): T | Promise<T> };
}

export function groupQuery({ filters }: FacetSearch, requirement: Requirement): ScanQuery {
  const { groupBy, needs, isOfAll } = requirement;
  const needed = needs.flatMap(({ values }) => values.map(({ field }) => field));
  const times = needs.some(isTimed) ? ["time_raw", "time_frequency"] : [];
  const ofNeeds = isOfAll ? [] : [anyOf([...new Set(needs.map(({ clause }) => clause))])];
  return {
    search: { filters: [...filters, ...ofNeeds] },
    fields: [...new Set([...groupBy.map(({ field }) => field), ...needed, ...times])],
    key: JSON.stringify([
      groupBy,
      needs.map(({ text, on, values, start, end }) => [text, on, values, start, end]),
    ]),
    accumulator: () => new GroupAccumulator(requirement),
  };
}
