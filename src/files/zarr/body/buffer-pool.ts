/**
 * Buffers for bytes on their way from a file to a client, used again and again: fresh memory of this size costs the
 * kernel and the garbage collector several times what the reading does.
 */
import { type Lease, MemoryBudget } from "./memory-budget.js";

/** Bytes of a piece for a client that is fast: long enough that few are needed. */
export const PIECE = 1 << 20;
/** Bytes of a piece for one that is slow, or where there are many. */
export const SMALL_PIECE = 1 << 16;
/** Pieces of each size that are kept for the next who needs one. */
const MAX_KEPT = 16;
/** Of the memory for reading, what all pieces together may take, and the large ones of that. */
const SHARE = 1 / 4;
const LARGE_SHARE = 1 / 2;

export interface Piece {
  readonly buffer: Buffer;
  readonly lease: Lease;
}

export class Pieces {
  readonly #large: Buffer[] = [];
  readonly #small: Buffer[] = [];
  #largeLent = 0;
  /** What the pieces may take. */
  readonly share: MemoryBudget;
  readonly #budget: MemoryBudget;

  constructor(budget = new MemoryBudget()) {
    this.#budget = budget;
    this.share = new MemoryBudget(Math.max(2 * PIECE, budget.total * SHARE));
  }

  /**
   * A piece with whatever was in it: a small one where no more is wanted, and where there are no large ones.
   *
   * @param wanted bytes
   * @throws ReadingBusy where there are none at all, and nobody gives one back in time
   */
  async take(wanted: number): Promise<Piece> {
    const large = wanted > SMALL_PIECE ? this.#tryLarge() : undefined;
    if (large !== undefined) return large;
    const lease = await this.share.take(SMALL_PIECE);
    this.#note();
    return { lease, buffer: this.#small.pop() ?? Buffer.allocUnsafeSlow(SMALL_PIECE) };
  }

  #tryLarge(): Piece | undefined {
    if ((this.#largeLent + 1) * PIECE > this.share.total * LARGE_SHARE) return undefined;
    const lease = this.share.tryTake(PIECE);
    if (lease === undefined) return undefined;
    this.#largeLent += 1;
    this.#note();
    return { lease, buffer: this.#large.pop() ?? Buffer.allocUnsafeSlow(PIECE) };
  }

  /** @param isFree whether nobody reads it any more: what may still be in use is collected as any other memory */
  give({ buffer, lease }: Piece, isFree: boolean): void {
    const isLarge = buffer.length === PIECE;
    if (isLarge) this.#largeLent -= 1;
    const kept = isLarge ? this.#large : this.#small;
    if (isFree && kept.length < MAX_KEPT) kept.push(buffer);
    lease.release();
    this.#note();
  }

  #note(): void {
    this.#budget.note("pieces", this.share.used);
  }
}
