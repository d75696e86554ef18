/** One worker of a pool, the question that it works on, and the time that it has for it. */
import type { Permit } from "../concurrency/fair-semaphore.js";
import type { Caller } from "./pool-options.js";
import type { RunningWorker } from "./start-worker.js";
import type { WorkerMessage } from "./worker-program.js";

/** A question and the caller that waits for its answer. */
export interface Order<Q, A> extends Caller {
  readonly question: Q;
  readonly resolve: (answer: A) => void;
  readonly reject: (error: Error) => void;
}

/** Milliseconds in which a program must be loaded: the time for its question starts after that. */
const START_TIMEOUT = 30_000;
const NEVER = Number.POSITIVE_INFINITY;

export class PooledWorker<Q, A> {
  /** The question that it works on, and the permit that is held meanwhile. */
  busy: { readonly order: Order<Q, A>; readonly permit: Permit } | undefined;
  isReady = false;
  /** Whether it was ended, or ended by itself; a thread may hang for longer. */
  isLost = false;
  /** Times by `performance.now()`. */
  #since = 0;
  #deadline = NEVER;
  #stepDeadline = NEVER;
  readonly #worker: RunningWorker;
  readonly #timeout: number;

  /** @param timeout milliseconds for an answer, or to the next heartbeat */
  constructor(worker: RunningWorker, timeout = NEVER) {
    this.#worker = worker;
    this.#timeout = timeout;
  }

  /** Whether it waits for a question. */
  get isIdle(): boolean {
    return this.busy === undefined && !this.isLost;
  }

  get growth(): number {
    return this.#worker.growth;
  }

  /** Milliseconds since it received its question; the start does not count. */
  get spent(): number {
    return performance.now() - this.#since;
  }

  isLate(now: number): boolean {
    return this.busy !== undefined && now > Math.min(this.#deadline, this.#stepDeadline);
  }

  give(order: Order<Q, A>, permit: Permit): void {
    this.#worker.send(order.question);
    this.busy = { order, permit };
    this.#since = performance.now();
    this.#deadline = this.#since + (this.isReady ? this.#timeout : START_TIMEOUT);
    this.#stepDeadline = NEVER;
  }

  /** Moves the deadlines. */
  proceed(message: Extract<WorkerMessage, { kind: "ready" | "heartbeat" | "step" }>): void {
    const now = performance.now();
    if (message.kind === "step") {
      this.#stepDeadline = message.milliseconds === 0 ? NEVER : now + message.milliseconds;
      return;
    }
    this.#deadline = now + this.#timeout;
    if (message.kind === "heartbeat") return;
    this.isReady = true;
    this.#since = now;
  }

  /** Ends it. It may hang, so nothing waits for its end. */
  end(): void {
    this.busy = undefined;
    if (this.isLost) return;
    this.isLost = true;
    this.#worker.terminate();
  }
}
