/**
 * A bounded number of workers, threads or processes, that run one program, each with one question at a time.
 *
 * A question that is not answered in time costs its worker: a thread or process that waits for a file system which does
 * not answer cannot be used again. A thread counts as long as it hangs, so hanging mounts cannot take all threads of this machine.
 */
import type { Lease } from "../concurrency/budget.js";
import { FairSemaphore, type Permit } from "../concurrency/fair-semaphore.js";
import { childWorker } from "./child-worker.js";
import { type Caller, type Loss, plainError, type WorkerPoolOptions } from "./pool-options.js";
import { type Order, PooledWorker } from "./pooled-worker.js";
import { Quarantine } from "./quarantine.js";
import { type RunningWorker, startThread, type WorkerEvents } from "./start-worker.js";
import type { WorkerMessage } from "./worker-program.js";

/** Losses that the question's subject causes. */
const FAULTS: ReadonlySet<Loss> = new Set(["late", "ended", "too-large"]);
/** Milliseconds between two checks of the workers' time and memory. */
const CHECK_INTERVAL = 20;
/** Milliseconds without a question after which all idle workers but one end. */
const IDLE = 300_000;
/** Workers that may be started at once, and milliseconds until one more may be. */
const MAX_STARTS = 8;
const START_INTERVAL = 250;
/** The part of the memory that others may hold while one question takes all of the rest. */
const SPARE = 1 / 8;
/** The part of the memory that a worker may keep after its answer. */
const KEPT = 1 / 4;
/** Bytes below which ending a worker gains nothing. */
const MIN_GAIN = 32 << 20;

export class WorkerPool<Q, A> {
  readonly #options: WorkerPoolOptions;
  /** All workers, including threads that hang. */
  readonly #workers = new Set<PooledWorker<Q, A>>();
  readonly #semaphore: FairSemaphore<Order<Q, A>>;
  readonly #quarantine = new Quarantine();
  /** Questions that wait or run. They keep this process alive. */
  #open = 0;
  #checking: NodeJS.Timeout | undefined;
  #resting: NodeJS.Timeout | undefined;
  /** Starts that are left, and when one was last gained, by `performance.now()`. */
  #starts = MAX_STARTS;
  #gainedAt = 0;
  /** Whether a question waits for memory. */
  #isShort = false;
  #isClosed = false;

