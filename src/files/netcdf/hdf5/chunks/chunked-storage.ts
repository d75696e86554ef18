import { elementCount } from "../../shape.js";
import type { ChunkIndexKind } from "../messages.js";

/** The properties of a dataset that are needed to read its chunk index; plain data. */
export interface ChunkedStorage {
  readonly address: number;
  readonly index: ChunkIndexKind;
  /** Stored lengths, before other variables extend unlimited dimensions. */
  readonly shape: readonly number[];
  /** Infinity if unlimited. */
  readonly maxShape: readonly number[];
  readonly chunk: readonly number[];
  readonly elementSize: number;
  readonly filterCount: number;
  readonly plainEdges: boolean;
  /** Occupied places other than chunks, as from `SpaceMap.finish`, for an index without checksums. */
  readonly taken?: readonly number[];
}

/** Bytes of a decoded chunk. */
export function chunkBytes({ chunk, elementSize }: ChunkedStorage): number {
  return elementCount(chunk) * elementSize;
}
