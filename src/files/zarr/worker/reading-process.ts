/** One process of the reading pool, and the order that it works on. */
import type { ChildProcess } from "node:child_process";
import type { Lease } from "../../../platform/concurrency/budget.js";
import type { Permit, PermitRequest } from "../../../platform/concurrency/fair-semaphore.js";
import type { MemoryBudget } from "../body/memory-budget.js";
import type { Answer, Results, Task } from "./protocol.js";
import { Reader } from "./reader.js";

/** A task and the client that waits for its result. */
export interface Order extends PermitRequest {
  readonly task: Task;
  /** Bytes that it may take in the process. */
  readonly cost: number;
  /** Milliseconds that a process took for it. */
  readonly spent: (milliseconds: number) => void;
  readonly resolve: (result: Results[keyof Results]) => void;
  readonly reject: (error: Error) => void;
}

/** The pool's reactions to a process. */
export interface ProcessEvents {
  /** @param lease of the memory of a large answer */
  answer(process: ReadingProcess, answer: Answer, lease: Lease | undefined): void;
  /** The memory for its answer could not be booked. */
  noRoom(process: ReadingProcess, cause: unknown): void;
  /** It has ended, or did not start. @param complaint the end of its standard error */
  end(process: ReadingProcess, complaint: string): void;
}

export interface ProcessParts {
  readonly child: ChildProcess;
  readonly budget: MemoryBudget;
  /** Milliseconds that one order may take. */
  readonly time: number;
}

/** Milliseconds until a process must be ready. */
const START = 20_000;
/** Milliseconds beyond an order's time: processes watch their time themselves, except those that hang. */
const GRACE = 1000;

export class ReadingProcess {
  readonly reader: Reader;
  /** The order that it works on. */
  busy: Order | undefined;
  /** Held as long as it is busy. */
  permit: Permit | undefined;
  idleSince = performance.now();
  readonly #time: number;
  #isReady = false;
  /** When it received its order, by `performance.now()`. */
  #busySince = this.idleSince;
  /** When it must have answered, by `performance.now()`. */
  #deadline = this.idleSince + START;
  /** When a decoder must be done. */
  #decodingUntil = Number.POSITIVE_INFINITY;

  constructor({ child, budget, time }: ProcessParts, events: ProcessEvents) {
    this.#time = time;
    this.reader = new Reader(child, budget, {
      ready: () => {
        this.#isReady = true;
        // The client is not charged for the start.
        this.#busySince = performance.now();
        this.#deadline = this.#busySince + time + GRACE;
      },
      decoding: (milliseconds) => {
        const until = milliseconds === 0 ? Number.POSITIVE_INFINITY : milliseconds;
        this.#decodingUntil = performance.now() + until;
      },
      answer: (answer, lease) => events.answer(this, answer, lease),
      noRoom: (cause) => events.noRoom(this, cause),
      end: (complaint) => events.end(this, complaint),
    });
  }

  /** Whether its program has loaded. */
  get isReady(): boolean {
    return this.#isReady;
  }

  /** Milliseconds since it received its order. */
  get spent(): number {
    return performance.now() - this.#busySince;
  }

  /** Whether it has exceeded its time. @param now by `performance.now()` */
  isLate(now: number): boolean {
    return now > Math.min(this.#deadline, this.#decodingUntil);
  }

  /** Starts an order, which holds the permit until it is done. */
  give(order: Order, permit: Permit): void {
    this.busy = order;
    this.permit = permit;
    this.#busySince = performance.now();
    this.#deadline = this.#busySince + (this.#isReady ? this.#time + GRACE : START);
    this.#decodingUntil = Number.POSITIVE_INFINITY;
    this.reader.isReferenced = true;
    this.reader.order({ task: order.task, time: this.#time });
  }

  /** Ends its order without ending the process. The caller releases the permit. */
  free(): void {
    this.busy = undefined;
    this.permit = undefined;
    this.#deadline = Number.POSITIVE_INFINITY;
    this.#decodingUntil = Number.POSITIVE_INFINITY;
    this.idleSince = performance.now();
    // An idle process does not keep the service running.
    this.reader.isReferenced = false;
  }
}
