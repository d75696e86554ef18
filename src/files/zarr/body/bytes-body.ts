/** Bytes in memory on their way out. */
import type { Writable } from "node:stream";
import { writtenAt } from "./body-writer.js";
import { LARGE_BUFFER } from "./buffer-pool.js";
import type { MemoryBudget } from "./memory-budget.js";

/** Bytes that are held until they are sent, or their client is gone. */
export class BytesBody {
  #since = performance.now();
  #out: Writable | undefined;
  isInHurry = false;
  readonly #done: () => void;
  readonly #data: Uint8Array;

  /** @param letGo gives back the memory of the data */
  constructor(data: Uint8Array, budget: MemoryBudget, letGo: () => void) {
    this.#data = data;
    const leave = budget.sending(this);
    this.#done = () => {
      leave();
      letGo();
    };
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

  /** Breaks the transfer off. */
  abort(): void {
    this.#out?.destroy();
    this.#done();
  }

  /** Bytes. */
  get length(): number {
    return this.#data.byteLength;
  }

  /** Writes everything, and leaves it to the caller to end. @throws what the destination is broken by */
  async writeTo(out: Writable): Promise<void> {
    this.#out = out;
    try {
      for (let from = 0; from < this.#data.byteLength; from += LARGE_BUFFER) {
        await writtenAt(this, out, this.#data.subarray(from, from + LARGE_BUFFER));
      }
    } finally {
      this.#done();
    }
  }

  /** The same as a web stream, for whoever has no writable. */
  stream(): ReadableStream<Uint8Array> {
    let from = 0;
    return new ReadableStream<Uint8Array>(
      {
        pull: (controller) => {
          const piece = this.#data.slice(from, from + LARGE_BUFFER);
          from += piece.byteLength;
          this.#since = performance.now();
          if (piece.byteLength > 0) controller.enqueue(piece);
          if (from < this.#data.byteLength) return;
          controller.close();
          this.#done();
        },
        cancel: () => this.#done(),
      },
      { highWaterMark: 0 },
    );
  }

  /** Nobody will read it. */
  abandon(): void {
    this.#done();
  }
}
