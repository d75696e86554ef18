/** The metrics of one answering process, for Prometheus. */
import type { Server } from "node:net";
import { Gauge, Registry } from "prom-client";
import type { RequestObserver } from "../../http/request-context.js";
import type { Figures } from "./merged-figures.js";
import { measureProcess } from "./process.js";
import { readGauge } from "./read-figures.js";
import { RequestMetrics } from "./requests.js";
import { measureServices, type ServiceCounters } from "./service-counters.js";

/** The text format (Prometheus, "Exposition formats"). */
export const METRICS_TYPE = Registry.PROMETHEUS_CONTENT_TYPE;

export class Metrics {
  readonly observer: RequestObserver;
  readonly #registry = new Registry();
  readonly #end: () => void;
  #connections = 0;

  constructor(version: string, counters: ServiceCounters) {
    this.observer = new RequestMetrics(this.#registry);
    measureServices(this.#registry, counters);
    this.#end = measureProcess(this.#registry);
    readGauge(this.#registry, {
      name: "climate_connections",
      help: "Open connections",
      read: () => this.#connections,
    });
    new Gauge({
      name: "climate_build_info",
      help: "The running versions of the service and of Node",
      labelNames: ["version", "node"],
      aggregator: "first",
      registers: [this.#registry],
    }).set({ version, node: process.version }, 1);
  }

  watch(server: Server): void {
    server.on("connection", (socket) => {
      this.#connections += 1;
      socket.once("close", () => {
        this.#connections -= 1;
      });
    });
  }

  text(): Promise<string> {
    return this.#registry.metrics();
  }

  /** The metrics in serialisable form. */
  figures(): Promise<Figures> {
    return this.#registry.getMetricsAsJSON();
  }

  close(): void {
    this.#end();
  }
}
