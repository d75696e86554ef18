import type { CapsuleChunk } from "./capsule.js";

/** Decodes chunks with filters that have no implementation here. */
export interface Hdf5Decoder {
  /** The decoded bytes of a chunk. @throws NotReadableFormat, DamagedFile */
  decode(chunk: CapsuleChunk): Uint8Array;
}
