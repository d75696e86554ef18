/** Which constraints of a search exclude everything together. */

import { growingSets, setFacets } from "../../../domain/aggregation/excluding-sets.js";
import type { FacetTree } from "../../../domain/aggregation/facet-request.js";
import type { ProbedConstraint, WhyQuery } from "../../../domain/aggregation/why.js";
import type { Numbers } from "../../../index/query/facet-aggregations.js";
import { countOf } from "../../formats/aggregation/buckets.js";

/** Counts facets of a question. */
export type CountFacets = (facets: FacetTree) => Promise<Numbers>;

/**
 * Constraints that exclude everything together, none of which can be taken out: the fewest there are, where the question has
 * all sets of so many; else what is left when all others are taken out, one request for each that stays.
 *
 * @returns undefined where they do not exclude everything
 */
export async function excludingSet(
  { constraints, sets }: WhyQuery,
  numbers: Numbers,
  ask: CountFacets,
): Promise<readonly ProbedConstraint[] | undefined> {
  const smallest = sets.find(({ count }) => countOf(numbers, count) === 0);
  if (smallest !== undefined) return smallest.members;
  // Without one of these something is found, whatever else is left out.
  let kept = constraints.filter(({ without }) => countOf(numbers, without) > 0);
  let open = constraints.filter((one) => !kept.includes(one));
  for (;;) {
    const growing = growingSets(kept, open);
    const counted = await ask(setFacets(growing, constraints));
    const enough = growing.findIndex(({ count }) => countOf(counted, count) === 0);
    if (enough < 0) return undefined;
    const last = open[enough - 1];
    if (last === undefined) return kept;
    // Without it, what was kept and all before it exclude not everything.
    kept = [...kept, last];
    open = open.slice(0, enough - 1);
  }
}
