import type { CapsuleChunk } from "./capsule.js";

/** Undoes the filters that are not undone here. */
export interface Hdf5Decoder {
  /** The decoded bytes of a chunk. @throws NotReadableFormat, DamagedFile */
  decode(chunk: CapsuleChunk): Uint8Array;
}
