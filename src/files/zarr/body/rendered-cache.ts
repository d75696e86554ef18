import { LRUCache } from "lru-cache";
import type { RenderedChunks } from "../file-dataset.js";
import type { MemoryBudget } from "./memory-budget.js";

interface Kept {
  readonly data: Uint8Array;
  readonly letGo: () => void;
}

/** The longest chunk that is kept, in bytes. */
const MAX_CHUNK = 4 << 20;

/** Rendered chunks that are kept for whoever asks next, as long as nobody needs their memory more. */
export class RenderedCache implements RenderedChunks {
  readonly #chunks: LRUCache<string, Kept>;
  readonly #budget: MemoryBudget;
  /** How often a chunk was there, and was not. */
  readonly kept = { hits: 0, misses: 0 };

  /** @param bytes of all that is kept */
  constructor(bytes: number, budget: MemoryBudget) {
    this.#budget = budget;
    this.#chunks = new LRUCache({
      maxSize: bytes,
      maxEntrySize: MAX_CHUNK,
      sizeCalculation: ({ data }) => Math.max(1, data.byteLength),
      dispose: ({ letGo }) => letGo(),
    });
    budget.onShort(() => this.#chunks.clear());
  }

  get(tag: string): Uint8Array | undefined {
    const kept = this.#chunks.get(tag);
    if (kept === undefined) this.kept.misses += 1;
    else this.kept.hits += 1;
    return kept?.data;
  }

  set(tag: string, data: Uint8Array): void {
    if (data.byteLength > MAX_CHUNK) return;
    this.#chunks.set(tag, { data, letGo: this.#budget.hold(data) });
  }
}
