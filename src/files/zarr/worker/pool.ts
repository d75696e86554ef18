import type { ChildProcess } from "node:child_process";
import { availableParallelism } from "node:os";
import type { Lease } from "../../../platform/concurrency/budget.js";
import { FairSemaphore, type Permit } from "../../../platform/concurrency/fair-semaphore.js";
import { ReadingError, ReadingTimeout, TooLarge } from "../../netcdf/errors.js";
import { MemoryBudget } from "../body/memory-budget.js";
import { ReadingBusy, revive } from "../errors.js";
import { keyOf, type ReadingClient } from "./client.js";
import { costOf } from "./cost.js";
import { memoryExcess, SPARE } from "./memory-check.js";
import { type Answer, bytesIn, type Results, type Task } from "./protocol.js";
import { leftAlone, Quarantine } from "./quarantine.js";
import { type Order, ReadingProcess } from "./reading-process.js";
import { StartRate } from "./start-rate.js";
import { startReader } from "./start-reader.js";
import { type PoolUsage, WorkCounts } from "./work-counts.js";

export interface PoolOptions {
  /** Processes; at least two, so that one odd file leaves another process free. */
  readonly readers?: number;
  /** Milliseconds that one order may take. */
  readonly time?: number;
  /** Orders that may wait. */
  readonly waiting?: number;
  /** Memory for all of reading. */
  readonly budget?: MemoryBudget;
  /** Folders below which files may be opened. Left out: any file. */
  readonly dataRoots?: readonly string[];
  /** Starts a process. */
  readonly start?: () => ChildProcess;
  /** Receives problems that the operator of the service should know. */
  readonly report?: (problem: string) => void;
}

/** Milliseconds between two checks of the processes. */
const CHECK_INTERVAL = 20;
/** Milliseconds after which an idle process ends. */
const IDLE = 300_000;
/** Milliseconds an order waits for a process. */
const MAX_WAIT = 30_000;
/** The part of the memory that a process may keep after its answer. */
const KEPT = 1 / 4;
/** Numbers of processes. One odd file must leave another process free. */
export const READERS = { min: 2, default: Math.max(3, Math.min(4, availableParallelism())) };

/**
 * Processes that read files.
 *
 * Damage that a file does is confined to the process that reads it, which is killed when it exceeds its time or memory.
 * Neither one file nor one client ever has all processes.
 */
export class ReadingPool {
  readonly #processes: ReadingProcess[] = [];
  readonly #semaphore: FairSemaphore<Order>;
  readonly #quarantine = new Quarantine();
  readonly #size: number;
  readonly #time: number;
  readonly #budget: MemoryBudget;
  readonly #startProcess: () => ChildProcess;
  readonly #report: (problem: string) => void;
  #checking: NodeJS.Timeout | undefined;
  #idle: NodeJS.Timeout | undefined;
  readonly #starts = new StartRate();
  #isClosed = false;
  /** Whether an order waits for memory. */
  #isShort = false;
  readonly #work = new WorkCounts();

  constructor(options: PoolOptions = {}) {
    this.#size = Math.max(READERS.min, options.readers ?? READERS.default);
    this.#time = options.time ?? 20_000;
    const { waiting = 1000 } = options;
    this.#semaphore = new FairSemaphore<Order>({
      permits: this.#size,
      maxWaiting: waiting,
      perClient: { permits: this.#size - 1, waiting: waiting / 2 },
      timeoutMs: Math.max(MAX_WAIT, this.#time),
      mayRun: (order) => this.#mayRun(order),
      refused: () => new ReadingBusy("Too many files are being read at the moment."),
      aborted: () => new ReadingBusy("Nobody waits for this any more."),
    });
    this.#budget = options.budget ?? new MemoryBudget();
    const { dataRoots, report = () => {} } = options;
    const memory = this.#budget.total;
    this.#startProcess =
      options.start ??
      (() => startReader(dataRoots === undefined ? { memory } : { memory, dataRoots }));
    this.#report = report;
  }

  /** Number of processes. */
  get readers(): number {
    return this.#size;
  }

  /**
   * Does a task in a process.
   *
   * @param client clients take turns
   * @param signal ends the waiting. A task that a process works on is finished
   * @throws ReadingError: the errors of the file; ReadingTimeout, ReadingBusy
   */
  run<T extends Task>(
    task: T,
    client?: ReadingClient,
    signal?: AbortSignal,
  ): Promise<Results[T["kind"]]> {
    return new Promise((resolve, reject) => {
      if (this.#isClosed) {
        reject(new ReadingBusy("Reading has ended."));
        return;
      }
      if (this.#quarantine.isQuarantined(task)) {
        reject(leftAlone());
        return;
      }
      const order: Order = {
        task,
        client: keyOf(client),
        signal,
        cost: costOf(task),
        spent: (milliseconds) => typeof client === "object" && client.spent(milliseconds),
        // The process answers an order with the result of its kind.
        resolve: resolve as (result: Results[keyof Results]) => void,
        reject,
      };
      this.#watch();
      this.#semaphore.request(order, (permit) => this.#give(order, permit), reject);
    });
  }

  get usage(): PoolUsage {
    const busy = this.#processes.filter((process) => process.busy !== undefined).length;
    return {
      waiting: this.#semaphore.usage.waiting,
      processes: this.#processes.length,
      busy,
      lost: this.#work.lost,
      orders: this.#work.orders,
    };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#checking);
    clearTimeout(this.#idle);
    const ended = new ReadingBusy("Reading has ended.");
    this.#semaphore.failWaiting(
      () => true,
      () => ended,
    );
    for (const { reader, busy } of this.#processes.splice(0)) {
      reader.kill();
      busy?.reject(ended);
    }
  }

