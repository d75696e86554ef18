import { elementCount } from "../../shape.js";
import type { ChunkIndexKind } from "../messages.js";

/** What must be known of a dataset to read its chunk index; plain data. */
export interface ChunkedStorage {
  readonly address: number;
  readonly index: ChunkIndexKind;
  /** Lengths that are stored: not those of dimensions that other variables made longer. */
  readonly shape: readonly number[];
  /** Infinity where unlimited. */
  readonly maxShape: readonly number[];
  readonly chunk: readonly number[];
  readonly elementSize: number;
  readonly filterCount: number;
  readonly plainEdges: boolean;
  /** Places of the file that are not chunks', as `SpaceMap.finish` gives them, for an index without checksums. */
  readonly taken?: readonly number[];
}

/** Bytes of a chunk, decoded. */
export function chunkBytes({ chunk, elementSize }: ChunkedStorage): number {
  return elementCount(chunk) * elementSize;
}
