/** How many files there are in which years, as the service counts them. */
import type { components } from "../../../generated/openapi.js";

export type Counted = components["schemas"]["Years"];
export type Bar = Counted["bars"][number];

export interface Histogram {
  readonly first: number;
  readonly last: number;
  readonly bars: readonly Bar[];
  /** The most files of a bar. */
  readonly most: number;
}

/** @returns undefined where nothing that is found says its years */
export function histogramOf({ first, last, bars }: Counted): Histogram | undefined {
  const [one] = bars;
  if (first === null || last === null || one === undefined) return undefined;
  return {
    first: Math.max(first, one.first),
    last,
    bars,
    most: Math.max(...bars.map(({ files }) => files)),
  };
}

/** Years of which a timeline shows all without asking. */
const MAX_PLAIN = 400;
/** How much of a long time must lie within a part of it for that part to be shown first. */
const NEARLY_ALL = 0.8;

/**
 * The years to show first: those from `since` on, where what is found begins long before and nearly all lies behind it, as of
 * the last millennium beside the historical runs.
 */
export function shownFirst({ first, last, bars }: Histogram, since: number): number {
  if (last - first <= MAX_PLAIN || last <= since) return first;
  const sum = (some: readonly Bar[]): number => some.reduce((all, { files }) => all + files, 0);
  const isNearlyAll = sum(bars.filter((bar) => bar.last >= since)) >= NEARLY_ALL * sum(bars);
  return isNearlyAll ? since : first;
}
