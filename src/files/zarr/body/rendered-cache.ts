import { LRUCache } from "lru-cache";
import type { MemoryBudget } from "./memory-budget.js";

export interface RenderedChunks {
  get(tag: string): Uint8Array | undefined;
  set(tag: string, data: Uint8Array): void;
}

export interface MadeChunks extends RenderedChunks {
  /** As MemoryBudget.making. */
  readonly making: MemoryBudget["making"];
}

interface Kept {
  readonly data: Uint8Array;
  readonly release: () => void;
}

const MAX_CHUNK = 4 << 20;

/** A cache of rendered chunks. It gives up its memory if others need it. */
export class RenderedCache implements MadeChunks {
  readonly #chunks: LRUCache<string, Kept>;
  readonly #budget: MemoryBudget;
  readonly lookups = { hits: 0, misses: 0 };

  constructor(bytes: number, budget: MemoryBudget) {
    this.#budget = budget;
    this.#chunks = new LRUCache({
      maxSize: bytes,
      maxEntrySize: MAX_CHUNK,
      sizeCalculation: ({ data }) => Math.max(1, data.byteLength),
      dispose: ({ release }) => release(),
    });
    budget.onShort(() => this.#chunks.clear());
  }

  get(tag: string): Uint8Array | undefined {
    const cached = this.#chunks.get(tag);
    if (cached === undefined) this.lookups.misses += 1;
    else this.lookups.hits += 1;
    return cached?.data;
  }

  set(tag: string, data: Uint8Array): void {
    if (data.byteLength > MAX_CHUNK) return;
    this.#chunks.set(tag, { data, release: this.#budget.hold(data) });
  }

  readonly making: MemoryBudget["making"] = (...chunk) => this.#budget.making(...chunk);
}
