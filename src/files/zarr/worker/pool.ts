import type { ChildProcess } from "node:child_process";
import { availableParallelism } from "node:os";
import type { Lease } from "../../../platform/budget.js";
import {
  FairSemaphore,
  type Permit,
  type PermitRequest,
} from "../../../platform/fair-semaphore.js";
import { ReadingError, ReadingTimeout, TooLarge } from "../../netcdf/errors.js";
import type { FileIdentity } from "../../netcdf/source/file-identity.js";
import { MemoryBudget } from "../body/memory-budget.js";
import { ReadingBusy, revive } from "../errors.js";
import { keyOf, type ReadingClient } from "./client.js";
import { costOf } from "./cost.js";
import type { Answer, Results, Task } from "./protocol.js";
import { Quarantine } from "./quarantine.js";
import { Reader } from "./reader.js";
import { startReader } from "./start-reader.js";

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

/** The state of the pool, and its work since the start. */
export interface PoolUsage {
  readonly waiting: number;
  readonly processes: number;
  readonly busy: number;
  /** Processes that ended while they read, or that took too long or too much memory. */
  readonly lost: number;
  /** Orders that a process has finished, and its seconds for them. */
  readonly orders: ReadonlyMap<Task["kind"], { readonly count: number; readonly seconds: number }>;
}

/** A task and the client that waits for its result. */
interface Order extends PermitRequest {
  readonly task: Task;
  /** Bytes that it may take in the process. */
  readonly cost: number;
  /** Milliseconds that a process took for it. */
  readonly spent: (milliseconds: number) => void;
  readonly resolve: (result: Results[keyof Results]) => void;
  readonly reject: (error: Error) => void;
}

interface Process {
  readonly reader: Reader;
  isReady: boolean;
  busy: Order | undefined;
  /** Held as long as it is busy. */
  permit: Permit | undefined;
  /** When it received its order, by `performance.now()`. */
  busySince: number;
  /** When it must have answered, by `performance.now()`. */
  deadline: number;
  /** When a decoder must be done. */
  decodingUntil: number;
  idleSince: number;
}

/** Milliseconds between two checks of the processes. */
const CHECK_INTERVAL = 20;
/** Milliseconds until a process must be ready. */
const START = 20_000;
/** Milliseconds beyond an order's time: processes watch their time themselves, except those that hang. */
const GRACE = 1000;
/** Milliseconds after which an idle process ends. */
const IDLE = 300_000;
/** Milliseconds an order waits for a process. */
const MAX_WAIT = 30_000;
/** The part of the memory that a process may keep after its answer. */
const KEPT = 1 / 4;
/** The part of the memory that others may hold while one order takes all of the rest. */
const SPARE = 1 / 8;
/** Bytes below which ending a process gains nothing. */
const MIN_GAIN = 32 << 20;
/** Processes that may be started at once, and milliseconds until one more may be. */
const MAX_STARTS = 8;
const START_INTERVAL = 250;

/** Numbers of processes. One odd file must leave another process free. */
export const READERS = { min: 2, default: Math.max(3, Math.min(4, availableParallelism())) };

/**
 * Processes that read files.
 *
 * Damage that a file does is confined to the process that reads it, which is killed when it exceeds its time or memory.
 * Neither one file nor one client ever has all processes.
 */
