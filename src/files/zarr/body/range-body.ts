/** Bytes of a file on their way out. */
import type { Writable } from "node:stream";
import type { StoredRange } from "../dataset.js";
import { ReadingBusy } from "../errors.js";
import type { Descriptors } from "../open/descriptor-cache.js";
import { writtenAt } from "./body-writer.js";
import { PIECE, type Piece, type Pieces, SMALL_PIECE } from "./buffer-pool.js";

/** Milliseconds in which a fast client takes a large piece. */
const FAST = 500;

/**
 * Part of a stored range, written piece by piece: a client, however slow, holds one piece of memory, and a slow one a small one.
 *
 * An error in the middle breaks the transfer off, so that it cannot look whole.
 */
export class RangeBody {
  /** Bytes that were read. */
  #done = 0;
  /** What was read last. */
  #bytes: Buffer = Buffer.alloc(0);
  /** What it is read into; undefined when it was given back. */
  #piece: Piece | undefined;
  #since = performance.now();
  #out: Writable | undefined;
  isInHurry = false;
  readonly #leave: () => void;

  readonly #descriptors: Descriptors;
  readonly #pieces: Pieces;
  readonly #range: StoredRange;
  readonly #from: number;

  private constructor(
    descriptors: Descriptors,
    pieces: Pieces,
    range: StoredRange,
    from: number,
    /** Bytes. */
    readonly length: number,
    piece: Piece,
  ) {
    this.#descriptors = descriptors;
    this.#pieces = pieces;
    this.#range = range;
    this.#from = from;
    this.#piece = piece;
    this.#leave = pieces.share.sending(this);
  }

  /** When the client last took something. */
  get since(): number {
    return this.#since;
  }

  taken(): void {
    this.#since = performance.now();
  }

  hurry(): void {
    this.isInHurry = true;
  }

  /** Breaks the transfer off: others wait for the memory that it holds. */
  abort(): void {
    this.#out?.destroy();
    this.#release(false);
  }

  /** Nobody will read it. */
  abandon(): void {
    this.#release(true);
  }

  #release(isFree: boolean): void {
    this.#leave();
    const piece = this.#piece;
    this.#piece = undefined;
    if (piece !== undefined) this.#pieces.give(piece, isFree);
  }

  /**
   * Reads the first piece, so that what fails at once fails while it can still be told.
   *
   * @throws FileChanged, FileGone, FileUnreachable, DamagedFile; ReadingBusy when there is no memory
   */
  static async open(
    descriptors: Descriptors,
    pieces: Pieces,
    range: StoredRange,
    from: number,
    length: number,
  ): Promise<RangeBody> {
    const piece = await pieces.take(length);
    const body = new RangeBody(descriptors, pieces, range, from, length, piece);
    try {
      await body.#read();
    } catch (error) {
      body.#release(false);
      throw error;
    }
    return body;
  }

  /**
   * Writes everything, and leaves it to the caller to end.
   *
   * @throws what reading throws, and what the destination is broken by
   */
  async writeTo(out: Writable): Promise<void> {
    this.#out = out;
    let isFree = false;
    try {
      await this.#write(out);
      while (this.#done < this.length) {
        await this.#read();
        await this.#write(out);
      }
      isFree = true;
    } finally {
      // Whoever is broken off may still have the buffer in use.
      this.#release(isFree);
    }
  }

  async #write(out: Writable): Promise<void> {
    const begin = performance.now();
    await writtenAt(this, out, this.#bytes);
    const piece = this.#piece;
    if (piece?.buffer.length !== PIECE || this.#since - begin < FAST) return;
    // A slow one makes room for those who are fast.
    const small = await this.#pieces.take(SMALL_PIECE);
    this.#pieces.give(piece, true);
    this.#piece = small;
  }

  /** The same as a web stream, for whoever has no writable. */
  stream(): ReadableStream<Uint8Array> {
    return new ReadableStream<Uint8Array>(
      {
        pull: async (controller) => {
          this.#since = performance.now();
          try {
            if (this.#bytes.length === 0) await this.#read();
          } catch (error) {
            this.#release(false);
            throw error;
          }
          // Its reader may keep it.
          if (this.#bytes.length > 0) controller.enqueue(new Uint8Array(this.#bytes));
          this.#bytes = this.#bytes.subarray(0, 0);
          if (this.#done < this.length) return;
          controller.close();
          this.#release(true);
        },
        cancel: () => this.#release(false),
      },
      { highWaterMark: 0 },
    );
  }

  /** @throws ReadingBusy when the memory was given to others meanwhile */
  async #read(): Promise<void> {
    if (this.#piece === undefined) throw new ReadingBusy("The client took nothing for too long.");
    const { buffer } = this.#piece;
    const { path, identity, offset } = this.#range;
    this.#bytes = buffer.subarray(0, Math.min(buffer.length, this.length - this.#done));
    await this.#descriptors.fill(this.#bytes, path, identity, offset + this.#from + this.#done);
    this.#done += this.#bytes.length;
    if (this.#done === this.length) await this.#descriptors.check(path, identity);
  }
}
