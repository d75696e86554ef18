/** Finds the values of a search that no document has, and near values that may have been meant. */
import type { ProbedConstraint, ValueProbe } from "../../../domain/aggregation/why.js";
import { folded, hasStems, stemsOf } from "../../../domain/suggestions/match.js";
import { type CountedValue, MAX_KNOWN, nearValues } from "../../../domain/text/similar-values.js";
import { type CountedField, isSingle } from "../../../domain/vocabulary/facets.js";
import { hasLongNames, longName } from "../../../domain/vocabulary/long-names/long-names.js";
import type { Numbers } from "../../../index/query/facet-aggregations.js";
import { countOf, numbersIn, spelledValues } from "./buckets.js";

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
