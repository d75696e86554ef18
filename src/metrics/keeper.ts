/** What is measured of the process that has the port, where others answer. */
import { Counter, Gauge, Registry } from "prom-client";
import { measureProcess } from "./process.js";
import type { Figures } from "./together.js";

export interface Crew {
  /** Workers that take connections, and those that do not at the moment. */
  readonly awake: number;
  readonly silent: number;
  /** Workers that ended by themselves so far. */
  readonly ended: number;
}

export class KeeperMetrics {
  readonly #registry = new Registry();
  readonly #end: () => void;

  constructor(crew: () => Crew) {
    const registers = [this.#registry];
    this.#end = measureProcess(this.#registry);
    new Gauge({
      name: "climate_workers",
      help: "Processes that answer: those that take connections, and those that do not at the moment",
      labelNames: ["state"],
      registers,
      collect() {
        const { awake, silent } = crew();
        this.set({ state: "awake" }, awake);
        this.set({ state: "silent" }, silent);
      },
    });
    new Counter({
      name: "climate_workers_ended_total",
      help: "Processes that answer and ended by themselves",
      registers,
      collect() {
        this.reset();
        this.inc(crew().ended);
      },
    });
  }

  figures(): Promise<Figures> {
    return this.#registry.getMetricsAsJSON();
  }

  close(): void {
    this.#end();
  }
}
