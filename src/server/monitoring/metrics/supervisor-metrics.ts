/** Metrics of the supervisor, the process that has the port while workers answer. */
import { Registry } from "prom-client";
import { measureProcess } from "./process.js";
import { readCounter, readGauge } from "./read-figures.js";

interface WorkerCounts {
  /** Workers that take connections; `silent` ones do not at the moment. */
  readonly awake: number;
  readonly silent: number;
  /** Workers that have ended by themselves. */
  readonly ended: number;
}

export function supervisorMetrics(counts: () => WorkerCounts) {
  const registry = new Registry();
  const close = measureProcess(registry);
  readGauge(registry, {
    name: "climate_workers",
    help: "Processes that answer: those that take connections, and those that do not at the moment",
    label: "state",
    read: () => {
      const { awake, silent } = counts();
      return Object.entries({ awake, silent });
    },
  });
  readCounter(registry, {
    name: "climate_workers_ended_total",
    help: "Processes that answer and ended by themselves",
    read: () => counts().ended,
  });
  return { figures: () => registry.getMetricsAsJSON(), close };
}
