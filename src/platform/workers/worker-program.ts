/**
 * The worker's side of a WorkerPool: programs that run in a thread or a process import it.
 *
 * A program is a module that calls `answerQuestions` once, at its end.
 */
import { readSync, writevSync } from "node:fs";
import { parentPort, workerData } from "node:worker_threads";
import { frame, HEAD, lengthsOf, unframed } from "./frames.js";

/** A message of a worker to its pool. */
export type WorkerMessage =
  /** The program is loaded. */
  | { readonly kind: "ready" }
  /** It is still at work: the deadline starts again. */
  | { readonly kind: "heartbeat" }
  /** Work begins that cannot send heartbeats and may take this long; 0: it is done. */
  | { readonly kind: "step"; readonly milliseconds: number }
  | { readonly kind: "answer"; readonly answer: unknown }
  | ({ readonly kind: "failure" } & Failure);

interface Failure {
  /** The pool makes an error of it. */
  readonly reason: unknown;
  /** Whether the state of the worker may be damaged, so that it must be replaced. */
  readonly isSpoiled?: boolean;
}

/** Descriptors of a process. */
const QUESTIONS = 0;
const ANSWERS = 3;
/** Bytes of an answer for which garbage is collected first: the receiver is about to hold a copy. */
const LARGE = 16 << 20;

/** Milliseconds between two heartbeats. */
const HEARTBEAT_INTERVAL = 100;
let lastHeartbeat = 0;

function send(message: WorkerMessage): void {
  if (parentPort !== null) {
    parentPort.postMessage(message);
    return;
  }
  const parts = frame(message);
  if (parts.some(({ length }) => length > LARGE)) globalThis.gc?.();
  // In one call where the system takes it: each write may wake the receiver.
  while (parts.length > 0) {
    let done = writevSync(ANSWERS, parts);
    while (parts[0] !== undefined && done >= parts[0].length) done -= parts.shift()?.length ?? 0;
    if (parts[0] !== undefined) parts[0] = parts[0].subarray(done);
  }
}

/** The next bytes of the questions; undefined at their end. */
function read(length: number): Buffer | undefined {
  const bytes = Buffer.allocUnsafeSlow(length);
  for (let done = 0; done < length; ) {
    const count = readSync(QUESTIONS, bytes, done, length - done, null);
    if (count === 0) return undefined;
    done += count;
  }
  return bytes;
}

/** The next question of a process; undefined at their end. */
function nextQuestion<Q>(): { readonly question: Q } | undefined {
  const head = read(HEAD);
  if (head === undefined) return undefined;
  const [bytes, rest] = lengthsOf(head).map(read);
  return bytes && rest && (unframed(bytes, rest) as { readonly question: Q });
}

/** The pool's option `data`, in a thread. */
export const programData = <T>(): T => workerData as T;

/** Tells the pool that a long answer is being worked on. It may be called often: few calls send something. */
export function heartbeat(): void {
  const now = Date.now();
  if (now - lastHeartbeat < HEARTBEAT_INTERVAL) return;
  lastHeartbeat = now;
  send({ kind: "heartbeat" });
}

/** Tells the pool how long work may take that cannot send heartbeats, and with 0 that it is done. */
export const step = (milliseconds: number): void => send({ kind: "step", milliseconds });

/** The error's code, such as EACCES, or its message where it has none. */
export function reasonOf(error: unknown): string {
  const { code, message } = (error ?? {}) as NodeJS.ErrnoException;
  return String(code ?? message ?? error);
}

/**
 * Answers each question of the pool with what the function returns. A process ends with its questions.
 *
 * @param failure what is sent for an error of the function
 */
export function answerQuestions<Q, A>(
  answer: (question: Q) => A | Promise<A>,
  failure: (error: unknown, question: Q) => Failure = (error) => ({ reason: reasonOf(error) }),
): void {
  const hear = async (question: Q): Promise<void> => {
    lastHeartbeat = Date.now();
    let message: WorkerMessage;
    try {
      message = { kind: "answer", answer: await answer(question) };
    } catch (error) {
      message = { kind: "failure", ...failure(error, question) };
    }
    send(message);
  };
  send({ kind: "ready" });
  if (parentPort === null) void hearAll(hear);
  else parentPort.on("message", hear);
}

/** Reading blocks: between two questions there is nothing else to do. */
async function hearAll<Q>(hear: (question: Q) => Promise<void>): Promise<void> {
  for (let next = nextQuestion<Q>(); next; next = nextQuestion<Q>()) await hear(next.question);
  process.exit();
}