  /** Gives an order to a process, which holds the permit until it is done. */
  #give(order: Order, permit: Permit): void {
    try {
      const process = this.#processes.find(({ busy }) => busy === undefined) ?? this.#start();
      process.give(order, permit);
    } catch (error) {
      // No process could be started.
      order.reject(error as Error);
      permit.release();
    }
  }

  /** Whether an order may run beside those that run. */
  #mayRun({ task, cost }: Order): boolean {
    const isFull = this.#processes.every(({ busy }) => busy !== undefined);
    if (isFull && (this.#processes.length >= this.#size || !this.#starts.allows)) return false;
    let taken = this.#budget.booked;
    let ofFile = 0;
    for (const { busy } of this.#processes) {
      taken += busy?.cost ?? 0;
      if (busy?.task.path === task.path) ofFile += 1;
    }
    if (ofFile >= this.#size - 1) return false;
    if (ofFile > 0 && this.#quarantine.isKnown(task)) return false;
    // If nothing else takes memory, an order is tried in any case.
    const { total } = this.#budget;
    if (taken < total * SPARE || taken + cost <= total) return true;
    this.#isShort = true;
    return false;
  }

  #start(): ReadingProcess {
    this.#starts.note();
    const parts = { child: this.#startProcess(), budget: this.#budget, time: this.#time };
    const process = new ReadingProcess(parts, {
      answer: (one, answer, lease) => this.#take(one, answer, lease),
      noRoom: (one, cause) => this.#discard(one, roomError(cause)),
      end: (one, complaint) => {
        if (!one.isReady) this.#report(`a reading process did not start: ${complaint}`);
        this.#spoil(one, new ReadingTimeout("The process that read this file has ended."));
      },
    });
    this.#processes.push(process);
    return process;
  }

  #take(process: ReadingProcess, answer: Answer, lease: Lease | undefined): void {
    const { busy, permit, reader } = process;
    if (busy === undefined) {
      lease?.release();
      return;
    }
    this.#work.note(process);
    const isTooBig = reader.growth > this.#budget.total * KEPT;
    const isSpoiled = !answer.ok && answer.isSpoiled;
    if (isSpoiled) this.#quarantine.notice(busy.task);
    if (isTooBig || isSpoiled) this.#remove(process);
    else process.free();
    if (answer.ok) {
      if (lease !== undefined) this.#handOver(answer.result, lease);
      busy.resolve(answer.result);
    } else {
      lease?.release();
      busy.reject(revive(answer.error));
    }
    permit?.release();
  }

  /** Holds a result until its client has had the time to hold it. */
  #handOver(result: Results[keyof Results], lease: Lease): void {
    const bytes = bytesIn(result);
    const letGo = bytes === undefined ? () => lease.release() : this.#budget.own(bytes, lease);
    setImmediate(letGo);
  }

  #remove(process: ReadingProcess): boolean {
    const at = this.#processes.indexOf(process);
    if (at < 0) return false;
    this.#processes.splice(at, 1);
    process.reader.kill();
    return true;
  }

  /** Ends a process, and its order with an error. */
  #discard(process: ReadingProcess, error: ReadingError): void {
    if (!this.#remove(process)) return;
    this.#work.lost += 1;
    this.#work.note(process);
    process.busy?.reject(error);
    process.permit?.release();
  }

  /** The same, if the file is the cause. */
  #spoil(process: ReadingProcess, error: ReadingError): void {
    if (process.isReady && process.busy !== undefined) {
      const { task } = process.busy;
      this.#quarantine.note(task);
      if (this.#quarantine.isQuarantined(task)) {
        this.#semaphore.failWaiting((order) => order.task.path === task.path, leftAlone);
      }
    }
    this.#discard(process, error);
  }

  /** Checks the processes for as long as orders wait or run. */
  #watch(): void {
    if (this.#checking !== undefined || this.#isClosed) return;
    this.#checking = setInterval(() => this.#check(), CHECK_INTERVAL).unref();
  }

  #check(): void {
    const now = performance.now();
    for (const process of [...this.#processes]) {
      if (process.isLate(now)) {
        this.#spoil(process, new ReadingTimeout("Reading this file takes too long."));
      }
    }
    this.#checkMemory();
    if (this.#isShort) this.#budget.relieve();
    this.#isShort = false;
    // Memory may have been given back, and another process may be started.
    this.#semaphore.serve();
    const { taken, waiting } = this.#semaphore.usage;
    if (waiting > 0 || taken > 0) return;
    clearInterval(this.#checking);
    this.#checking = undefined;
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => this.#endIdle(), IDLE).unref();
  }

  #endIdle(): void {
    const since = performance.now() - IDLE / 2;
    // One stays, so that the next order need not wait for its start.
    for (const process of this.#processes.slice(1)) {
      if (process.busy === undefined && process.idleSince < since) this.#remove(process);
    }
    this.#checkMemory();
  }

  /** If memory is exceeded, ends idle processes, or else the largest one. Its file is too large if it read alone. */
  #checkMemory(): void {
    const excess = memoryExcess(this.#processes, this.#budget);
    if (excess === undefined) return;
    if (excess.idle.length > 0) {
      for (const process of excess.idle) this.#remove(process);
    } else if (excess.isAlone) {
      this.#spoil(excess.largest, new TooLarge("Reading this file takes too much memory."));
    } else {
      this.#discard(excess.largest, new ReadingBusy("Too much is being read at the moment."));
    }
  }
}

const roomError = (cause: unknown): ReadingError =>
  cause instanceof ReadingError
    ? cause
    : new ReadingTimeout("The process that read this file answers nonsense.", { cause });
