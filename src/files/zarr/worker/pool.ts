import type { ChildProcess } from "node:child_process";
import { availableParallelism } from "node:os";
import { ReadingError, ReadingTimeout, TooLarge } from "../../netcdf/errors.js";
import type { FileIdentity } from "../../netcdf/source/file-identity.js";
import { type Lease, MemoryBudget } from "../body/memory-budget.js";
import { ReadingBusy, revive } from "../errors.js";
import { type By, keyOf } from "./client.js";
import { costOf } from "./cost.js";
import type { Answer, Results, Task } from "./protocol.js";
import { Offenders } from "./quarantine.js";
import { FairQueue, type Queued } from "./queue.js";
import { Reader } from "./reader.js";
import { startReader } from "./start-reader.js";

export interface PoolOptions {
  /** Processes; at least two, so that one odd file leaves another one free. */
  readonly readers?: number;
  /** Milliseconds one order may take. */
  readonly time?: number;
  /** Orders that may wait. */
  readonly waiting?: number;
  /** Memory for all of reading. */
  readonly budget?: MemoryBudget;
  /** Folders below which files may be opened; undefined: any file. */
  readonly dataRoots?: readonly string[];
  /** Starts a process. */
  readonly start?: () => ChildProcess;
  /** Told what somebody who looks after the service should know. */
  readonly report?: (problem: string) => void;
}

/** How it stands with reading now, and what was done so far. */
export interface PoolUsage {
  readonly waiting: number;
  readonly processes: number;
  readonly busy: number;
  /** Processes that ended while they read, or that took too long or too much memory. */
  readonly lost: number;
  /** Orders that a process has done with, and its seconds for them. */
  readonly orders: ReadonlyMap<Task["kind"], { readonly count: number; readonly seconds: number }>;
}

interface Waiting extends Queued {
  /** Bytes it may take in the process. */
  readonly cost: number;
  readonly asker: By | undefined;
  readonly resolve: (result: Results[keyof Results]) => void;
  readonly reject: (error: ReadingError) => void;
}

interface Process {
  readonly reader: Reader;
  isReady: boolean;
  busy: Waiting | undefined;
  /** When it was given its order; by `performance.now()`. */
  busySince: number;
  /** Until when it must have answered; by `performance.now()`. */
  deadline: number;
  /** Until when a decoder must be done. */
  decodingUntil: number;
  idleSince: number;
}

/** Milliseconds between two looks at the processes. */
const LOOK = 20;
/** Milliseconds until a process must be ready. */
const START = 20_000;
/** The process looks at the clock itself; this is for one that cannot any more. */
const GRACE = 1000;
/** Milliseconds after which a process with nothing to do ends. */
const IDLE = 300_000;
/** Milliseconds an order waits for a process. */
const MAX_WAIT = 30_000;
/** Of the memory, what a process may keep when it has answered. */
const KEPT = 1 / 4;
/** Of the memory, what others may have while one order takes all of the rest. */
const SPARE = 1 / 8;
/** Bytes below which nothing is won by ending a process. */
const MIN_GAIN = 32 << 20;
/** Processes that may be started at once, and milliseconds for each more. */
const STARTS = 8;
const START_EVERY = 250;

/** Processes; one odd file must leave another one free. */
export const READERS = { least: 2, usual: Math.max(3, Math.min(4, availableParallelism())) };

/**
 * Processes that read files.
 *
 * Whatever a file does to the process that reads it ends with that process: it is killed when its
 * time or its memory is over. Neither one file nor one caller ever has all of them.
 */
export class ReadingPool {
  readonly #processes: Process[] = [];
  readonly #queue = new FairQueue<Waiting>();
  readonly #offenders = new Offenders();
  readonly #size: number;
  readonly #time: number;
  readonly #most: number;
  readonly #budget: MemoryBudget;
  readonly #startProcess: () => ChildProcess;
  readonly #report: (problem: string) => void;
  #look: NodeJS.Timeout | undefined;
  #idle: NodeJS.Timeout | undefined;
  #starts = STARTS;
  #startsAt = 0;
  #isClosed = false;
  /** Whether an order waits for memory. */
  #isShort = false;
  #lost = 0;
  readonly #done = new Map<Task["kind"], { count: number; seconds: number }>();

