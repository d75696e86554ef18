/** Merges the metrics of several processes. */
import { AggregatorRegistry, type Registry } from "prom-client";

/** The metrics of a process, in prom-client's serialisable form. */
export type Figures = Awaited<ReturnType<Registry["getMetricsAsJSON"]>>;

/** All metrics as one text; each is merged by its own rule: sum, maximum or first. */
export function mergedText(all: readonly Figures[]): Promise<string> {
  return AggregatorRegistry.aggregate([...all]).metrics();
}

/** All metrics as one, for further merging. */
export function mergeFigures(all: readonly Figures[]): Promise<Figures> {
  return AggregatorRegistry.aggregate([...all]).getMetricsAsJSON();
}

/** The cumulative metrics of an ended process; without them sums would fall, which Prometheus takes for a reset. */
export function cumulativeFigures(figures: Figures): Figures {
  return figures.filter(({ type }) => String(type) === "counter" || String(type) === "histogram");
}
