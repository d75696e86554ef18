/** The options of a WorkerPool, and its errors. */
import type { ChildProcess } from "node:child_process";
import type { Budget, Lease } from "../concurrency/budget.js";
import type { PermitRequest, SemaphoreOptions } from "../concurrency/fair-semaphore.js";
import type { Subject } from "./quarantine.js";

/** Bounds the memory of the workers and of their answers. */
interface PoolMemory {
  readonly budget: Budget;
  /** Receives the lease of the memory of a large answer, before its caller does. */
  handOver(answer: unknown, lease: Lease): void;
}

/** Why a question gets no answer. */
export type Loss =
  /** No worker is free in time, or too many questions wait. */
  | "refused"
  /** The caller does not wait any more. */
  | "aborted"
  /** The program reports a failure. */
  | "failed"
  /** The worker takes too long, has ended, or sends what cannot be received. */
  | "late"
  | "ended"
  | "broken"
  /** The worker took too much memory: for this question alone, or together with others. */
  | "too-large"
  | "crowded"
  /** The subject of the question has ended several workers. */
  | "quarantined"
  | "closed";

export interface WorkerPoolOptions {
  /** URL of the module that threads run, with the ending .js, in source as well; see workers/worker-program.ts. */
  readonly program?: URL;
  /** Data that a thread reads with `programData`. */
  readonly data?: unknown;
  /**
   * Starts a process, which takes the place of a thread. This process can end while such a worker hangs: Node waits for its
   * threads, but not for processes.
   */
  readonly start?: () => ChildProcess;
  /** Workers at a time, including threads that hang. */
  readonly max: number;
  /** Questions at a time; `max` by default. With 1 all questions go to the same worker until that one is lost. */
  readonly concurrency?: number;
  /** Milliseconds for an answer, or to the next heartbeat; without it any time. */
  readonly timeout?: number;
  /** Bounds of the queue. Left out: any number of questions may wait, for any time. */
  readonly queue?: Partial<
    Pick<SemaphoreOptions<never>, "maxWaiting" | "perClient" | "evictsLargest" | "timeoutMs">
  >;
  readonly memory?: PoolMemory;
  /** The error of a question. Left out: WorkerTimeout, WorkerFailed. @param cause of `failed`: what the program reports */
  readonly errorOf?: (loss: Loss, cause: unknown) => Error;
  /** Receives the reason why a worker did not start. */
  readonly notStarted?: (reason: string) => void;
}

/** The client of a question, its subject, and its cost. Clients take turns; `signal` ends the waiting, not the work of a worker. */
export interface Caller extends PermitRequest {
  /** A subject never has all workers, and is left alone after it has ended some. */
  readonly subject?: Subject;
  /** An estimate of the bytes that the question takes in a worker. Questions wait for each other by it. */
  readonly cost?: number;
  /** Bytes that who waits for the answer has booked: they must not keep the question waiting. */
  readonly held?: number;
  /** Receives the milliseconds that a worker took, and whether it was lost. */
  readonly spent?: (milliseconds: number, isLost: boolean) => void;
}

/** No answer in time, or with `isQueued` no free worker. */
export class WorkerTimeout extends Error {
  override readonly name = "WorkerTimeout";
  constructor(readonly isQueued: boolean) {
    super(isQueued ? "no worker is free" : "the worker does not answer");
  }
}

/** The program threw, or its worker ended. `message` is the error's code, such as EACCES, or its message. */
export class WorkerFailed extends Error {
  override readonly name = "WorkerFailed";
}

export function plainError(loss: Loss, cause: unknown): Error {
  if (loss === "late" || loss === "refused") return new WorkerTimeout(loss === "refused");
  return new WorkerFailed(String(cause ?? `no answer: ${loss}`));
}
