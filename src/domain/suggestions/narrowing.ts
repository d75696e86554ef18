/** Counts what suggestions find: each within the search, narrowed by what was taken of the parts before it. */
import { groupBy } from "../../platform/group-by.js";
import { counting, type FacetTree, type QueryFacet } from "../aggregation/facet-request.js";
import { anyOf, cached, everyOf, exactly, noneOf, tagged } from "../search/lucene.js";
import { periodClause, type Select } from "../search/period-clause.js";
import { regionClause } from "../search/region-clause.js";
import type { Constraint, FacetSearch, Search } from "../search/search.js";
import type { Candidate } from "./candidates.js";

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
interface Narrowed {
  /** The candidates to count. */
  readonly candidates: readonly Candidate[];
  readonly taken: readonly Candidate[];
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
): Search & { readonly facets: FacetTree } {
  const { base, constraints } = search;
  const facets: Record<string, FacetTree[string]> = {};
  for (const [part, { candidates, taken: before }] of parts.entries()) {
    for (const [index, one] of candidates.entries()) {
      const others = clausesOf(
        before.filter((other) => one.isExcluded || other.isExcluded || other.field !== one.field),
        selects,
      );
      // One query for all: Lucene begins with the clause of the fewest documents, and a period or a region alone has most.
      const clause = everyOf([...clausesOf([one], selects), ...others]);
      const own = one.isExcluded ? "" : tagsOf(search, ({ native }) => native === one.field);
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

/** Candidates of one field are alternatives, those of different fields must all hold, and none that are excluded. */
function clausesOf(candidates: readonly Candidate[], selects: Selects): string[] {
  const isExcluded = (one: Candidate): boolean => one.isExcluded === true;
  const clause = (one: Candidate): string => clauseOf(one, selects);
  const included = groupBy(
    candidates.filter((one) => !isExcluded(one)),
    ({ field }) => field,
  );
  return [
    ...[...included.values()].map((some) => anyOf(some.map(clause))),
    ...candidates.filter(isExcluded).map((one) => noneOf([clause(one)])),
  ];
}

/** One period and one region apply at a time; values of a facet are alternatives. */
const isReplaced = (field: string): boolean => field === "time" || field === "bbox";

/**
 * The search with all that was taken: values added to those of the same facet, a period or a region in place of another, and
 * without what is excluded.
 */
function narrowed(search: FacetSearch, taken: readonly Candidate[], selects: Selects): QueryFacet {
  const included = taken.filter((one) => !one.isExcluded);
  const fields = [...new Set(included.map(({ field }) => field))];
  const added = fields.map((field) => {
    const own = isReplaced(field)
      ? []
      : search.constraints
          .filter(({ native, included }) => native === field && included)
          .flatMap(({ clauses }) => clauses);
    const some = included.filter((one) => one.field === field);
    const last = isReplaced(field) ? some.slice(-1) : some;
    return anyOf([...own, ...last.map((one) => clauseOf(one, selects))]);
  });
  const replaced = tagsOf(
    search,
    ({ native, included }) => fields.includes(native) && (included || isReplaced(native)),
  );
  const excluded = clausesOf(
    taken.filter((one) => one.isExcluded),
    selects,
  );
  return counting(everyOf([...added, ...excluded]), replaced);
}
