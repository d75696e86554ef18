/** Bytes of a file on their way out. */
import type { Writable } from "node:stream";
import type { StoredRange } from "./dataset.js";
import type { Descriptors } from "./descriptors.js";
import { PIECE, type Pieces } from "./pieces.js";

/**
 * Part of a stored range, written piece by piece: a client, however slow, holds one piece of memory.
 *
 * An error in the middle breaks the transfer off, so that it cannot look whole.
 */
export class RangeBody {
  /** Bytes that were read. */
  #done = 0;
  /** What was read last. */
  #piece: Buffer;
  readonly #buffer: Buffer;

  private constructor(
    private readonly descriptors: Descriptors,
    private readonly pieces: Pieces,
    private readonly range: StoredRange,
    private readonly from: number,
    /** Bytes. */
    readonly length: number,
  ) {
    this.#buffer = pieces.take();
    this.#piece = this.#buffer.subarray(0, 0);
  }

  /**
   * Reads the first piece, so that what fails at once fails while it can still be told.
   *
   * @throws FileChanged, FileGone, FileUnreachable, DamagedFile
   */
  static async open(
    descriptors: Descriptors,
    pieces: Pieces,
    range: StoredRange,
    from: number,
    length: number,
  ): Promise<RangeBody> {
    const body = new RangeBody(descriptors, pieces, range, from, length);
    await body.#read();
    return body;
  }

  /**
   * Writes everything, and leaves it to the caller to end.
   *
   * @throws what reading throws, and what the destination is broken by
   */
  async writeTo(out: Writable): Promise<void> {
    await written(out, this.#piece);
    while (this.#done < this.length) {
      await this.#read();
      await written(out, this.#piece);
    }
    // Only now: whoever is broken off may still have the buffer in use.
    this.pieces.give(this.#buffer);
  }

  /** The same as a web stream, for whoever has no writable. */
  stream(): ReadableStream<Uint8Array> {
    return new ReadableStream<Uint8Array>(
      {
        pull: async (controller) => {
          if (this.#piece.length === 0) await this.#read();
          // Its reader may keep it.
          if (this.#piece.length > 0) controller.enqueue(new Uint8Array(this.#piece));
          this.#piece = this.#buffer.subarray(0, 0);
          if (this.#done === this.length) controller.close();
        },
      },
      { highWaterMark: 0 },
    );
  }

  async #read(): Promise<void> {
    const { path, identity, offset } = this.range;
    this.#piece = this.#buffer.subarray(0, Math.min(PIECE, this.length - this.#done));
    await this.descriptors.fill(this.#piece, path, identity, offset + this.from + this.#done);
    this.#done += this.#piece.length;
    if (this.#done === this.length) await this.descriptors.check(path, identity);
  }
}

/** Resolves when the bytes have left this process. */
function written(out: Writable, bytes: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    out.write(bytes, (error) => (error ? reject(error) : resolve()));
  });
}
