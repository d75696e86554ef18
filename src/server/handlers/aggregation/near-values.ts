/** Finds the near values of a search, with further requests where the first one does not tell. */

import type { FacetTree } from "../../../domain/aggregation/facet-request.js";
import {
  ownNameFacets,
  type ProbedConstraint,
  probeFacets,
  relaxed,
  valueFacet,
  type WhyQuery,
} from "../../../domain/aggregation/why.js";
import type { Numbers } from "../../../index/query/facet-aggregations.js";
import { countOf } from "../../formats/aggregation/buckets.js";
import {
  MAX_NEAR,
  type NearValue,
  type UnmatchedValue,
  unmatchedValues,
} from "../../formats/aggregation/unmatched-values.js";

export type CountFacets = (facets: FacetTree) => Promise<Numbers>;

/** Variables of a search whose own names are looked for. */
const MAX_NAMED = 60;

/** The unmatched values, with at most MAX_NEAR near values each. */
export async function nearValuesOf(
  { constraints, sets }: WhyQuery,
  numbers: Numbers,
  ask: CountFacets,
): Promise<readonly UnmatchedValue[]> {
  const missing = unmatchedValues(constraints, numbers);
  const isDead = (one: ProbedConstraint): boolean =>
    sets.some(
      ({ members, count }) =>
        members.length === 1 && members[0] === one && countOf(numbers, count) === 0,
    );
  const near = await beyondDead(missing, constraints.filter(isDead), numbers, ask);
  return withOwnNames(near, ask);
}

/** Looks for near values without the constraints that match nothing by themselves, where these hide all of them. */
async function beyondDead(
  missing: readonly UnmatchedValue[],
  dead: readonly ProbedConstraint[],
  numbers: Numbers,
  ask: CountFacets,
): Promise<readonly UnmatchedValue[]> {
  const hidden = new Map(
    missing
      .map(({ constraint }) => constraint)
      .filter((one) => countOf(numbers, one.without) === 0 && dead.some((other) => other !== one))
      .map((one) => [one.tag, relaxed(one, dead)]),
  );
  if (hidden.size === 0) return missing;
  const again = [...hidden.values()];
  const more = await ask(Object.assign({}, ...again.map(probeFacets)));
  const found = unmatchedValues(again, more);
  return missing.map((one) => {
    const { tag } = one.constraint;
    return (
      found.find(({ constraint, value }) => constraint.tag === tag && value === one.value) ?? one
    );
  });
}

/** Leaves out variables that only share files with the one that has the name, and merges the others with the near values. */
async function withOwnNames(
  unmatched: readonly UnmatchedValue[],
  ask: CountFacets,
): Promise<readonly UnmatchedValue[]> {
  const facets: Record<string, FacetTree[string]> = {};
  let left = MAX_NAMED;
  const examined = unmatched.map(({ constraint, value, named }, index) => {
    const some = named.length > 1 ? named.slice(0, left) : [];
    left -= some.length;
    for (const [at, { value: variable }] of some.entries()) {
      const { own, other } = ownNameFacets(value, variable, constraint);
      Object.assign(facets, { [`own_${index}_${at}`]: own, [`other_${index}_${at}`]: other });
    }
    return some;
  });
  const numbers = Object.keys(facets).length > 0 ? await ask(facets) : { count: 0 };
  return unmatched.map((one, index) => {
    const having = (kind: "own" | "other"): readonly NearValue[] =>
      (examined[index] ?? []).filter((_, at) => countOf(numbers, `${kind}_${index}_${at}`) > 0);
    const [own, others] = [having("own"), having("other")];
    // If no file has the name and one variable, it may be the name of any that has no other name.
    const named = own.length > 0 ? own : one.named.filter((variable) => !others.includes(variable));
    const near = [...new Map([...named, ...one.near].map((each) => [each.value, each])).values()];
    return { ...one, near: near.slice(0, MAX_NEAR) };
  });
}

/** Counts the documents of near values whose number is not known yet, and leaves out those that find nothing. */
export async function countNear(
  unmatched: readonly UnmatchedValue[],
  ask: CountFacets,
): Promise<readonly UnmatchedValue[]> {
  const open = unmatched.flatMap(({ constraint, near }) =>
    near.filter(({ isCounted }) => !isCounted).map((one) => ({ constraint, one })),
  );
  if (open.length === 0) return unmatched;
  const facets = open.map(
    ({ constraint, one }, index) => [`near_${index}`, valueFacet(constraint, one.value)] as const,
  );
  const numbers = await ask(Object.fromEntries(facets));
  const counts = new Map(open.map(({ one }, index) => [one, countOf(numbers, `near_${index}`)]));
  return unmatched.map(({ near, ...rest }) => ({
    ...rest,
    near: near
      .map((one) => ({ ...one, count: counts.get(one) ?? one.count }))
      .filter(({ count }) => count > 0),
  }));
}