export class ReadingPool {
  readonly #processes: Process[] = [];
  readonly #semaphore: FairSemaphore<Order>;
  readonly #quarantine = new Quarantine();
  readonly #size: number;
  readonly #time: number;
  readonly #budget: MemoryBudget;
  readonly #startProcess: () => ChildProcess;
  readonly #report: (problem: string) => void;
  #checking: NodeJS.Timeout | undefined;
  #idle: NodeJS.Timeout | undefined;
  #starts = MAX_STARTS;
  #startsAt = 0;
  #isClosed = false;
  /** Whether an order waits for memory. */
  #isShort = false;
  #lost = 0;
  readonly #done = new Map<Task["kind"], { count: number; seconds: number }>();

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
      if (this.#quarantine.isQuarantined(task.path, identityOf(task))) {
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
      lost: this.#lost,
      orders: this.#done,
    };
  }

  /** Counts an order, whatever its result. */
  #noteDone({ busy, busySince }: Process): void {
    if (busy === undefined) return;
    const { kind } = busy.task;
    const done = this.#done.get(kind) ?? { count: 0, seconds: 0 };
    const milliseconds = performance.now() - busySince;
    done.count += 1;
    done.seconds += milliseconds / 1000;
    this.#done.set(kind, done);
    busy.spent(milliseconds);
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
      process.busy = order;
      process.permit = permit;
      process.busySince = performance.now();
      process.deadline = process.busySince + (process.isReady ? this.#time + GRACE : START);
      process.decodingUntil = Number.POSITIVE_INFINITY;
      process.reader.isReferenced = true;
      process.reader.order({ task: order.task, time: this.#time });
    } catch (error) {
      // No process could be started.
      order.reject(error as Error);
      permit.release();
    }
  }

  /** Whether an order may run beside those that run. */
  #mayRun({ task, cost }: Order): boolean {
    if (this.#processes.every(({ busy }) => busy !== undefined) && !this.#mayStart()) return false;
    let taken = this.#budget.booked;
    let ofFile = 0;
    for (const { busy } of this.#processes) {
      taken += busy?.cost ?? 0;
      if (busy?.task.path === task.path) ofFile += 1;
    }
    if (ofFile >= this.#size - 1) return false;
    if (ofFile > 0 && this.#quarantine.isKnown(task.path, identityOf(task))) return false;
    // If nothing else takes memory, an order is tried in any case.
    const { total } = this.#budget;
    if (taken < total * SPARE || taken + cost <= total) return true;
    this.#isShort = true;
    return false;
  }

  /** Whether one more process may be started. Processes that end again and again are not restarted without a pause. */
  #mayStart(): boolean {
    if (this.#processes.length >= this.#size) return false;
    const now = performance.now();
    const gained = Math.floor((now - this.#startsAt) / START_INTERVAL);
    if (gained > 0) {
      this.#starts = Math.min(MAX_STARTS, this.#starts + gained);
      this.#startsAt = now;
    }
    return this.#starts > 0;
  }

  #start(): Process {
    this.#starts -= 1;
    const now = performance.now();
    const process: Process = {
      reader: new Reader(this.#startProcess(), this.#budget, {
        ready: () => {
          process.isReady = true;
          // The client is not charged for the start.
          process.busySince = performance.now();
          process.deadline = process.busySince + this.#time + GRACE;
        },
        decoding: (milliseconds) => {
          const until = milliseconds === 0 ? Number.POSITIVE_INFINITY : milliseconds;
          process.decodingUntil = performance.now() + until;
        },
        answer: (answer, lease) => this.#take(process, answer, lease),
        noRoom: (cause) => this.#discard(process, roomError(cause)),
        end: (complaint) => {
          if (!process.isReady) this.#report(`a reading process did not start: ${complaint}`);
          this.#spoil(process, new ReadingTimeout("The process that read this file has ended."));
        },
      }),
      isReady: false,
      busy: undefined,
      permit: undefined,
      busySince: now,
      deadline: now + START,
      decodingUntil: Number.POSITIVE_INFINITY,
      idleSince: now,
    };
    this.#processes.push(process);
    return process;
  }

  #take(process: Process, answer: Answer, lease: Lease | undefined): void {
    const { busy, permit, reader } = process;
    if (busy === undefined) {
      lease?.release();
      return;
    }
    this.#noteDone(process);
    const isTooBig = reader.growth > this.#budget.total * KEPT;
    if (!answer.ok && answer.isSpoiled)
      this.#quarantine.notice(busy.task.path, identityOf(busy.task));
    if (isTooBig || (!answer.ok && answer.isSpoiled)) this.#remove(process);
    else this.#free(process);
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

  #free(process: Process): void {
    process.busy = undefined;
    process.permit = undefined;
    process.deadline = Number.POSITIVE_INFINITY;
    process.decodingUntil = Number.POSITIVE_INFINITY;
    process.idleSince = performance.now();
    // An idle process does not keep the service running.
    process.reader.isReferenced = false;
  }

  #remove(process: Process): boolean {
    const at = this.#processes.indexOf(process);
    if (at < 0) return false;
    this.#processes.splice(at, 1);
    process.reader.kill();
    return true;
  }

  /** Ends a process, and its order with an error. */
  #discard(process: Process, error: ReadingError): void {
    if (!this.#remove(process)) return;
    this.#lost += 1;
    this.#noteDone(process);
    process.busy?.reject(error);
    process.permit?.release();
  }

  /** The same, if the file is the cause. */
  #spoil(process: Process, error: ReadingError): void {
    if (process.isReady && process.busy !== undefined) {
      const { task } = process.busy;
      this.#quarantine.note(task.path, identityOf(task));
      if (this.#quarantine.isQuarantined(task.path, identityOf(task))) {
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
    this.#checkTime(now);
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

  #checkTime(now: number): void {
    for (const process of [...this.#processes]) {
      if (now > Math.min(process.deadline, process.decodingUntil)) {
        this.#spoil(process, new ReadingTimeout("Reading this file takes too long."));
      }
    }
  }

  /** If memory is exceeded, ends idle processes, or else the largest one. Its file is too large if it read alone. */
  #checkMemory(): void {
    const { total } = this.#budget;
    const sizes = this.#processes.map((process) => ({ process, bytes: process.reader.growth }));
    const sum = sizes.reduce((all, { bytes }) => all + bytes, 0);
    this.#budget.note("reading processes", sum);
    const [largest] = sizes.sort((a, b) => b.bytes - a.bytes);
    if (largest === undefined || largest.bytes < MIN_GAIN || this.#budget.used <= total) return;
    const idle = sizes.filter(
      ({ process, bytes }) => process.busy === undefined && bytes > MIN_GAIN,
    );
    if (idle.length > 0) {
      for (const { process } of idle) this.#remove(process);
      return;
    }
    const isAlone = this.#budget.used - largest.bytes < total * SPARE || largest.bytes > total;
    const error = isAlone
      ? new TooLarge("Reading this file takes too much memory.")
      : new ReadingBusy("Too much is being read at the moment.");
    if (isAlone) this.#spoil(largest.process, error);
    else this.#discard(largest.process, error);
  }
}

/** The bytes that a result is or contains. */
function bytesIn(result: Results[keyof Results]): Uint8Array | undefined {
  if (result instanceof Uint8Array) return result;
  const isGathered = typeof result === "object" && "value" in result;
  return isGathered && result.value instanceof Uint8Array ? result.value : undefined;
}

function identityOf(task: Task): FileIdentity | undefined {
  return "identity" in task ? task.identity : undefined;
}

const leftAlone = (): ReadingError =>
  new ReadingTimeout("This file has ended several readers, and is left alone for now.");

const roomError = (cause: unknown): ReadingError =>
  cause instanceof ReadingError
    ? cause
    : new ReadingTimeout("The process that read this file answers nonsense.", { cause });
