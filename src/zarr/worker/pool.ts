import { availableParallelism } from "node:os";
import type { Worker } from "node:worker_threads";
import { ReadingBusy, type ReadingError, ReadingTimeout, revive, TooLarge } from "../errors.js";
import type { Answer, Order, Results, Task } from "./protocol.js";
import { startWorker } from "./start-worker.js";

export interface PoolOptions {
  /** Threads; at least two, so that one odd file leaves another one free. */
  readonly threads?: number;
  /** Milliseconds one order may take. */
  readonly time?: number;
  /** Orders that may wait. */
  readonly waiting?: number;
  /** Starts a thread. */
  readonly start?: () => Worker;
}

interface Waiting {
  readonly order: Order;
  readonly resolve: (result: Results[keyof Results]) => void;
  readonly reject: (error: ReadingError) => void;
}

interface Thread {
  readonly worker: Worker;
  busy: Waiting | undefined;
  timer: NodeJS.Timeout | undefined;
}

/**
 * Threads that read files.
 *
 * One file never has all threads, and an order that takes too long ends with its thread: an odd
 * file can neither hold up the others nor end the process.
 */
export class ReadingPool {
  private readonly threads: Thread[] = [];
  private readonly queue: Waiting[] = [];
  private readonly size: number;
  private readonly time: number;
  private readonly most: number;
  private readonly startThread: () => Worker;
  private isClosed = false;

  constructor(options: PoolOptions = {}) {
    this.size = Math.max(2, options.threads ?? Math.min(4, availableParallelism()));
    this.time = options.time ?? 20_000;
    this.most = options.waiting ?? 1000;
    this.startThread = options.start ?? (() => startWorker());
  }

  /** @throws ReadingError: whatever the file is guilty of, ReadingTimeout, ReadingBusy */
  run<T extends Task>(task: T): Promise<Results[T["kind"]]> {
    return new Promise((resolve, reject) => {
      if (this.isClosed || this.queue.length >= this.most) {
        reject(new ReadingBusy("Too many files are being read at the moment."));
        return;
      }
      const order: Order = { task, time: this.time };
      // The thread answers an order with the result of its kind.
      const settle = resolve as (result: Results[keyof Results]) => void;
      this.queue.push({ order, resolve: settle, reject });
      this.next();
    });
  }

  async close(): Promise<void> {
    this.isClosed = true;
    for (const { reject } of this.queue.splice(0)) reject(new ReadingBusy("Reading has ended."));
    await Promise.all(this.threads.map(({ worker }) => worker.terminate()));
  }

  private next(): void {
    const at = this.queue.findIndex(({ order }) => this.mayRun(order.task.path));
    const waiting = this.queue[at];
    if (waiting === undefined) return;
    const thread = this.threads.find(({ busy }) => busy === undefined) ?? this.start();
    if (thread === undefined) return;
    this.queue.splice(at, 1);
    thread.busy = waiting;
    thread.worker.ref();
    // The thread looks at the clock itself; this is for one that cannot any more.
    thread.timer = setTimeout(() => {
      const error = new ReadingTimeout("Reading this file takes too long.");
      this.discard(thread, error);
    }, this.time + 1000);
    thread.worker.postMessage(waiting.order);
    this.next();
  }

  private mayRun(path: string): boolean {
    const same = this.threads.filter(({ busy }) => busy?.order.task.path === path);
    return same.length < this.size - 1;
  }

  private start(): Thread | undefined {
    if (this.threads.length >= this.size) return undefined;
    const worker = this.startThread();
    // What HDF5 prints about a damaged chunk is in the error; unread, it would pile up.
    worker.stdout.resume();
    worker.stderr.resume();
    const thread: Thread = { worker, busy: undefined, timer: undefined };
    worker.on("message", (answer: Answer) => this.take(thread, answer));
    worker.on("error", (cause) => {
      const isMemory = "code" in cause && cause.code === "ERR_WORKER_OUT_OF_MEMORY";
      const error = isMemory
        ? new TooLarge("Reading this file takes too much memory.", { cause })
        : new ReadingTimeout("The thread that read this file has died.", { cause });
      this.discard(thread, error);
    });
    worker.on("exit", () => {
      this.discard(thread, new ReadingTimeout("The thread that read this file has ended."));
    });
    this.threads.push(thread);
    return thread;
  }

  private take(thread: Thread, answer: Answer): void {
    const { busy } = thread;
    if (busy === undefined) return;
    if (answer.ok) {
      this.free(thread);
      busy.resolve(answer.result);
    } else {
      const error = revive(answer.error);
      if (answer.isSpoiled) {
        this.discard(thread, error);
        return;
      }
      this.free(thread);
      busy.reject(error);
    }
    this.next();
  }

  private free(thread: Thread): void {
    clearTimeout(thread.timer);
    thread.busy = undefined;
    // An idle thread does not keep the process running.
    thread.worker.unref();
  }

  private discard(thread: Thread, error: ReadingError): void {
    const at = this.threads.indexOf(thread);
    if (at < 0) return;
    this.threads.splice(at, 1);
    const { busy } = thread;
    this.free(thread);
    void thread.worker.terminate();
    busy?.reject(error);
    if (!this.isClosed) this.next();
  }
}
