import type { ChildProcess } from "node:child_process";
import { availableParallelism } from "node:os";
import type { Loss } from "../../../platform/workers/pool-options.js";
import { WorkerPool } from "../../../platform/workers/worker-pool.js";
import { ReadingError, ReadingTimeout, TooLarge } from "../../netcdf/errors.js";
import { chunkBytes } from "../../netcdf/hdf5/chunks/chunked-storage.js";
import { elementCount } from "../../netcdf/shape.js";
import { MemoryBudget } from "../body/memory-budget.js";
import { type PortableError, ReadingBusy, revive } from "../errors.js";
import { type Selection, shapeOf } from "../slice/selection.js";
import { keyOf, type ReadingClient } from "./client.js";
import { needsDecoder } from "./operations.js";
import { bytesIn, type Order, type Results, type Task } from "./protocol.js";
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

/** Milliseconds an order waits for a process. */
const MAX_WAIT = 30_000;
/** Milliseconds beyond an order's time: processes watch their time themselves, except those that hang. */
const GRACE = 1000;
/** Numbers of processes. One odd file must leave another process free. */
export const READERS = { min: 2, default: Math.max(3, Math.min(4, availableParallelism())) };

/** @param cause of `failed`: an error of the process */
const ERRORS: Readonly<Record<Loss, (cause: unknown) => ReadingError>> = {
  refused: () => new ReadingBusy("Too many files are being read at the moment."),
  aborted: () => new ReadingBusy("The client has gone."),
  failed: (cause) => revive(cause as PortableError),
  late: () => new ReadingTimeout("Reading this file takes too long."),
  ended: () => new ReadingTimeout("The process that read this file has ended."),
  broken: (cause) =>
    cause instanceof ReadingError
      ? cause
      : new ReadingTimeout("The process that read this file answers nonsense.", { cause }),
  "too-large": () => new TooLarge("Reading this file takes too much memory."),
  crowded: () => new ReadingBusy("Too much is being read at the moment."),
  quarantined: () =>
    new ReadingTimeout("This file has ended several readers, and is left alone for now."),
  closed: () => new ReadingBusy("Reading has ended."),
};

/**
 * Processes that read files.
 *
 * Damage that a file does is confined to the process that reads it, which is killed when it exceeds its time or memory.
 * Neither one file nor one client ever has all processes.
 */
export class ReadingPool {
  readonly #pool: WorkerPool<Order, Results[keyof Results]>;
  /** Number of processes. */
  readonly readers: number;
  readonly #time: number;
  #lost = 0;
  readonly #orders = new Map<Task["kind"], { count: number; seconds: number }>();

  constructor(options: PoolOptions = {}) {
    const { readers = READERS.default, time = 20_000, waiting = 1000, dataRoots } = options;
    const { budget = new MemoryBudget(), report = () => {} } = options;
    const memory = budget.total;
    this.readers = Math.max(READERS.min, readers);
    this.#time = time;
    this.#pool = new WorkerPool({
      start: options.start ?? (() => startReader({ memory, ...(dataRoots && { dataRoots }) })),
      max: this.readers,
      timeout: time + GRACE,
      queue: {
        maxWaiting: waiting,
        perClient: { permits: this.readers - 1, waiting: waiting / 2 },
        timeoutMs: Math.max(MAX_WAIT, time),
      },
      memory: {
        budget,
        // The lease is kept until its client has had the time to hold the bytes.
        handOver: (result, lease) => {
          const bytes = bytesIn(result as Results[keyof Results]);
          setImmediate(bytes === undefined ? () => lease.release() : budget.own(bytes, lease));
        },
      },
      errorOf: (loss, cause) => ERRORS[loss](cause),
      notStarted: (reason) => report(`a reading process did not start: ${reason}`),
    });
  }

  /**
   * Does a task in a process.
   *
   * @param client clients take turns
   * @param signal ends the waiting. A task that a process works on is finished
   * @param held bytes that who waits for the result has booked
   * @throws ReadingError: the errors of the file; ReadingTimeout, ReadingBusy
   */
  run<T extends Task>(
    task: T,
    client?: ReadingClient,
    signal?: AbortSignal,
    held = 0,
  ): Promise<Results[T["kind"]]> {
    const answer = this.#pool.ask(
      { task, time: this.#time },
      {
        client: keyOf(client),
        signal,
        subject: {
          key: task.path,
          version: "identity" in task ? JSON.stringify(task.identity) : undefined,
        },
        cost: costOf(task),
        held,
        spent: (milliseconds, isLost) => {
          this.#count(task.kind, milliseconds, isLost);
          if (typeof client === "object") client.spent(milliseconds);
        },
      },
    );
    // The process answers an order with the result of its kind.
    return answer as Promise<Results[T["kind"]]>;
  }

  get usage(): PoolUsage {
    const { waiting, workers, busy } = this.#pool.usage;
    return { waiting, processes: workers, busy, lost: this.#lost, orders: this.#orders };
  }

  async close(): Promise<void> {
    this.#pool.close();
  }

  #count(kind: Task["kind"], milliseconds: number, isLost: boolean): void {
    if (isLost) this.#lost += 1;
    const counted = this.#orders.get(kind) ?? { count: 0, seconds: 0 };
    counted.count += 1;
    counted.seconds += milliseconds / 1000;
    this.#orders.set(kind, counted);
  }
}

/** Bytes beyond those that are known in advance. */
const UNKNOWN = 16 << 20;

/** An estimate of the bytes that an order takes in a reading process. Orders wait for each other by it. */
function costOf(task: Task): number {
  if (task.kind === "strict") return UNKNOWN + 4 * (task.text?.length ?? task.range?.length ?? 0);
  if (task.kind === "version-3") {
    const lengths = [task.document, task.attributes].map(
      (part) => part?.text?.length ?? part?.range?.length ?? 0,
    );
    return UNKNOWN + 8 * lengths.reduce((sum, length) => sum + length, 0);
  }
  if (task.kind === "store-slice")
    return UNKNOWN + sliceBytes(task.selection) + 3 * task.chunkBytes;
  if (task.kind !== "render" && task.kind !== "slice" && task.kind !== "box") return UNKNOWN;
  const { chunks, variable } = task.plan;
  const isSlice = task.kind === "slice";
  const isConverted = task.kind === "box" && task.to !== undefined;
  // Values may become doubles.
  const size = isConverted ? Math.max(variable.stored.size, 8) : variable.stored.size;
  const shape = task.kind === "box" ? task.box.shape : chunks;
  const values = isSlice ? sliceBytes(task.selection) : elementCount(shape) * size;
  const { storage } = variable;
  const stored = storage.kind === "chunked" ? chunkBytes(storage.chunks) : 0;
  // A decoder's copies: its input file, its buffers and its output.
  return UNKNOWN + 2 * values + (needsDecoder(task.plan) ? 5 : isSlice ? 3 : 2) * stored;
}

const sliceBytes = (selection: Selection): number => 4 * elementCount(shapeOf(selection));
