/**
 * Buffers for bytes on their way from a file to a client, used again and again: fresh memory of this size costs the
 * kernel and the garbage collector several times as much as reading does.
 */
import type { Lease } from "../../../platform/concurrency/budget.js";
import { MemoryBudget } from "./memory-budget.js";

/** Bytes of a buffer for a fast client: large, so that few reads are needed. */
export const LARGE_BUFFER = 1 << 20;
/** Bytes of a buffer for a slow client, or when many clients read. */
export const SMALL_BUFFER = 1 << 16;
const MAX_FREE = 16;
/** The part of the memory for reading that all buffers may take, and the part of this that large ones may take. */
const SHARE = 1 / 4;
const LARGE_SHARE = 1 / 2;

export interface PooledBuffer {
  readonly buffer: Buffer;
  readonly lease: Lease;
}

export class BufferPool {
  readonly #large: Buffer[] = [];
  readonly #small: Buffer[] = [];
  #largeLent = 0;
  /** The memory of all buffers that are lent. */
  readonly share: MemoryBudget;
  readonly #budget: MemoryBudget;

  constructor(budget = new MemoryBudget()) {
    this.#budget = budget;
    this.share = new MemoryBudget(Math.max(2 * LARGE_BUFFER, budget.total * SHARE));
  }

  /** Lends a buffer with arbitrary content: a small one if no more is wanted, or if no large one is free. */
  async take(wanted: number): Promise<PooledBuffer> {
    const large = wanted > SMALL_BUFFER ? this.#tryLarge() : undefined;
    if (large !== undefined) return large;
    const lease = await this.share.take(SMALL_BUFFER);
    this.#note();
    return { lease, buffer: this.#small.pop() ?? Buffer.allocUnsafeSlow(SMALL_BUFFER) };
  }

  /** Takes a large buffer back, and lends a small one in its memory. */
  shrink({ buffer, lease }: PooledBuffer): PooledBuffer {
    const small = this.#small.pop() ?? Buffer.allocUnsafeSlow(SMALL_BUFFER);
    this.#largeLent -= 1;
    if (this.#large.length < MAX_FREE) this.#large.push(buffer);
    lease.shrink(SMALL_BUFFER);
    this.#note();
    return { lease, buffer: small };
  }

  #tryLarge(): PooledBuffer | undefined {
    if ((this.#largeLent + 1) * LARGE_BUFFER > this.share.total * LARGE_SHARE) return undefined;
    const lease = this.share.tryTake(LARGE_BUFFER);
    if (lease === undefined) return undefined;
    this.#largeLent += 1;
    this.#note();
    return { lease, buffer: this.#large.pop() ?? Buffer.allocUnsafeSlow(LARGE_BUFFER) };
  }

  /** Takes a buffer back. @param isUnused whether it can be lent again: one still in use is left to the garbage collector */
  give({ buffer, lease }: PooledBuffer, isUnused: boolean): void {
    const isLarge = buffer.length === LARGE_BUFFER;
    if (isLarge) this.#largeLent -= 1;
    const kept = isLarge ? this.#large : this.#small;
    if (isUnused && kept.length < MAX_FREE) kept.push(buffer);
    lease.release();
    this.#note();
  }

  #note(): void {
    this.#budget.note("buffers", this.share.used);
  }
}
