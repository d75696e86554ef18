/** A response body with bytes in memory. */
import type { Writable } from "node:stream";
import { SentBody, writtenAt } from "./body-writer.js";
import { LARGE_BUFFER } from "./buffer-pool.js";
import type { MemoryBudget } from "./memory-budget.js";

/** Holds bytes until they are sent or the client disconnects. */
export class BytesBody extends SentBody {
  #out: Writable | undefined;
  /** Releases the memory, also of a body that nobody reads. */
  readonly abandon: () => void;
  readonly #data: Uint8Array;

  constructor(data: Uint8Array, budget: MemoryBudget, release: () => void) {
    super();
    this.#data = data;
    const leave = budget.sending(this);
    this.abandon = () => {
      leave();
      release();
    };
  }

  /** Breaks the transfer off. */
  abort(): void {
    this.#out?.destroy();
    this.abandon();
  }

  get length(): number {
    return this.#data.byteLength;
  }

  /** Writes everything, but does not end the stream. */
  async writeTo(out: Writable): Promise<void> {
    this.#out = out;
    try {
      for (let from = 0; from < this.#data.byteLength; from += LARGE_BUFFER) {
        await writtenAt(this, out, this.#data.subarray(from, from + LARGE_BUFFER));
      }
    } finally {
      this.abandon();
    }
  }
}
