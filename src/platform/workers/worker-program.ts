/**
 * The worker's side of a WorkerPool: programs that run in a thread or a process import it.
 *
 * A program is a module that calls `answerQuestions` once.
 */
import { parentPort, workerData } from "node:worker_threads";

/** A message of a worker to its pool. */
export type WorkerMessage<A> =
  /** The program is loaded. */
  | { readonly kind: "ready" }
  /** It is still at work: the deadline starts again. */
  | { readonly kind: "heartbeat" }
  | { readonly kind: "answer"; readonly answer: A }
  | { readonly kind: "failure"; readonly reason: string };

/** The `workerData` of a thread. */
export interface WorkerSetup {
  /** The pool's option of this name. */
  readonly data: unknown;
  /** Milliseconds between two heartbeats. */
  readonly heartbeatInterval: number;
}

/** Null in a process. */
const setup = workerData as WorkerSetup | null;
let lastHeartbeat = 0;

function send<A>(message: WorkerMessage<A>): void {
  if (parentPort === null) process.send?.(message);
  else parentPort.postMessage(message);
}

/** The pool's option `data`, in a thread. */
export const programData = <T>(): T => setup?.data as T;

/** Tells the pool that a long answer is being worked on. It may be called often: few calls send something. */
export function heartbeat(): void {
  const now = Date.now();
  if (now - lastHeartbeat < (setup?.heartbeatInterval ?? 1000)) return;
  lastHeartbeat = now;
  send({ kind: "heartbeat" });
}

/** The error's code, such as EACCES, or its message where it has none. */
export function reasonOf(error: unknown): string {
  const { code, message } = (error ?? {}) as NodeJS.ErrnoException;
  return String(code ?? message ?? error);
}

/** Answers each question of the pool with what the function returns; what it throws is sent as a failure. */
export function answerQuestions<Q, A>(answer: (question: Q) => A | Promise<A>): void {
  const hear = async (question: Q): Promise<void> => {
    lastHeartbeat = Date.now();
    try {
      send({ kind: "answer", answer: await answer(question) });
    } catch (error) {
      send({ kind: "failure", reason: reasonOf(error) });
    }
  };
  if (parentPort === null) {
    process.on("message", hear);
    process.on("disconnect", () => process.exit());
  } else {
    parentPort.on("message", hear);
  }
  send({ kind: "ready" });
}