  constructor(options: WorkerPoolOptions) {
    this.#options = options;
    const { max, concurrency = max, queue } = options;
    this.#semaphore = new FairSemaphore<Order<Q, A>>({
      permits: concurrency,
      maxWaiting: Number.POSITIVE_INFINITY,
      ...queue,
      mayRun: (order) => this.#mayRun(order),
      refused: () => this.#error("refused"),
      aborted: () => this.#error("aborted"),
    });
  }

  /** @throws WorkerTimeout, WorkerFailed; the errors of the option `errorOf` */
  async ask(question: Q, caller: Caller = {}): Promise<A> {
    const { subject } = caller;
    if (this.#isClosed) throw this.#error("closed");
    if (subject && this.#quarantine.isQuarantined(subject)) throw this.#error("quarantined");
    this.#checking ??= setInterval(() => this.#check(), CHECK_INTERVAL);
    this.#checking.ref();
    this.#open += 1;
    try {
      return await new Promise<A>((resolve, reject) => {
        const order = { ...caller, question, resolve, reject };
        this.#semaphore.request(order, (permit) => this.#give(order, permit), reject);
      });
    } finally {
      this.#open -= 1;
      if (this.#open === 0) this.#checking?.unref();
    }
  }

  get usage() {
    const workers = [...this.#workers];
    const busy = workers.filter((worker) => worker.busy !== undefined).length;
    return { waiting: this.#semaphore.usage.waiting, workers: workers.length, busy };
  }

  /** Ends all workers without waiting for those that hang; questions that are not answered yet fail. */
  close(): void {
    this.#isClosed = true;
    clearInterval(this.#checking);
    clearTimeout(this.#resting);
    this.#failWaiting("closed", () => true);
    for (const worker of this.#workers) this.#lose(worker, "closed");
  }

  #error(loss: Loss, cause?: unknown): Error {
    return (this.#options.errorOf ?? plainError)(loss, cause);
  }

  #failWaiting(loss: Loss, matches: (order: Order<Q, A>) => boolean): void {
    this.#semaphore.failWaiting(matches, () => this.#error(loss));
  }

  #idle(): PooledWorker<Q, A> | undefined {
    for (const worker of this.#workers) if (worker.isIdle) return worker;
    return undefined;
  }

  /** Gives an order to a worker, which holds the permit until it is done. */
  #give(order: Order<Q, A>, permit: Permit): void {
    try {
      (this.#idle() ?? this.#start()).give(order, permit);
    } catch (error) {
      // No worker could be started.
      order.reject(error as Error);
      permit.release();
    }
  }

  /** Whether an order may run beside those that run. */
  #mayRun({ subject, cost = 0, held = 0 }: Order<Q, A>): boolean {
    const { max, memory } = this.#options;
    const isFull = this.#idle() === undefined;
    if (isFull && (this.#workers.size >= max || !this.#mayStart())) return false;
    let taken = (memory?.budget.booked ?? 0) - held;
    let same = 0;
    for (const { busy } of this.#workers) {
      taken += busy?.order.cost ?? 0;
      if (subject !== undefined && busy?.order.subject?.key === subject.key) same += 1;
    }
    if (same > 0 && (same >= max - 1 || (subject && this.#quarantine.isKnown(subject))))
      return false;
    if (memory === undefined) return true;
    // If nothing else takes memory, a question is tried in any case.
    const { total } = memory.budget;
    if (taken < total * SPARE || taken + cost <= total) return true;
    this.#isShort = true;
    return false;
  }

  /** Workers that end again and again are not restarted without a pause. */
  #mayStart(): boolean {
    const gained = Math.floor((performance.now() - this.#gainedAt) / START_INTERVAL);
    if (gained > 0) {
      this.#starts = Math.min(MAX_STARTS, this.#starts + gained);
      this.#gainedAt = performance.now();
    }
    return this.#starts > 0;
  }

  #start(): PooledWorker<Q, A> {
    this.#starts -= 1;
    const running = this.#run({
      message: (message, lease) => this.#hear(worker, message, lease),
      broken: (cause) => this.#lose(worker, "broken", cause),
      exit: (reason) => {
        if (!worker.isReady && !worker.isLost) this.#options.notStarted?.(reason);
        this.#lose(worker, "ended", reason);
        this.#workers.delete(worker);
        this.#semaphore.serve();
      },
    });
    const worker = new PooledWorker<Q, A>(running, this.#options.timeout);
    this.#workers.add(worker);
    return worker;
  }

  #run(events: WorkerEvents): RunningWorker {
    const { program, start, data, memory } = this.#options;
    if (start !== undefined) return childWorker(start(), events, memory?.budget);
    if (program === undefined) throw new TypeError("a pool needs a program");
    return startThread(program, data, events);
  }

  #hear(worker: PooledWorker<Q, A>, message: WorkerMessage, lease: Lease | undefined): void {
    if (message.kind !== "answer" && message.kind !== "failure") worker.proceed(message);
    else if (worker.busy !== undefined) {
      const { order, permit } = worker.busy;
      const { memory } = this.#options;
      // A message of another form throws here, while the question can still be lost with the worker.
      const error = message.kind === "failure" ? this.#error("failed", message.reason) : undefined;
      if (message.kind === "answer" && lease) memory?.handOver(message.answer, lease);
      const isSpoiled = message.kind === "failure" && message.isSpoiled === true;
      if (isSpoiled && order.subject) this.#quarantine.note(order.subject, false);
      order.spent?.(worker.spent, false);
      const isTooBig = memory !== undefined && worker.growth > memory.budget.total * KEPT;
      worker.busy = undefined;
      if (isSpoiled || isTooBig) worker.end();
      if (message.kind === "answer") order.resolve(message.answer as A);
      else order.reject(error as Error);
      permit.release();
      if (message.kind === "answer") return;
    }
    lease?.release();
  }

  /** Ends a worker, and its question with an error. */
  #lose(worker: PooledWorker<Q, A>, loss: Loss, cause?: unknown): void {
    if (worker.isLost) return;
    const { busy, isReady, spent } = worker;
    const subject = busy?.order.subject;
    if (subject !== undefined && isReady && FAULTS.has(loss)) {
      this.#quarantine.note(subject, true);
      if (this.#quarantine.isQuarantined(subject)) {
        this.#failWaiting("quarantined", (order) => order.subject?.key === subject.key);
      }
    }
    worker.end();
    busy?.order.spent?.(spent, true);
    busy?.order.reject(this.#error(loss, cause));
    busy?.permit.release();
  }

  /** Checks the workers for as long as questions wait or run. */
  #check(): void {
    const now = performance.now();
    for (const worker of this.#workers) if (worker.isLate(now)) this.#lose(worker, "late");
    this.#checkMemory();
    if (this.#isShort) this.#options.memory?.budget.relieve();
    this.#isShort = false;
    // Memory may have been given back, and another worker may be started.
    this.#semaphore.serve();
    if (this.#open > 0) return;
    clearInterval(this.#checking);
    this.#checking = undefined;
    clearTimeout(this.#resting);
    this.#resting = setTimeout(() => this.#endIdle(), IDLE).unref();
  }

  #endIdle(): void {
    if (this.#open > 0) return;
    // One stays, so that the next question need not wait for its start.
    const idle = [...this.#workers].filter(({ isIdle }) => isIdle);
    for (const worker of idle.slice(1)) worker.end();
    this.#checkMemory();
  }

  /** If memory is exceeded, ends idle workers, or else the largest one. Its question is too large if it runs alone. */
  #checkMemory(): void {
    const budget = this.#options.memory?.budget;
    if (budget === undefined) return;
    const sizes = [...this.#workers].map((worker) => ({ worker, bytes: worker.growth }));
    const all = sizes.reduce((sum, { bytes }) => sum + bytes, 0);
    budget.note("workers", all);
    if (budget.used <= budget.total) return;
    const large = sizes.filter(({ bytes }) => bytes >= MIN_GAIN).sort((a, b) => b.bytes - a.bytes);
    const idle = large.filter(({ worker }) => worker.isIdle);
    for (const { worker } of idle) worker.end();
    const [largest] = large;
    if (largest === undefined || idle.length > 0) return;
    const { used, total } = budget;
    const isAlone = used - largest.bytes < total * SPARE || largest.bytes > total;
    this.#lose(largest.worker, isAlone ? "too-large" : "crowded");
  }
}
