import type { DecodedChunk } from "../../../../src/files/zarr/slice/zarr-array.js";

/** Bytes of decoded chunks to keep, so that moving a slider back needs no request. */
const MAX_BYTES = 64 << 20;

/** Least recently used decoded chunks, bounded by bytes. */
export class ChunkCache {
  readonly #chunks = new Map<string, DecodedChunk>();
  #bytes = 0;

  get(key: string): DecodedChunk | undefined {
    const chunk = this.#chunks.get(key);
    if (chunk === undefined) return undefined;
    this.#chunks.delete(key);
    this.#chunks.set(key, chunk);
    return chunk;
  }

  set(key: string, chunk: DecodedChunk): void {
    if (chunk.bytes > MAX_BYTES / 4 || this.#chunks.has(key)) return;
    this.#chunks.set(key, chunk);
    this.#bytes += chunk.bytes;
    for (const [oldest, { bytes }] of this.#chunks) {
      if (this.#bytes <= MAX_BYTES) return;
      this.#chunks.delete(oldest);
      this.#bytes -= bytes;
    }
  }
}
