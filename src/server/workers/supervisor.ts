/**
 * The service in several processes: the supervisor runs Solr, and its workers answer behind one port. node:cluster gives
 * them the connections in turn.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import { AggregatorRegistry, Registry } from "prom-client";
import { SetupError } from "../../index/collections/setup-error.js";
import { addressesOf } from "../../index/transport/endpoint.js";
import { SingleFlight } from "../../platform/concurrency/single-flight.js";
import { DRAIN_MS } from "../assembly/compose-service.js";
import type { Service } from "../assembly/one-process.js";
import type { OpenedSolr } from "../assembly/open-solr.js";
import { startAgain } from "../assembly/restart-pause.js";
import type { Figures } from "../monitoring/metrics/metrics.js";
import { measureProcess } from "../monitoring/metrics/process.js";
import { readCounter, readGauge } from "../monitoring/metrics/read-figures.js";
import type { Config } from "../settings/config.js";
import { secretsIn } from "../settings/environment.js";
import { ALIVE_MS, type Report, type Start } from "./messages.js";
import { Worker } from "./worker.js";

/** Milliseconds in which a worker must be ready, also on a busy machine. */
const START_MS = 120_000;
/** Milliseconds that a worker gets to end after its transfers. */
const END_MS = 5000;

export class WorkerSupervisor implements Service {
  readonly #workers = new Map<number, Worker>();
  readonly #stopping = new AbortController();
  readonly #metrics = supervisorMetrics(() => this.#count());
  readonly #scrapes = new SingleFlight<string>();
  /** Metrics of workers that have ended. */
  #past: Figures[] = [];
  #ended = 0;
  #watching: NodeJS.Timeout | undefined;

  readonly #config: Config;
  readonly #solr: OpenedSolr;
  readonly #logger: Logger;

  constructor(config: Config, solr: OpenedSolr, logger: Logger) {
    this.#config = config;
    this.#solr = solr;
    this.#logger = logger;
    solr.watch(() => {
      for (const worker of this.#workers.values()) this.#sendState(worker);
    });
  }

  /** Starts the first worker alone: it creates shared state, and an error is reported once. */
  async listen(): Promise<string> {
    // Time in which this process does not run does not count as silence.
    this.#watching = setInterval(() => {
      for (const worker of this.#workers.values()) worker.tick();
    }, ALIVE_MS);
    try {
      const address = await this.#begin(1);
      const others = Array.from({ length: this.#config.workers - 1 }, (_, index) => index + 2);
      await Promise.all(others.map((index) => this.#begin(index)));
      return address;
    } catch (error) {
      await this.stop();
      throw error;
    }
  }

  /** Concurrent callers share a round, in which each worker reports once. */
  scrape(): Promise<string> {
    return this.#scrapes.join(async () => {
      const ready = [...this.#workers.values()].filter(({ isReady }) => isReady);
      await Promise.all(ready.map((worker) => worker.measure()));
      if (this.#past.length > 1)
        this.#past.push(await merged(this.#past.splice(0)).getMetricsAsJSON());
      const present = [...this.#workers.values()].map(({ figures }) => figures);
      return merged([...present, ...this.#past, await this.#metrics.figures()]).metrics();
    });
  }

  #count() {
    const awake = [...this.#workers.values()].filter(({ isAwake }) => isAwake).length;
    return { awake, silent: this.#config.workers - awake, ended: this.#ended };
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    const workers = [...this.#workers.values()];
    for (const worker of workers) worker.tell({ kind: "stop" });
    const end = Date.now() + DRAIN_MS + END_MS;
    while (workers.some(({ hasEnded }) => !hasEnded)) {
      if (Date.now() > end) for (const worker of workers) worker.kill();
      await sleep(10);
    }
    clearInterval(this.#watching);
    this.#metrics.close();
  }

  /** Starts a worker and waits until it answers. @returns its address */
  #begin(index: number): Promise<string> {
    return new Promise((resolve, reject) => {
      let reason: string | undefined;
      const began = Date.now();
      const late = setTimeout(() => {
        reason = `Worker ${index} was not ready after ${START_MS / 1000} s.`;
        worker.kill();
      }, START_MS);
      const worker = new Worker(this.#startOf(index), {
        report: (report) => {
          if (report.kind === "failed") reason = report.reason;
          else if (report.kind === "ready") {
            clearTimeout(late);
            // Orders that were sent during its start are lost.
            this.#sendState(worker);
            resolve(report.address);
          } else this.#hear(worker, report);
        },
        silent: (seconds) => {
          this.#logger.error({ worker: index, seconds }, "a worker does not answer");
        },
        ended: (how) => {
          clearTimeout(late);
          this.#workers.delete(index);
          this.#past.push(cumulative(worker.figures));
          if (!worker.isReady) {
            const why = reason ?? `Worker ${index} ended before it could answer (${how}).`;
            reject(new SetupError(why));
          } else if (!this.#stopping.signal.aborted) void this.#again(index, how, began);
        },
      });
      this.#workers.set(index, worker);
    });
  }

  #startOf(index: number): Start {
    const { urls: _, ...rest } = this.#solr.endpoint;
    return {
      kind: "start",
      index,
      workers: this.#config.workers,
      topology: this.#solr.topology,
      endpoint: { ...rest, addresses: addressesOf(this.#solr.endpoint) },
      isUp: this.#solr.isUp(),
      secrets: secretsIn(process.env),
    };
  }

  #sendState(worker: Worker): void {
    worker.tell({ kind: "solr", isUp: this.#solr.isUp() });
    if (this.#stopping.signal.aborted) worker.tell({ kind: "stop" });
  }

  #hear(worker: Worker, report: Report): void {
    if (report.kind === "mend") this.#solr.mend();
    else if (report.kind === "scrape") {
      void this.scrape().then((text) => worker.tell({ kind: "scraped", text }));
    }
  }

  /** Restarts a worker that ended by itself, until it is ready. */
  async #again(index: number, how: string, began: number): Promise<void> {
    this.#ended += 1;
    this.#logger.error({ worker: index, reason: how }, "a worker ended; starting it again");
    await startAgain({
      ran: Date.now() - began,
      signal: this.#stopping.signal,
      start: () => this.#begin(index),
      failed: (error) => {
        const { message: reason } = error as Error;
        this.#logger.error({ worker: index, reason }, "a worker could not be started again");
      },
    });
  }
}

/** The metrics of several processes; each is merged by its own rule: sum, maximum or first. */
const merged = (all: Figures[]) => AggregatorRegistry.aggregate(all);

/** The cumulative metrics of an ended process; without them sums would fall, which Prometheus takes for a reset. */
const cumulative = (figures: Figures): Figures =>
  figures.filter(({ type }) => String(type) === "counter" || String(type) === "histogram");

/** @param counts workers that take connections, that do not at the moment, and that have ended by themselves */
function supervisorMetrics(counts: () => Readonly<Record<"awake" | "silent" | "ended", number>>) {
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
