import { elementCount } from "../../shape.js";

/** The kind of a dataset's chunk index (IV.A.2.i, appendix C). */
export type ChunkIndexKind =
  | {
      readonly kind: "b-tree-1" | "implicit" | "fixed-array" | "extensible-array" | "b-tree-2";
    }
  | { readonly kind: "single"; readonly size: number | undefined; readonly mask: number };

/** The chunks of a dataset as its layout message states them. */
export interface ChunkLayout {
  readonly address: number;
  readonly index: ChunkIndexKind;
  /** Elements of a chunk along each dimension. */
  readonly chunk: readonly number[];
  /** Bytes of an element. */
  readonly elementSize: number;
  /** Whether chunks that cross the edge are stored without filters. */
  readonly plainEdges: boolean;
}

/** The properties of a dataset that are needed to read its chunk index; plain data. */
export interface ChunkedStorage extends ChunkLayout {
  /** Stored lengths, before other variables extend unlimited dimensions. */
  readonly shape: readonly number[];
  /** Infinity if unlimited. */
  readonly maxShape: readonly number[];
  readonly filterCount: number;
  /** Occupied places other than chunks, as from `SpaceMap.finish`, for an index without checksums. */
  readonly taken?: readonly number[];
}

/** Bytes of a decoded chunk. */
export function chunkBytes({ chunk, elementSize }: ChunkedStorage): number {
  return elementCount(chunk) * elementSize;
}
