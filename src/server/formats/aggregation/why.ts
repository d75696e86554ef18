/** Formats the counts of a search's constraints as an explanation. */
import type { components } from "../../../../generated/openapi.js";
import type { ProbedConstraint, WhyQuery } from "../../../domain/aggregation/why.js";
import type { FacetAggregation } from "../../../index/query/facet-aggregations.js";
import { countOf } from "./buckets.js";
import type { UnmatchedValue } from "./unmatched-values.js";

type Why = components["schemas"]["Why"];

/** A constraint's key in a search. */
const keyOf = ({ name, included }: ProbedConstraint): string => (included ? name : `${name}_not_`);

/**
 * The explanation of a search.
 *
 * @param unmatched values that no document has
 * @param excluding constraints that together exclude everything; undefined if something is found
 */
export function why(
  { constraints }: WhyQuery,
  { found, numbers }: FacetAggregation,
  unmatched: readonly UnmatchedValue[],
  excluding: readonly ProbedConstraint[] | undefined,
): Why {
  return {
    total_count: found,
    constraints: constraints.map((probed) => ({
      name: keyOf(probed),
      values: [...probed.values],
      count_without: countOf(numbers, probed.without),
      unmatched: unmatched
        .filter(({ constraint }) => constraint.tag === probed.tag)
        .map(({ value, near }) => ({
          value,
          near: near.map(({ value, count }) => ({ value, count })),
        })),
    })),
    excluding: excluding?.map(keyOf) ?? null,
  };
}
