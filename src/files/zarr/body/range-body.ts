/** A response body with bytes of a file. */
import type { Writable } from "node:stream";
import type { StoredRange } from "../dataset/dataset.js";
import { ReadingBusy } from "../errors.js";
import type { DescriptorCache } from "../open/descriptor-cache.js";
import { SentBody } from "./body-writer.js";
import { type BufferPool, LARGE_BUFFER, type PooledBuffer } from "./buffer-pool.js";

/** Milliseconds in which a fast client receives a large buffer. */
const FAST = 500;
/** Milliseconds between two looks whether a path still leads to the file that is sent. */
const CHECK_INTERVAL = 1000;

/**
 * Part of a stored range, written buffer by buffer: each client holds one buffer of memory, and a slow client a small one.
 *
 * An error in the middle breaks the transfer off, so that it cannot look whole.
 */
export class RangeBody extends SentBody {
  /** Bytes read so far. */
  #done = 0;
  /** The bytes of the last read. */
  #bytes: Buffer = Buffer.alloc(0);
  /** The buffer for reading; undefined once it was returned. */
  #buffer: PooledBuffer | undefined;
  #checked = performance.now();

  readonly #descriptors: DescriptorCache;
  readonly #buffers: BufferPool;
  readonly #range: StoredRange;

  private constructor(
    descriptors: DescriptorCache,
    buffers: BufferPool,
    range: StoredRange,
    buffer: PooledBuffer,
  ) {
    super(buffers.share);
    this.#descriptors = descriptors;
    this.#buffers = buffers;
    this.#range = range;
    this.#buffer = buffer;
  }

  get length(): number {
    return this.#range.length;
  }

  release(isUnused: boolean): void {
    const buffer = this.#buffer;
    this.#buffer = undefined;
    if (buffer !== undefined) this.#buffers.give(buffer, isUnused);
  }

  /**
   * Reads the first bytes, so that an early failure can still be reported to the client.
   *
   * @param isConfirmed whether the caller checks the file after the first bytes
   */
  static async open(
    descriptors: DescriptorCache,
    buffers: BufferPool,
    range: StoredRange,
    isConfirmed: boolean,
  ): Promise<RangeBody> {
    const buffer = await buffers.take(range.length);
    const body = new RangeBody(descriptors, buffers, range, buffer);
    try {
      await body.#fill();
      if (!isConfirmed) await body.#check();
    } catch (error) {
      body.abort();
      throw error;
    }
    return body;
  }

  async write(out: Writable): Promise<void> {
    await this.#sendBuffer(out);
    while (this.#done < this.length) {
      await this.#fill();
      await this.#check();
      await this.#sendBuffer(out);
    }
  }

  async #sendBuffer(out: Writable): Promise<void> {
    const begin = performance.now();
    await this.send(out, this.#bytes);
    const large = this.#buffer;
    if (large?.buffer.length !== LARGE_BUFFER || this.since - begin < FAST) return;
    // A slow client swaps its large buffer for a small one.
    this.#buffer = this.#buffers.shrink(large);
  }

  /** @throws ReadingBusy if the buffer was taken away in the meantime */
  async #fill(): Promise<void> {
    if (this.#buffer === undefined) throw new ReadingBusy("The client took nothing for too long.");
    const { buffer } = this.#buffer;
    const { path, identity, offset } = this.#range;
    this.#bytes = buffer.subarray(0, Math.min(buffer.length, this.length - this.#done));
    await this.#descriptors.fill(this.#bytes, path, identity, offset + this.#done);
    this.#done += this.#bytes.length;
  }

  /** Checks the file after its last bytes, and whether its path still leads to it. */
  async #check(): Promise<void> {
    const { path, identity, isNamed } = this.#range;
    const isLast = this.#done === this.length;
    if (isNamed) {
      if (!isLast && performance.now() - this.#checked < CHECK_INTERVAL) return;
      await this.#descriptors.checkPath(path, identity);
      this.#checked = performance.now();
    } else if (isLast) await this.#descriptors.check(path, identity);
  }
}
