import type { DecodedChunk } from "../../../../src/files/zarr/slice/zarr-array.js";

/** Bytes of decoded chunks that are kept: a slider that comes back, or another level of the same chunk, asks for nothing. */
const MAX_BYTES = 64 << 20;

/** Decoded chunks, those last asked for, in a bounded number of bytes. */
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
