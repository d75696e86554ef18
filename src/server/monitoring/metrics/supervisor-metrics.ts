/** Metrics of the supervisor, the process that has the port while workers answer. */
import { Registry } from "prom-client";
import type { Figures } from "./merged-figures.js";
import { measureProcess } from "./process.js";
import { readCounter, readGauge } from "./read-figures.js";

export interface WorkerCounts {
  /** Workers that take connections; `silent` ones do not at the moment. */
  readonly awake: number;
  readonly silent: number;
  /** Workers that have ended by themselves. */
  readonly ended: number;
}

export class SupervisorMetrics {
  readonly #registry = new Registry();
  readonly #end: () => void;

  constructor(counts: () => WorkerCounts) {
    this.#end = measureProcess(this.#registry);
    readGauge(this.#registry, {
      name: "climate_workers",
      help: "Processes that answer: those that take connections, and those that do not at the moment",
      label: "state",
      read: () => {
        const { awake, silent } = counts();
        return Object.entries({ awake, silent });
      },
    });
    readCounter(this.#registry, {
      name: "climate_workers_ended_total",
      help: "Processes that answer and ended by themselves",
      read: () => counts().ended,
    });
  }

  figures(): Promise<Figures> {
    return this.#registry.getMetricsAsJSON();
  }

  close(): void {
    this.#end();
  }
}
