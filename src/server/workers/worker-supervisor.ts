/** The service in several processes: the supervisor runs Solr and has the port, and the workers answer. */
import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import { SetupError } from "../../index/collections/setup-error.js";
import { DRAIN_MS } from "../assembly/compose-service.js";
import type { Service } from "../assembly/one-process.js";
import type { OpenedSolr } from "../assembly/open-solr.js";
import { listen, reachable } from "../assembly/port.js";
import { startAgain } from "../assembly/restart-pause.js";
import { CONNECTION_LIMITS } from "../http/connections.js";
import { SupervisorMetrics } from "../monitoring/metrics/supervisor-metrics.js";
import type { Config } from "../settings/config.js";
import { secretsIn } from "../settings/environment.js";
import { Dispatcher } from "./dispatcher.js";
import { FigureCollector } from "./gathering.js";
import { ALIVE_MS, plainEndpoint, type Report, type Start } from "./messages.js";
import { Worker } from "./worker.js";

/** Milliseconds in which a worker must be ready, also on a busy machine. */
const START_MS = 120_000;
/** Milliseconds for which a connection may wait for a worker. */
const MAX_WAIT = 20_000;
/** Milliseconds that a worker gets to end after its transfers. */
const END_MS = 5000;

/** @throws SetupError if the workers cannot start */
export async function inWorkers(
  config: Config,
  solr: OpenedSolr,
  logger: Logger,
): Promise<Service> {
  const supervisor = new WorkerSupervisor(config, solr, logger);
  await supervisor.start().catch(async (error: unknown) => {
    await supervisor.stop();
    throw error;
  });
  return {
    listen: () => supervisor.listen(),
    scrape: () => supervisor.scrape(),
    stop: () => supervisor.stop(),
  };
}

class WorkerSupervisor {
  readonly #dispatcher = new Dispatcher();
  readonly #workers = new Map<number, Worker>();
  readonly #stopping = new AbortController();
  readonly #server = createServer({ pauseOnConnect: true, noDelay: true, allowHalfOpen: true });
  readonly #metrics = new SupervisorMetrics(() => this.#count());
  readonly #collector = new FigureCollector(() => this.#metrics.figures());
  #ended = 0;
  #watching: NodeJS.Timeout | undefined;
  #address: string | undefined;

  readonly #config: Config;
  readonly #solr: OpenedSolr;
  readonly #logger: Logger;

  constructor(config: Config, solr: OpenedSolr, logger: Logger) {
    this.#config = config;
    this.#solr = solr;
    this.#logger = logger;
    // Waiting connections included; a few more than may be answered, so that the surplus gets a 503.
    this.#server.maxConnections = CONNECTION_LIMITS.max;
    this.#server.on("connection", (socket) => this.#dispatcher.add(socket));
    solr.watch(() => {
      for (const worker of this.#workers.values()) {
        worker.tell({ kind: "solr", isUp: solr.isUp() });
      }
    });
  }

  /** Starts the first worker alone: it creates shared state, and an error is reported once. */
  async start(): Promise<void> {
    this.#watching = setInterval(() => this.#watch(), ALIVE_MS);
    await this.#begin(1);
    const others = Array.from({ length: this.#config.workers - 1 }, (_, index) => index + 2);
    await Promise.all(others.map((index) => this.#begin(index)));
  }

  async listen(): Promise<string> {
    try {
      this.#address = reachable(await listen(this.#server, this.#config));
    } catch (error) {
      await this.stop();
      throw error;
    }
    for (const worker of this.#workers.values()) this.#sendAddress(worker);
    return this.#address;
  }

  /** The metrics of all processes, as one text. */
  scrape(): Promise<string> {
    return this.#collector.text();
  }

  #count() {
    const awake = [...this.#workers.values()].filter(({ isAwake }) => isAwake).length;
    return { awake, silent: this.#config.workers - awake, ended: this.#ended };
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#server.close();
    // Nothing was read from waiting connections.
    this.#dispatcher.dropOlderThan(0);
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

  /** Starts a worker and waits until it is ready. @throws SetupError */
  #begin(index: number): Promise<void> {
    return new Promise((resolve, reject) => {
      let reason: string | undefined;
      const fail = (how: string): void =>
        reject(new SetupError(reason ?? `Worker ${index} ended before it could answer (${how}).`));
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
            this.#join(worker);
            resolve();
          } else this.#hear(worker, report);
        },
        silent: (seconds) => {
          this.#logger.error({ worker: index, seconds }, "a worker does not answer");
        },
        ended: (how) => {
          clearTimeout(late);
          this.#workers.delete(index);
          this.#dispatcher.leave(worker);
          this.#collector.leave(worker);
          if (!worker.isReady) fail(how);
          else if (!this.#stopping.signal.aborted) void this.#again(index, how, began);
        },
      });
      this.#workers.set(index, worker);
    });
  }

  #startOf(index: number): Start {
    const { endpoint, topology } = this.#solr;
    return {
      kind: "start",
      index,
      workers: this.#config.workers,
      topology,
      endpoint: plainEndpoint(endpoint),
      isUp: this.#solr.isUp(),
      secrets: secretsIn(process.env),
    };
  }

  #join(worker: Worker): void {
    // `isUp` may have changed while the worker started.
    worker.tell({ kind: "solr", isUp: this.#solr.isUp() });
    this.#sendAddress(worker);
    if (this.#stopping.signal.aborted) worker.tell({ kind: "stop" });
    this.#dispatcher.join(worker);
    this.#collector.join(worker);
  }

  #sendAddress(worker: Worker): void {
    if (this.#address !== undefined) worker.tell({ kind: "listening", address: this.#address });
  }

  #hear(worker: Worker, report: Report): void {
    if (report.kind === "mend") this.#solr.mend();
    else if (report.kind === "taken") this.#dispatcher.taken(worker);
    else if (report.kind === "refused") this.#dispatcher.refused(worker);
    else if (report.kind === "measured") {
      this.#collector.take(worker, report.round, report.figures);
    } else if (report.kind === "scrape") {
      const { number } = report;
      void this.scrape().then((text) => worker.tell({ kind: "scraped", number, text }));
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

  /** Checks the workers' signs of life. Time in which this process did not run does not count. */
  #watch(): void {
    for (const worker of this.#workers.values()) worker.tick();
    this.#dispatcher.serve();
    this.#dispatcher.dropOlderThan(MAX_WAIT);
  }
}
