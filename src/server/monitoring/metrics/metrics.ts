/** The metrics of one answering process, for Prometheus. */
import type { Server } from "node:net";
import { Gauge, Registry } from "prom-client";
import { readManifest } from "../../../platform/package-root.js";
import type { RequestObserver } from "../../http/request-context.js";
import { measureProcess } from "./process.js";
import { readGauge } from "./read-figures.js";
import { RequestMetrics } from "./requests.js";
import { type MeasuredParts, measureServices } from "./service-counters.js";

/** The metrics of a process, in prom-client's serialisable form. */
export type Figures = Awaited<ReturnType<Registry["getMetricsAsJSON"]>>;

/** The text format (Prometheus, "Exposition formats"). */
export const METRICS_TYPE = Registry.PROMETHEUS_CONTENT_TYPE;

export class Metrics {
  readonly observer: RequestObserver;
  readonly #registry = new Registry();
  readonly close: () => void;
  #connections = 0;

  constructor(parts: MeasuredParts) {
    this.observer = new RequestMetrics(this.#registry);
    measureServices(this.#registry, parts);
    this.close = measureProcess(this.#registry);
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
    }).set({ version: readManifest().version, node: process.version }, 1);
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
}
