/** Finds the constraints of a search that together exclude everything. */

import { growingSets, setFacets } from "../../../domain/aggregation/excluding-sets.js";
import type { FacetTree } from "../../../domain/aggregation/facet-request.js";
import type { ProbedConstraint, WhyQuery } from "../../../domain/aggregation/why.js";
import type { Numbers } from "../../../index/query/facet-aggregations.js";
import { countOf } from "../../formats/aggregation/buckets.js";

/** Counts further facets of the query. */
export type CountFacets = (facets: FacetTree) => Promise<Numbers>;

/**
 * A minimal set of constraints that together exclude everything: a smallest one if the query has counted all sets of its
 * size; else the set that is left after removing constraints one by one, with a request for each that stays.
 *
 * @returns undefined if something is found
 */
export async function excludingSet(
  { constraints, sets }: WhyQuery,
  numbers: Numbers,
  ask: CountFacets,
): Promise<readonly ProbedConstraint[] | undefined> {
  const smallest = sets.find(({ count }) => countOf(numbers, count) === 0);
  if (smallest !== undefined) return smallest.members;
  // If something is found without a constraint, every excluding set contains it.
  let kept = constraints.filter(({ without }) => countOf(numbers, without) > 0);
  let open = constraints.filter((one) => !kept.includes(one));
  for (;;) {
    const growing = growingSets(kept, open);
    const counted = await ask(setFacets(growing, constraints));
    const enough = growing.findIndex(({ count }) => countOf(counted, count) === 0);
    if (enough < 0) return undefined;
    const last = open[enough - 1];
    if (last === undefined) return kept;
    // Without it, the kept constraints and all before it do not exclude everything.
    kept = [...kept, last];
    open = open.slice(0, enough - 1);
  }
}
