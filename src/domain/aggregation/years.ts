/** Counts files by year: at most a given number of bars, each of equal length. */
import { MAX_STORED_YEAR, startOfYear } from "../extent/period.js";
import { exists } from "../search/lucene.js";
import type { DateHistogram, FacetTree } from "./facet-request.js";

/** Files with a known begin and end; files with open periods cannot be shown on an axis of years. */
export const DATED: readonly string[] = [exists("time_start"), exists("time_end")];

/** The first begin and the last end of these files. */
export const SPAN_FACETS: FacetTree = {
  dated: {
    type: "query",
    q: DATED.map((clause) => `+${clause}`).join(" "),
    facet: { first: "min(time_start)", last: "max(time_end)" },
  },
};

/** Years of the ISO calendar; `last` is included. */
export interface YearSpan {
  readonly first: number;
  readonly last: number;
}

/** Adjacent bars of equal length, from year `first` to year `last` (included). */
export interface YearAxis extends YearSpan {
  readonly yearsPerBar: number;
  readonly bars: number;
}

const floorTo = (year: number, length: number): number => Math.floor(year / length) * length;

/** Bar lengths that are easy to read: 1, 2, 5, 10, 20, ... */
function* lengths(): Generator<number, never, undefined> {
  for (let power = 1; ; power *= 10) yield* [power, 2 * power, 5 * power];
}

/**
 * The axis with the shortest bars of which at most `maxBars` are needed. Bars begin at a multiple of their length.
 *
 * @param since years before this one are left out
 * @returns undefined if everything ended before `since`
 */
export function yearAxis(
  span: YearSpan,
  {
    since = span.first,
    maxBars,
  }: { readonly since?: number | undefined; readonly maxBars: number },
): YearAxis | undefined {
  const from = Math.max(span.first, since);
  if (from > span.last) return undefined;
  for (const yearsPerBar of lengths()) {
    // Solr's dates begin at this year.
    const first = Math.max(floorTo(from, yearsPerBar), -MAX_STORED_YEAR);
    const bars = Math.floor((span.last - first) / yearsPerBar) + 1;
    if (bars > maxBars) continue;
    const last = Math.min(first + bars * yearsPerBar - 1, MAX_STORED_YEAR);
    return { first, last, yearsPerBar, bars };
  }
  return undefined;
}

/** Counts how many files begin, and how many end, in each bar. */
export const yearHistogram = ({ first, last, yearsPerBar }: YearAxis): DateHistogram => ({
  fields: ["time_start", "time_end"],
  start: startOfYear(first),
  end: startOfYear(last + 1),
  gap: `+${yearsPerBar}YEARS`,
});
