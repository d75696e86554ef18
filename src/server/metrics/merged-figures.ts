/** Figures of several processes as one. */
import { AggregatorRegistry, type Registry } from "prom-client";

/** What is measured of a process, as prom-client gives it for a message. */
export type Figures = Awaited<ReturnType<Registry["getMetricsAsJSON"]>>;

/** As one text; each figure by its own rule: a sum, the longest, the first. */
export function mergedText(all: readonly Figures[]): Promise<string> {
  return AggregatorRegistry.aggregate([...all]).metrics();
}

/** The same, to be put together with others. */
export function mergeFigures(all: readonly Figures[]): Promise<Figures> {
  return AggregatorRegistry.aggregate([...all]).getMetricsAsJSON();
}

/** Of a process that has ended, what only ever grows: without it, sums would fall, as if all had begun anew. */
export function cumulativeFigures(figures: Figures): Figures {
  return figures.filter(({ type }) => String(type) === "counter" || String(type) === "histogram");
}
