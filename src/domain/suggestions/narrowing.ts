/** Counts what suggestions find: each within the search, narrowed by what was taken of the parts before it. */
import { counting, type FacetTree, type QueryFacet } from "../aggregation/facet-request.js";
import { anyOf, cached, everyOf, exactly, tagged } from "../search/lucene.js";
import { periodClause, type Select } from "../search/period-clause.js";
import { regionClause } from "../search/region-clause.js";
import type { Constraint, FacetSearch, Search } from "../search/search.js";
import type { Candidate } from "./read-typed.js";

export interface Selects {
  readonly time_select: Select;
  readonly bbox_select: Select;
}

/** Solr finds a period among all documents, and all parts behind it repeat it: it is found once. */
function clauseOf(
  { kind, field, value }: Candidate,
  { time_select, bbox_select }: Selects,
): string {
  if (kind === "period") return cached(periodClause(value, time_select));
  return kind === "region" ? regionClause(value, bbox_select) : exactly(field, value);
}

/** A part of the text, and the best of the parts before it. */
export interface Narrowed {
  /** The candidates to count. */
  readonly candidates: readonly Candidate[];
  readonly taken: readonly Candidate[];
}

interface CountRequest extends Search {
  readonly facets: FacetTree;
}

/** The facet that counts the search with the best of all parts. */
export const ALL_TAKEN = "taken";

/** The facet of a candidate of a part. */
export const countName = (part: number, candidate: number): string => `n${part}_${candidate}`;

/**
 * Counts each candidate in place of what the search, and the taken ones, say of its own key; and the search with the best of
 * all parts.
 *
 * @param taken the best of all parts
 */
export function countRequest(
  search: FacetSearch,
  parts: readonly Narrowed[],
  taken: readonly Candidate[],
  selects: Selects,
): CountRequest {
  const { base, constraints } = search;
  const facets: Record<string, FacetTree[string]> = {};
  for (const [part, { candidates, taken: before }] of parts.entries()) {
    for (const [index, one] of candidates.entries()) {
      const others = anyPerField(
        before.filter(({ field }) => field !== one.field),
        selects,
      );
      // One query for all: Lucene begins with the clause of the fewest documents, and a period or a region alone has most.
      const clause = everyOf([clauseOf(one, selects), ...others]);
      const own = tagsOf(search, ({ native }) => native === one.field);
      facets[countName(part, index)] = counting(clause, own);
    }
  }
  if (taken.length > 0) facets[ALL_TAKEN] = narrowed(search, taken, selects);
  return {
    filters: [...base, ...constraints.map(({ filter }, at) => tagged(tagOf(at), filter))],
    facets,
  };
}

const tagOf = (at: number): string => `c${at}`;

/** The tags of some constraints of a search, separated by commas. */
const tagsOf = ({ constraints }: FacetSearch, isOne: (one: Constraint) => boolean): string =>
  constraints.flatMap((one, at) => (isOne(one) ? tagOf(at) : [])).join(",");

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
function narrowed(search: FacetSearch, taken: readonly Candidate[], selects: Selects): QueryFacet {
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
  const replaced = tagsOf(
    search,
    ({ native, included }) => fields.includes(native) && (included || isReplaced(native)),
  );
  return counting(everyOf(added), replaced);
}
