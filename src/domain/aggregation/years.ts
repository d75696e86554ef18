/** What is asked about the years of all that a search finds: as many bars as are wanted, each of as many years. */
import { MAX_STORED_YEAR, startOfYear } from "../extent/period.js";
import { exists } from "../search/lucene.js";
import type { MomentSteps } from "./date-histogram.js";
import type { FacetTree } from "./facet-request.js";

/** Files that say when they begin and when they end: what is open has no place among years. */
export const DATED: readonly string[] = [exists("time_start"), exists("time_end")];

/** From when to when these are. */
export const SPAN_FACETS: FacetTree = {
  dated: {
    type: "query",
    q: DATED.map((clause) => `+${clause}`).join(" "),
    facet: { first: "min(time_start)", last: "max(time_end)" },
  },
};

/** Years of ISO's calendar, the last one included. */
export interface YearSpan {
  readonly first: number;
  readonly last: number;
}

/** Bars, one beside the other. */
export interface YearAxis {
  /** The first year of the first bar. */
  readonly first: number;
  /** The last year of the last bar. */
  readonly last: number;
  readonly yearsPerBar: number;
  readonly bars: number;
}

const floorTo = (year: number, length: number): number => Math.floor(year / length) * length;

/** Lengths by which people can read an axis: 1, 2, 5, 10, 20, ... */
function* lengths(): Generator<number, never, undefined> {
  for (let power = 1; ; power *= 10) yield* [power, 2 * power, 5 * power];
}

/**
 * Bars that begin at a multiple of their length, which is the shortest with which they are not too many.
 *
 * @param since the first year that has to be in a bar
 * @param most bars
 * @returns undefined where everything has ended before
 */
export function yearAxis(
  span: YearSpan,
  { since = span.first, most }: { readonly since?: number | undefined; readonly most: number },
): YearAxis | undefined {
  const from = Math.max(span.first, since);
  if (from > span.last) return undefined;
  for (const yearsPerBar of lengths()) {
    // Solr's moments go no further.
    const first = Math.max(floorTo(from, yearsPerBar), -MAX_STORED_YEAR);
    const bars = Math.floor((span.last - first) / yearsPerBar) + 1;
    if (bars > most) continue;
    const last = Math.min(first + bars * yearsPerBar - 1, MAX_STORED_YEAR);
    return { first, last, yearsPerBar, bars };
  }
  return undefined;
}

/** What is counted for an axis: how many files begin in each of its bars, and how many end there. */
export const stepsOf = ({ first, last, yearsPerBar }: YearAxis): MomentSteps => ({
  fields: ["time_start", "time_end"],
  start: startOfYear(first),
  end: startOfYear(last + 1),
  gap: `+${yearsPerBar}YEARS`,
});
