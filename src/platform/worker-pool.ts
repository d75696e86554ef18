/**
 * Threads that are asked about files, one question after the other.
 *
 * A mount that hangs has such a thread, not one of those that all reading shares; how many may hang is bounded.
 */
import { Worker } from "node:worker_threads";
import { DataUnavailable } from "./errors.js";

/** What a thread sends for each question. */
export type ThreadAnswer<A> = { readonly answer: A } | { readonly failure: string };

export interface ThreadOptions {
  /** Threads, those that hang included: each may be stuck for as long as its mount is. */
  readonly most: number;
  /** Milliseconds for one question, and to wait for a thread. */
  readonly patience: number;
  /** What each thread finds in its `workerData`. */
  readonly data?: unknown;
}

export class AskedThreads<Q, A> {
  readonly #idle: Worker[] = [];
  readonly #waiting: ((worker: Worker) => void)[] = [];
  #threads = 0;
  readonly #program: string;
  readonly #options: ThreadOptions;

  /**
   * @param program what the threads run, which answers each message with a ThreadAnswer. Text, as a thread must find
   *   plain JavaScript whether the house runs compiled or straight from TypeScript, as it does in tests.
   */
  constructor(program: string, options: ThreadOptions) {
    this.#program = program;
    this.#options = options;
  }

  /** @throws DataUnavailable when the file system cannot be asked, or does not answer in time */
  async ask(question: Q): Promise<A> {
    const worker = await this.#thread();
    const told = await this.#answer(worker, question);
    this.#giveBack(worker);
    if ("answer" in told) return told.answer;
    throw new DataUnavailable(`the file system cannot be asked: ${told.failure}`);
  }

  #answer(worker: Worker, question: Q): Promise<ThreadAnswer<A>> {
    return new Promise((resolve, reject) => {
      const fail = (reason: string): void => {
        // One that hangs in the system ends only when the system lets it; until then it counts.
        void worker.terminate();
        reject(new DataUnavailable(reason));
      };
      const timer = setTimeout(
        () => fail("the file system does not answer"),
        this.#options.patience,
      );
      worker.once("message", (told: ThreadAnswer<A>) => {
        clearTimeout(timer);
        resolve(told);
      });
      worker.postMessage(question);
    });
  }

  #thread(): Promise<Worker> {
    const idle = this.#idle.pop();
    if (idle !== undefined) return Promise.resolve(idle);
    if (this.#threads < this.#options.most) return Promise.resolve(this.#start());
    return new Promise((resolve, reject) => {
      const take = (worker: Worker): void => {
        clearTimeout(timer);
        resolve(worker);
      };
      const timer = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(take), 1);
        reject(new DataUnavailable("every thread waits for the file system"));
      }, this.#options.patience);
      this.#waiting.push(take);
    });
  }

  #giveBack(worker: Worker): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#idle.push(worker);
    else next(worker);
  }

  #start(): Worker {
    const { data } = this.#options;
    const worker = new Worker(this.#program, { eval: true, execArgv: [], workerData: data });
    this.#threads += 1;
    worker.unref();
    worker.on("error", () => {});
    worker.once("exit", () => {
      this.#threads -= 1;
      const at = this.#idle.indexOf(worker);
      if (at >= 0) this.#idle.splice(at, 1);
      if (this.#waiting.length > 0) this.#giveBack(this.#start());
    });
    return worker;
  }
}
