/** What is asked of Solr about groups of files, and what is made of the files that it shows. */
import type { GroupQuestion } from "../solr/group-searches.js";
import { GroupTally } from "./group-tally.js";
import { anyOf } from "./lucene.js";
import type { Requirement } from "./requirement.js";
import type { FacetSearch } from "./search.js";

export function groupQuestion(
  { collection, filters }: FacetSearch,
  requirement: Requirement,
): GroupQuestion {
  const { groupBy, needs, isOfAll } = requirement;
  const isTimed = needs.some(({ start, end }) => start !== undefined || end !== undefined);
  const needed = needs.flatMap(({ values }) => values.map(({ field }) => field));
  const times = isTimed ? ["time_raw", "time_frequency"] : [];
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
