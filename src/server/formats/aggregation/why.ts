/** Numbers about the constraints of a search -> what is told of them. */
import type { components } from "../../../../generated/openapi.js";
import type { ProbedConstraint, WhyQuery } from "../../../domain/aggregation/why.js";
import type { FacetAggregation } from "../../../index/query/facet-aggregations.js";
import { countOf } from "./buckets.js";
import type { UnmatchedValue } from "./unmatched-values.js";

type Why = components["schemas"]["Why"];

/** As a key of a search. */
const keyOf = ({ name, included }: ProbedConstraint): string => (included ? name : `${name}_not_`);

/**
 * What is told of a search, and of what it does not find.
 *
 * @param unmatched values that nothing has
 * @param excluding constraints that exclude everything together; undefined where something is found
 */
export function why(
  { constraints }: WhyQuery,
  { found, numbers }: FacetAggregation,
  unmatched: readonly UnmatchedValue[],
  excluding: readonly ProbedConstraint[] | undefined,
): Why {
  return {
    total_count: found,
    constraints: constraints.map((asked) => ({
      name: keyOf(asked),
      values: [...asked.values],
      count_without: countOf(numbers, asked.without),
      unmatched: unmatched
        .filter(({ constraint }) => constraint === asked)
        .map(({ value, near }) => ({
          value,
          near: near.map(({ value, count }) => ({ value, count })),
        })),
    })),
    excluding: excluding?.map(keyOf) ?? null,
  };
}
