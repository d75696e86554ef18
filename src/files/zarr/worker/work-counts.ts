/** Counts the work of a reading pool, for the metrics. */
import type { Task } from "./protocol.js";
import type { ReadingProcess } from "./reading-process.js";

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

export class WorkCounts {
  lost = 0;
  readonly #orders = new Map<Task["kind"], { count: number; seconds: number }>();

  get orders(): PoolUsage["orders"] {
    return this.#orders;
  }

  /** Counts the order of a process, whatever its result, and charges it to its client. */
  note({ busy, spent }: ReadingProcess): void {
    if (busy === undefined) return;
    const { kind } = busy.task;
    const counted = this.#orders.get(kind) ?? { count: 0, seconds: 0 };
    counted.count += 1;
    counted.seconds += spent / 1000;
    this.#orders.set(kind, counted);
    busy.spent(spent);
  }
}
