/** A response body with bytes in memory. */
import type { Writable } from "node:stream";
import { SentBody } from "./body-writer.js";
import { LARGE_BUFFER } from "./buffer-pool.js";
import type { MemoryBudget } from "./memory-budget.js";

export class BytesBody extends SentBody {
  readonly #data: Uint8Array;
  readonly #release: () => void;

  constructor(data: Uint8Array, budget: MemoryBudget, release: () => void) {
    super(budget);
    this.#data = data;
    this.#release = release;
  }

  get length(): number {
    return this.#data.byteLength;
  }

  async write(out: Writable): Promise<void> {
    for (let from = 0; from < this.#data.byteLength; from += LARGE_BUFFER) {
      await this.send(out, this.#data.subarray(from, from + LARGE_BUFFER));
    }
  }

  release(): void {
    this.#release();
  }
}
