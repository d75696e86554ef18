/** Explains what a search excludes: finds values that no document has, and near values that may have been meant. */

import type { components } from "../../../../generated/openapi.js";
import { growingSets, setFacets } from "../../../domain/aggregation/excluding-sets.js";
import type { FacetTree } from "../../../domain/aggregation/facet-request.js";
import {
  ownNameFacets,
  type ProbedConstraint,
  probeFacets,
  relaxed,
  type ValueProbe,
  valueFacet,
  type WhyQuery,
  whyQuery,
} from "../../../domain/aggregation/why.js";
import { folded, hasStems, stemsOf } from "../../../domain/suggestions/match.js";
import { type CountedValue, MAX_KNOWN, nearValues } from "../../../domain/text/similar-values.js";
import { type CountedField, isSingle } from "../../../domain/vocabulary/facets.js";
import { hasLongNames, longName } from "../../../domain/vocabulary/long-names/long-names.js";
import { EXCLUDES } from "../../../domain/vocabulary/query-words.js";
import type { Numbers } from "../../../index/query/facet-aggregations.js";
import { countOf, numbersIn, spelledValues } from "../../formats/aggregation/buckets.js";
import { taggedReply } from "../common/tagged-reply.js";
import { withFlavour } from "../flavours/requested-flavour.js";
import { recordSearch, searchOf } from "../search/requested-search.js";
import type { Handler } from "../services.js";

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

export interface NearValue extends CountedValue {
  /** Whether the number of its documents is exact; else it is only known to be positive. */
  readonly isCounted: boolean;
}

/** A value of a constraint that no document has. */
export interface UnmatchedValue {
  readonly constraint: ProbedConstraint;
  readonly value: string;
  /** Variables of files that have the value as a standard or long name, most frequent first. */
  readonly named: readonly NearValue[];
  /** Nearest first; then those whose long name has all of its words. */
  readonly near: readonly NearValue[];
}

/** Maximum of near values for each value. */
export const MAX_NEAR = 5;
/** Maximum of compared values for an answer; they take a tenth of a second. */
const MAX_COMPARED = 40_000;

export function unmatchedValues(
  constraints: readonly ProbedConstraint[],
  numbers: Numbers,
): UnmatchedValue[] {
  let left = MAX_COMPARED;
  return constraints.flatMap((constraint) => {
    const missing = constraint.probes.filter(({ count }) => countOf(numbers, count) === 0);
    if (missing.length === 0) return [];
    const known = knownValues(constraint, numbers);
    return missing.map((probe) => {
      const some = known.slice(0, left);
      left -= some.length;
      return { constraint, value: probe.value, ...near(constraint, probe, some, numbers) };
    });
  });
}

/** The most frequent values of a constraint's field, most frequent first. */
function knownValues({ field, known }: ProbedConstraint, numbers: Numbers): NearValue[] {
  const values = spelledValues(numbers[known]);
  if (values.length === 0) return [];
  const spellings = values.reduce((sum, one) => sum + one.spellings, 0);
  const isSure = isSingle(field as CountedField);
  return values
    .map(({ value, count, spellings: several }) => {
      // One document may have two spellings, and a rare spelling may be missing from the most frequent values.
      const isCounted = spellings < MAX_KNOWN && (isSure || several === 1);
      return { value, count, isCounted };
    })
    .sort((a, b) => b.count - a.count);
}

function near(
  { field = "" }: ProbedConstraint,
  { literal, near: found, named }: ValueProbe,
  known: readonly NearValue[],
  numbers: Numbers,
): Pick<UnmatchedValue, "named" | "near"> {
  if (literal === undefined) return { named: [], near: [] };
  const sure = new Map(known.map((one) => [one.value, one]));
  const among = (facet: string): NearValue[] =>
    spelledValues(numbersIn(numbers, facet)?.of)
      .map(({ value, count }) => sure.get(value) ?? { value, count, isCounted: false })
      .sort((a, b) => b.count - a.count);
  const others = among(found).filter(({ value }) => !sure.has(value));
  const near = nearValues(literal, [...known, ...others], MAX_NEAR);
  return {
    named: among(named),
    near: [...new Set([...near, ...described(literal, field, known)])],
  };
}

/** The values whose long name has all words of a text. */
function described(text: string, field: string, known: readonly NearValue[]): NearValue[] {
  const stems = stemsOf(folded(text));
  if (stems.length === 0 || !hasLongNames(field)) return [];
  return known
    .filter(({ value }) => hasStems(stems, [folded(longName(field, value) ?? "")]))
    .slice(0, MAX_NEAR);
}

/** Explains how many files each constraint of a search excludes, and which exclude everything. */
export const explain: Handler<"explain"> = async (received, services) => {
  const { solr } = services;
  const request = await withFlavour(received, services);
  const { search, client } = searchOf(request);
  const question = whyQuery(search);
  const { found, numbers } = await solr.aggregateFacets(question, client);
  recordSearch(request, search, found > 0);
  const ask = async (facets: FacetTree) =>
    (await solr.aggregateFacets({ ...question, facets }, client)).numbers;
  const excluding = found > 0 ? undefined : await excludingSet(question, numbers, ask);
  const unmatched = await countNear(await nearValuesOf(question, numbers, ask), ask);
  return taggedReply(request, {
    total_count: found,
    constraints: question.constraints.map((probed) => ({
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
  } satisfies components["schemas"]["Why"]);
};

/** A constraint's key in a search. */
const keyOf = ({ name, included }: ProbedConstraint): string => (included ? name : name + EXCLUDES);

/**
 * A minimal set of constraints that together exclude everything: a smallest one if the query has counted all sets of its
 * size; else the set that is left after removing constraints one by one, with a request for each that stays. Undefined if
 * something is found.
 */
async function excludingSet(
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
