import { LRUCache } from "lru-cache";
import { SingleFlight } from "../../../platform/concurrency/single-flight.js";
import type { MemoryBudget } from "./memory-budget.js";

interface Kept {
  readonly data: Uint8Array;
  readonly release: () => void;
}

const MAX_CHUNK = 4 << 20;

/** A cache of rendered chunks and slices. It gives up its memory if others need it. */
export class RenderedCache {
  readonly #chunks: LRUCache<string, Kept>;
  readonly #makes = new SingleFlight<Uint8Array>();
  readonly lookups = { hits: 0, misses: 0 };

  constructor(
    bytes: number,
    readonly budget: MemoryBudget,
  ) {
    this.#chunks = new LRUCache({
      maxSize: bytes,
      maxEntrySize: MAX_CHUNK,
      sizeCalculation: ({ data }) => Math.max(1, data.byteLength),
      dispose: ({ release }) => release(),
    });
    budget.onShort(() => this.#chunks.clear());
  }

  /** The bytes of a tag, made once for all that wait for them. @param make, signal as SingleFlight.join */
  async made(
    tag: string,
    make: (stop?: AbortSignal) => Promise<Uint8Array>,
    signal?: AbortSignal,
  ): Promise<Uint8Array> {
    const cached = this.#chunks.get(tag);
    if (cached !== undefined) {
      this.lookups.hits += 1;
      return cached.data;
    }
    this.lookups.misses += 1;
    const work = async (stop: AbortSignal | undefined): Promise<Uint8Array> => {
      const data = await make(stop);
      if (data.byteLength <= MAX_CHUNK)
        this.#chunks.set(tag, { data, release: this.budget.hold(data) });
      return data;
    };
    return this.#makes.join(work, tag, signal);
  }
}