  constructor(options: PoolOptions = {}) {
    this.#size = Math.max(READERS.least, options.readers ?? READERS.usual);
    this.#time = options.time ?? 20_000;
    this.#most = options.waiting ?? 1000;
    this.#budget = options.budget ?? new MemoryBudget();
    const { dataRoots, report = () => {} } = options;
    const memory = this.#budget.total;
    this.#startProcess =
      options.start ??
      (() => startReader(dataRoots === undefined ? { memory } : { memory, dataRoots }));
    this.#report = report;
  }

  /**
   * @param asker who asks: callers take turns
   * @param signal gives the order up while it waits; one that is being done is done
   * @throws ReadingError: whatever the file is guilty of, ReadingTimeout, ReadingBusy
   */
  run<T extends Task>(task: T, asker?: By, signal?: AbortSignal): Promise<Results[T["kind"]]> {
    return new Promise((resolve, reject) => {
      const by = keyOf(asker);
      const isFull = this.#queue.length >= this.#most || this.#queue.countOf(by) >= this.#most / 2;
      if (this.#isClosed || isFull) {
        reject(new ReadingBusy("Too many files are being read at the moment."));
        return;
      }
      if (this.#offenders.isLeftAlone(task.path, identityOf(task))) {
        reject(leftAlone());
        return;
      }
      // The process answers an order with the result of its kind.
      const settle = resolve as (result: Results[keyof Results]) => void;
      const cost = costOf(task);
      const since = performance.now();
      const waiting: Waiting = { task, by, asker, cost, since, resolve: settle, reject };
      this.#queue.push(waiting);
      signal?.addEventListener("abort", () => this.#giveUp(waiting), { once: true });
      this.#next();
    });
  }

  /** An order that nobody waits for any more; others may have its turn. */
  #giveUp(waiting: Waiting): void {
    if (this.#queue.remove((order) => order === waiting).length === 0) return;
    waiting.reject(new ReadingBusy("Nobody waits for this any more."));
  }

  get usage(): PoolUsage {
    const busy = this.#processes.filter((process) => process.busy !== undefined).length;
    return {
      ...{ waiting: this.#queue.length, processes: this.#processes.length, busy },
      ...{ lost: this.#lost, orders: this.#done },
    };
  }

  /** Whatever came of it. */
  #noteDone({ busy, busySince }: Process): void {
    if (busy === undefined) return;
    const { kind } = busy.task;
    const done = this.#done.get(kind) ?? { count: 0, seconds: 0 };
    const milliseconds = performance.now() - busySince;
    done.count += 1;
    done.seconds += milliseconds / 1000;
    this.#done.set(kind, done);
    if (typeof busy.asker === "object") busy.asker.spent(milliseconds);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#look);
    clearTimeout(this.#idle);
    const ended = new ReadingBusy("Reading has ended.");
    for (const { reject } of this.#queue.remove(() => true)) reject(ended);
    for (const { reader, busy } of this.#processes.splice(0)) {
      reader.kill();
      busy?.reject(ended);
    }
  }

  #next(): void {
    this.#watch();
    for (;;) {
      const process = this.#processes.find(({ busy }) => busy === undefined);
      if (process === undefined && !this.#mayStart()) return;
      const waiting = this.#queue.next(this.#admission());
      if (waiting === undefined) return;
      this.#give(process ?? this.#start(), waiting);
    }
  }

  #give(process: Process, waiting: Waiting): void {
    process.busy = waiting;
    process.busySince = performance.now();
    process.deadline = process.busySince + (process.isReady ? this.#time + GRACE : START);
    process.decodingUntil = Number.POSITIVE_INFINITY;
    process.reader.isReferenced = true;
    process.reader.order({ task: waiting.task, time: this.#time });
  }

  /** What tells of each order whether it may run now, beside those that do. */
  #admission(): (order: Waiting) => boolean {
    const running = this.#processes.flatMap(({ busy }) => busy ?? []);
    const taken = running.reduce((sum, { cost }) => sum + cost, this.#budget.booked);
    const ofFiles = countBy(running, ({ task }) => task.path);
    const ofCallers = countBy(running, ({ by }) => by);
    const others = this.#size - 1;
    const { total } = this.#budget;
    return ({ task, by, cost }) => {
      if (by !== undefined && (ofCallers.get(by) ?? 0) >= others) return false;
      const ofFile = ofFiles.get(task.path) ?? 0;
      if (ofFile >= others) return false;
      if (ofFile > 0 && this.#offenders.isKnown(task.path, identityOf(task))) return false;
      // One that nobody takes memory from is tried in any case.
      if (taken < total * SPARE || taken + cost <= total) return true;
      this.#isShort = true;
      return false;
    };
  }

  /** Whether there may be one more process; one that ends again and again is not started without a pause. */
  #mayStart(): boolean {
    if (this.#processes.length >= this.#size) return false;
    const now = performance.now();
    const gained = Math.floor((now - this.#startsAt) / START_EVERY);
    if (gained > 0) {
      this.#starts = Math.min(STARTS, this.#starts + gained);
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
          // Whoever waits for its start does not pay for it.
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
      busySince: now,
      deadline: now + START,
      decodingUntil: Number.POSITIVE_INFINITY,
      idleSince: now,
    };
    this.#processes.push(process);
    return process;
  }

  #take(process: Process, answer: Answer, lease: Lease | undefined): void {
    const { busy, reader } = process;
    if (busy === undefined) {
      lease?.release();
      return;
    }
    this.#noteDone(process);
    const isTooBig = reader.growth > this.#budget.total * KEPT;
    if (!answer.ok && answer.isSpoiled)
      this.#offenders.notice(busy.task.path, identityOf(busy.task));
    if (isTooBig || (!answer.ok && answer.isSpoiled)) this.#remove(process);
    else this.#free(process);
    if (answer.ok) {
      if (lease !== undefined) this.#handOver(answer.result, lease);
      busy.resolve(answer.result);
    } else {
      lease?.release();
      busy.reject(revive(answer.error));
    }
    this.#next();
  }

  /** Until whoever asked has taken hold of it, the pool holds a result. */
  #handOver(result: Results[keyof Results], lease: Lease): void {
    const bytes = bytesIn(result);
    const letGo = bytes === undefined ? () => lease.release() : this.#budget.own(bytes, lease);
    setImmediate(letGo);
  }

  #free(process: Process): void {
    process.busy = undefined;
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
    if (!this.#isClosed) this.#next();
  }

  /** The same, when it is the file that is to blame. */
  #spoil(process: Process, error: ReadingError): void {
    if (process.isReady && process.busy !== undefined) {
      const { task } = process.busy;
      this.#offenders.note(task.path, identityOf(task));
      const isOver = this.#offenders.isLeftAlone(task.path, identityOf(task));
      const same = isOver ? this.#queue.remove((order) => order.task.path === task.path) : [];
      for (const { reject } of same) reject(leftAlone());
    }
    this.#discard(process, error);
  }

  /** Looks at the processes as long as there are any. */
  #watch(): void {
    if (this.#look !== undefined || this.#isClosed) return;
    this.#look = setInterval(() => this.#check(), LOOK).unref();
  }

  #check(): void {
    const now = performance.now();
    this.#checkTime(now);
    this.#checkMemory();
    if (this.#isShort) this.#budget.relieve();
    this.#isShort = false;
    const since = now - Math.max(MAX_WAIT, this.#time);
    for (const { reject } of this.#queue.remove((order) => order.since < since)) {
      reject(new ReadingBusy("Too many files are being read at the moment."));
    }
    this.#next();
    if (this.#queue.length > 0 || this.#processes.some(({ busy }) => busy !== undefined)) return;
    clearInterval(this.#look);
    this.#look = undefined;
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => this.#endIdle(), IDLE).unref();
  }

  #endIdle(): void {
    const since = performance.now() - IDLE / 2;
    // One stays, so that whoever comes next need not wait for its start.
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

  /** Ends what takes more memory than there is: the one that takes most, as one that cannot be read where it is alone. */
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

/** The bytes that a result is, or has beside what they were made of. */
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

function countBy<T, K>(all: readonly T[], keyOf: (one: T) => K): Map<K, number> {
  const counts = new Map<K, number>();
  for (const one of all) counts.set(keyOf(one), (counts.get(keyOf(one)) ?? 0) + 1);
  return counts;
}

const roomError = (cause: unknown): ReadingError =>
  cause instanceof ReadingError
    ? cause
    : new ReadingTimeout("The process that read this file answers nonsense.", { cause });
