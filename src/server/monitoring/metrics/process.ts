/** Metrics of a process under the usual names of Prometheus clients, and the delay of its event loop. */
import { readdir } from "node:fs/promises";
import { type IntervalHistogram, monitorEventLoopDelay } from "node:perf_hooks";
import { Gauge, type Registry } from "prom-client";
import { readCounter, readGauge } from "./read-figures.js";

/** Milliseconds between two samples of the event loop; the measured delay includes them. */
const RESOLUTION = 20;

/** Delay in seconds, from nanoseconds between two samples. */
const delayOf = (nanoseconds: number): number =>
  Number.isFinite(nanoseconds) ? Math.max(0, nanoseconds / 1e9 - RESOLUTION / 1000) : 0;

/** @returns a function that ends the measuring */
export function measureProcess(registry: Registry): () => void {
  readCounter(registry, {
    name: "process_cpu_seconds_total",
    help: "Processor time of this process, without those that it starts",
    read: () => {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1e6;
    },
  });
  new Gauge({
    name: "process_start_time_seconds",
    help: "When the process began, in seconds since 1970",
    aggregator: "min",
    registers: [registry],
  }).set(Math.round(performance.timeOrigin / 1000));
  readGauge(registry, {
    name: "process_open_fds",
    help: "Open file descriptors; 0 where they cannot be counted",
    read: async () => (await readdir("/proc/self/fd").catch(() => [])).length,
  });
  readGauge(registry, {
    name: "climate_memory_bytes",
    help: "Memory of the process: all of it, and what of it JavaScript and buffers have",
    label: "part",
    read: () => {
      const { rss: resident, heapUsed: heap, external } = process.memoryUsage();
      return Object.entries({ resident, heap, external });
    },
  });
  return measureDelay(registry);
}

/** The delay since the last scrape; of several processes the maximum counts. */
function measureDelay(registry: Registry): () => void {
  const delay: IntervalHistogram = monitorEventLoopDelay({ resolution: RESOLUTION });
  delay.enable();
  const gauge = new Gauge({
    name: "climate_event_loop_delay_seconds",
    help: "How late the event loop was since the last scrape: mean, 99th percentile and longest",
    labelNames: ["of"],
    aggregator: "max",
    registers: [registry],
    collect: () => {
      gauge.set({ of: "mean" }, delayOf(delay.mean));
      gauge.set({ of: "p99" }, delayOf(delay.percentile(99)));
      gauge.set({ of: "longest" }, delayOf(delay.max));
      delay.reset();
    },
  });
  return () => delay.disable();
}
