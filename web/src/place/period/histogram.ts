/** Files per year, as counted by the service. */
import type { components } from "../../../../generated/openapi.js";
import { isBetterCut, USUAL } from "../../service/years.js";

type Counted = components["schemas"]["Years"];
type Bar = Counted["bars"][number];

export interface Histogram {
  readonly first: number;
  readonly last: number;
  readonly bars: readonly Bar[];
  readonly max: number;
}

/** @returns undefined if no file found has a period */
export function histogramOf({ first, last, bars }: Counted): Histogram | undefined {
  const [one] = bars;
  if (first === null || last === null || one === undefined) return undefined;
  return {
    first: Math.max(first, one.first),
    last,
    bars,
    max: Math.max(...bars.map(({ files }) => files)),
  };
}

/** The first year to show: later than the first if few files lie long before the usual years. */
export function shownFirst({ first, last, bars }: Histogram): number {
  const sum = (some: readonly Bar[]): number => some.reduce((all, { files }) => all + files, 0);
  const later = sum(bars.filter((bar) => bar.last >= USUAL.first)) / sum(bars);
  return isBetterCut(first, last, later) ? USUAL.first : first;
}
