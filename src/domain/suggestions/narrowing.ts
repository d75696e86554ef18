/** Counts what suggestions find: each within the search, narrowed by what was taken of the parts before it. */
import type { FacetTree } from "../aggregation/facet-request.js";
import { anyOf, everyOf, exactly, tagged, uncached } from "../search/lucene.js";
import { periodClause, type Select } from "../search/period-clause.js";
import { regionClause } from "../search/region-clause.js";
import type { FacetSearch, Search } from "../search/search.js";
import type { Candidate } from "./read-typed.js";

interface Selects {
  readonly time_select: Select;
  readonly bbox_select: Select;
}

function clauseOf(
  { kind, field, value }: Candidate,
  { time_select, bbox_select }: Selects,
): string {
  if (kind === "period") return periodClause(value, time_select);
  return kind === "region" ? regionClause(value, bbox_select) : exactly(field, value);
}

/** The name of the facet that counts a candidate. */
export const countName = (index: number): string => `n${index}`;

interface CountRequest extends Search {
  readonly facets: FacetTree;
}

/**
 * Counts each candidate in place of what the search, and the taken ones, say of its own key.
 *
 * @param taken the best of the parts before
 */
export function countRequest(
  { base, constraints }: FacetSearch,
  candidates: readonly Candidate[],
  taken: readonly Candidate[],
  selects: Selects,
): CountRequest {
  const facets = candidates.map((one, index) => {
    const others = anyPerField(
      taken.filter(({ field }) => field !== one.field),
      selects,
    );
    const ignored = constraints.flatMap(({ native }, at) =>
      native === one.field ? [`c${at}`] : [],
    );
    const facet: FacetTree[string] = {
      type: "query",
      q: uncached(everyOf([clauseOf(one, selects), ...others])),
      ...(ignored.length > 0 && { domain: { excludeTags: ignored.join(",") } }),
    };
    return [countName(index), facet] as const;
  });
  return {
    filters: [...base, ...constraints.map(({ filter }, at) => tagged(`c${at}`, filter))],
    facets: Object.fromEntries(facets),
  };
}

/** Candidates of one field are alternatives, those of different fields must all hold. */
function anyPerField(candidates: readonly Candidate[], selects: Selects): string[] {
  const clauses = new Map<string, string[]>();
  for (const one of candidates) {
    clauses.set(one.field, [...(clauses.get(one.field) ?? []), clauseOf(one, selects)]);
  }
  return [...clauses.values()].map((some) => anyOf(some));
}

/** One period and one region apply at a time; values of a facet are alternatives. */
const isReplaced = (field: string): boolean => field === "time" || field === "bbox";

/** The search with all that was taken: values added to those of the same facet, a period or a region in place of another. */
export function narrowed(
  search: FacetSearch,
  taken: readonly Candidate[],
  selects: Selects,
): Search {
  const fields = [...new Set(taken.map(({ field }) => field))];
  const added = fields.map((field) => {
    const own = isReplaced(field)
      ? []
      : search.constraints
          .filter(({ native, included }) => native === field && included)
          .flatMap(({ clauses }) => clauses);
    const some = taken.filter((one) => one.field === field);
    const last = isReplaced(field) ? some.slice(-1) : some;
    return anyOf([...own, ...last.map((one) => clauseOf(one, selects))]);
  });
  const kept = search.constraints.filter(
    ({ native, included }) => !fields.includes(native) || (!included && !isReplaced(native)),
  );
  const filters = [...search.base, ...kept.map(({ filter }) => filter), ...added];
  return { filters };
}
