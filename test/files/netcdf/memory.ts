/** Bytes in memory, as a file that is open. */
import { FileReader, type ReaderLimits } from "../../../src/files/netcdf/file-reader.js";

export const IDENTITY = { modified: "0", inode: "1", device: "1" };

export interface MemoryFile {
  readonly reader: FileReader;
  /** Pieces that were read: where, and how long. */
  readonly reads: (readonly [offset: number, length: number])[];
  isClosed(): boolean;
}

/** @param size the size that the file says it has, where that is not the bytes' */
export function memoryFile(
  bytes: Uint8Array,
  limits?: ReaderLimits,
  size = bytes.length,
): MemoryFile {
  const reads: [number, number][] = [];
  let isClosed = false;
  const reader = new FileReader(
    {
      identity: { ...IDENTITY, size },
      read: (target, offset) => {
        reads.push([offset, target.length]);
        const piece = bytes.subarray(offset, offset + target.length);
        target.set(piece);
        return piece.length;
      },
      close: () => {
        isClosed = true;
      },
    },
    limits,
  );
  return { reader, reads, isClosed: () => isClosed };
}

export const readerOf = (bytes: Uint8Array): FileReader => memoryFile(bytes).reader;
