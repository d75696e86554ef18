/**
 * A bounded number of workers that run one program, each with one question at a time.
 *
 * A question that is not answered in time costs its worker: a thread or process that waits for a file system which does
 * not answer cannot be used again. It counts as long as it hangs, so hanging mounts cannot take all threads of this machine.
 */
import { type RunningWorker, startProcess, startThread } from "./start-worker.js";
import type { WorkerMessage } from "./worker-program.js";

export interface WorkerPoolOptions {
  /** URL of the program's module with the ending .js, in source as well; see workers/worker-program.ts. */
  readonly program: URL;
  /** Workers at a time, including those that hang. */
  readonly max: number;
  /** Questions at a time; `max` by default. With 1 all questions go to the same worker until that one is lost. */
  readonly concurrency?: number;
  /** Milliseconds for an answer, or to the next heartbeat; without it any time. */
  readonly timeout?: number;
  /** Milliseconds to wait for a free worker; without it any time. */
  readonly queueTimeout?: number | undefined;
  /** Data that a thread reads with `programData`. */
  readonly data?: unknown;
  /**
   * Variables of a process; with them each worker is a process instead of a thread. This process can end while such a
   * worker hangs: Node waits for its threads, and for nobody's processes.
   */
  readonly processEnv?: NodeJS.ProcessEnv;
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

/** Milliseconds in which a program must be loaded: its deadline starts after that. */
const START_TIMEOUT = 60_000;
/** Milliseconds between two heartbeats, unless the timeout is short. */
const HEARTBEAT_INTERVAL = 1000;

interface Waiting<Q, A> {
  readonly begin: (worker: PooledWorker<Q, A>) => void;
  readonly fail: (error: Error) => void;
}

export class WorkerPool<Q, A> {
  readonly #options: WorkerPoolOptions;
  /** All workers, including those that hang. */
  readonly #workers = new Set<PooledWorker<Q, A>>();
  readonly #idle: PooledWorker<Q, A>[] = [];
  readonly #queue: Waiting<Q, A>[] = [];
  #busy = 0;

  constructor(options: WorkerPoolOptions) {
    this.#options = options;
  }

  /** @throws WorkerTimeout, WorkerFailed */
  async ask(question: Q): Promise<A> {
    const worker = this.#take() ?? (await this.#wait());
    try {
      return await worker.ask(question);
    } finally {
      this.#busy -= 1;
      if (!worker.isLost) this.#idle.push(worker);
      this.#serveQueue();
    }
  }

  /** Ends all workers without waiting for those that hang; questions that are not answered yet fail. */
  close(): void {
    const closed = new WorkerFailed("the pool is closed");
    for (const { fail } of this.#queue.splice(0)) fail(closed);
    this.#idle.length = 0;
    for (const worker of this.#workers) worker.giveUp(closed);
  }

  #take(): PooledWorker<Q, A> | undefined {
    const { concurrency = this.#options.max, max } = this.#options;
    if (this.#busy >= concurrency) return undefined;
    const worker = this.#idle.pop() ?? (this.#workers.size < max ? this.#start() : undefined);
    if (worker !== undefined) this.#busy += 1;
    return worker;
  }

  #wait(): Promise<PooledWorker<Q, A>> {
    return new Promise((begin, fail) => {
      let timer: NodeJS.Timeout | undefined;
      const waiting = {
        begin: (worker: PooledWorker<Q, A>) => {
          clearTimeout(timer);
          begin(worker);
        },
        fail: (error: Error) => {
          clearTimeout(timer);
          fail(error);
        },
      };
      this.#queue.push(waiting);
      if (this.#options.queueTimeout === undefined) return;
      timer = setTimeout(() => {
        this.#queue.splice(this.#queue.indexOf(waiting), 1);
        fail(new WorkerTimeout(true));
      }, this.#options.queueTimeout);
    });
  }

  #serveQueue(): void {
    while (this.#queue.length > 0) {
      const worker = this.#take();
      if (worker === undefined) return;
      this.#queue.shift()?.begin(worker);
    }
  }

  #start(): PooledWorker<Q, A> {
    const worker = new PooledWorker<Q, A>(this.#options);
    this.#workers.add(worker);
    void worker.exited.then(() => {
      this.#workers.delete(worker);
      const index = this.#idle.indexOf(worker);
      if (index >= 0) this.#idle.splice(index, 1);
      this.#serveQueue();
    });
    return worker;
  }
}

interface Pending<A> {
  readonly resolve: (answer: A) => void;
  readonly reject: (error: Error) => void;
}

/** One thread or process. */
class PooledWorker<Q, A> {
  /** Whether it was ended, or ended by itself; it may hang for longer. */
  isLost = false;
  readonly exited: Promise<void>;
  readonly #worker: RunningWorker;
  readonly #timeout: number | undefined;
  #isReady = false;
  #pending: Pending<A> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor({ program, timeout, data, processEnv }: WorkerPoolOptions) {
    this.#timeout = timeout;
    const { promise, resolve } = withResolve();
    this.exited = promise;
    const events = {
      message: (message: unknown) => this.#hear(message as WorkerMessage<A>),
      exit: (reason: string) => {
        this.isLost = true;
        this.#settle()?.reject(new WorkerFailed(reason));
        resolve();
      },
    };
    const heartbeatInterval = Math.min(HEARTBEAT_INTERVAL, (timeout ?? Infinity) / 4);
    this.#worker =
      processEnv === undefined
        ? startThread(program, { data, heartbeatInterval }, events)
        : startProcess(program, processEnv, events);
    this.#worker.keepAlive(false);
  }

  ask(question: Q): Promise<A> {
    return new Promise((resolve, reject) => {
      if (this.isLost) {
        reject(new WorkerFailed("the worker ended"));
        return;
      }
      this.#pending = { resolve, reject };
      this.#worker.keepAlive(true);
      this.#worker.send(question);
      this.#startTimer();
    });
  }

  /** Ends it. It may hang, so nothing waits for its end. */
  giveUp(error: Error): void {
    if (this.isLost) return;
    this.isLost = true;
    const pending = this.#settle();
    this.#worker.terminate();
    this.#worker.keepAlive(false);
    pending?.reject(error);
  }

  #hear(message: WorkerMessage<A>): void {
    if (message.kind === "answer") this.#settle()?.resolve(message.answer);
    else if (message.kind === "failure") this.#settle()?.reject(new WorkerFailed(message.reason));
    else {
      this.#isReady = true;
      if (this.#pending !== undefined) this.#startTimer();
    }
  }

  #startTimer(): void {
    clearTimeout(this.#timer);
    const timeout = this.#isReady ? this.#timeout : START_TIMEOUT;
    if (timeout === undefined) return;
    this.#timer = setTimeout(() => this.giveUp(new WorkerTimeout(false)), timeout);
  }

  /** Takes the question from the worker, which then keeps this process alive no longer. */
  #settle(): Pending<A> | undefined {
    clearTimeout(this.#timer);
    const pending = this.#pending;
    this.#pending = undefined;
    this.#worker.keepAlive(false);
    return pending;
  }
}

function withResolve(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = (): void => {};
  const promise = new Promise<void>((settled) => {
    resolve = settled;
  });
  return { promise, resolve };
}
