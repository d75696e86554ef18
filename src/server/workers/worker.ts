/** A worker, as seen by the supervisor. */
import cluster, { type Worker as ClusterWorker } from "node:cluster";
import { fileURLToPath } from "node:url";
import { inTime } from "../../platform/concurrency/in-time.js";
import type { Figures } from "../monitoring/metrics/metrics.js";
import type { Order, Report, Start } from "./messages.js";

const SCRIPT = fileURLToPath(new URL("./worker-process.js", import.meta.url));

/** Seconds without a message after which a worker is reported, and after which it is killed. */
const LATE = 3;
const HUNG = 30;
/** Milliseconds that a worker gets to report its metrics. */
const MEASURE_MS = 1000;

interface WorkerEvents {
  report(report: Report): void;
  /** No message has arrived for this number of seconds. */
  silent(seconds: number): void;
  /** Called once, after the last message. @param how in words */
  ended(how: string): void;
}

export class Worker {
  isReady = false;
  hasEnded = false;
  /** Its metrics, as last reported. */
  figures: Figures = [];
  readonly #worker: ClusterWorker;
  readonly #events: WorkerEvents;
  #measured = (): void => {};
  #silence = 0;

  constructor(start: Start, events: WorkerEvents) {
    // Descriptor 4 shows the worker whether this process lives; 3 is the channel.
    const stdio = ["ignore", "inherit", "inherit", "ipc", "pipe"];
    cluster.setupPrimary({ exec: SCRIPT, args: [], stdio });
    const worker = cluster.fork(
      Object.fromEntries(Object.keys(start.secrets).map((name) => [name, undefined])),
    );
    this.#worker = worker;
    this.#events = events;
    let how = "it ended";
    const end = (): void => {
      if (this.hasEnded) return;
      this.hasEnded = true;
      this.#measured();
      worker.process.stdio[4]?.destroy();
      events.ended(how);
    };
    worker.on("message", (report: Report) => {
      if (report.kind === "loaded") this.tell(start);
      else this.#hear(report);
    });
    worker.on("error", (error) => {
      how = error.message;
      if (worker.process.pid === undefined) end();
    });
    worker.once("exit", (code, signal) => {
      how = signal ?? `status ${code}`;
      // Its last messages may still be in the channel.
      if (worker.isConnected()) worker.once("disconnect", end);
      else end();
    });
  }

  #hear(report: Report): void {
    this.#silence = 0;
    if (report.kind === "measured") {
      this.figures = report.figures;
      this.#measured();
      return;
    }
    if (report.kind === "ready") this.isReady = true;
    this.#events.report(report);
  }

  get isAwake(): boolean {
    return this.isReady && this.#silence < LATE;
  }

  /** Counts a second without a message. */
  tick(): void {
    if (!this.isReady) return;
    this.#silence += 1;
    if (this.#silence === LATE || this.#silence === HUNG) this.#events.silent(this.#silence);
    if (this.#silence >= HUNG) this.kill();
  }

  tell(order: Order): void {
    // The end of a worker is reported by its event.
    if (this.#worker.isConnected()) this.#worker.process.send(order, () => {});
  }

  /** Updates `figures`, unless the worker does not answer in time. */
  async measure(): Promise<void> {
    const measured = new Promise<void>((resolve) => {
      this.#measured = resolve;
    });
    this.tell({ kind: "measure" });
    await inTime(measured, MEASURE_MS, () => {});
  }

  kill(): void {
    this.#worker.process.kill("SIGKILL");
  }
}
