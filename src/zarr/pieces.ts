/**
 * Buffers for bytes on their way from a file to a client, used again and again: fresh memory of this size costs the
 * kernel and the garbage collector several times what the reading does.
 */

/** Bytes of a piece: long enough that few are needed, short enough that a slow client holds little. */
export const PIECE = 1 << 20;
/** Pieces that are kept for the next who needs one. */
const KEPT = 16;

export class Pieces {
  private readonly free: Buffer[] = [];

  /** A buffer of `PIECE` bytes, with whatever was in it. */
  take(): Buffer {
    return this.free.pop() ?? Buffer.allocUnsafeSlow(PIECE);
  }

  /** Gives back a buffer that nobody reads any more. What is not given back is collected as any other memory. */
  give(piece: Buffer): void {
    if (this.free.length < KEPT) this.free.push(piece);
  }
}
