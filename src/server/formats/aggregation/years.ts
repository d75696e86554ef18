/** Converts counts of starts and ends into counts of files by years. */
import type { components } from "../../../../generated/openapi.js";
import type { YearAxis, YearSpan } from "../../../domain/aggregation/years.js";
import type { FacetAggregation, StepCounts } from "../../../index/query/facet-aggregations.js";
import { countOf, numbersIn } from "./buckets.js";

type Years = components["schemas"]["Years"];

/** The year of an instant in Solr's notation, of any number of digits. */
const yearIn = (instant: unknown): number | undefined => {
  const [year] = /^[+-]?\d+(?=-)/.exec(String(instant)) ?? [];
  return year === undefined ? undefined : Number(year);
};

/** First and last year of the files that have both; undefined if none has. */
export function yearSpan({ numbers }: FacetAggregation): YearSpan | undefined {
  const dated = numbersIn(numbers, "dated");
  const [first, last] = [yearIn(dated?.first), yearIn(dated?.last)];
  return first === undefined || last === undefined ? undefined : { first, last };
}

/** The counts for the steps of an axis. */
interface Counted {
  readonly axis: YearAxis;
  readonly steps: FacetAggregation["steps"];
}

/** For each bar: the files that start in it or before, minus those that ended before it. */
function barsOf({ axis: { first, last, yearsPerBar }, steps }: Counted): Years["bars"] {
  const nothing: StepCounts = { before: 0, counts: [] };
  const { time_start: starts = nothing, time_end: ends = nothing } = steps;
  let files = starts.before - ends.before;
  return starts.counts.map((begin, place) => {
    files += begin;
    const from = first + place * yearsPerBar;
    const bar = { first: from, last: Math.min(from + yearsPerBar - 1, last), files };
    files -= ends.counts[place] ?? 0;
    return bar;
  });
}

/** @param span of `found` @param counted undefined if there is nothing to count */
export const years = (
  { found, numbers }: FacetAggregation,
  span: YearSpan | undefined,
  counted?: Counted,
): Years => ({
  total_count: found,
  known_files: countOf(numbers, "dated"),
  first: span?.first ?? null,
  last: span?.last ?? null,
  years_per_bar: counted?.axis.yearsPerBar ?? 1,
  bars: counted === undefined ? [] : barsOf(counted),
});
