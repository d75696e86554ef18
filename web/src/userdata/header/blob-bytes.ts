/** A file of the browser for the reader of NetCDF and HDF5. Reads slices, synchronously, in a worker. */
import type { FileBytes } from "../../../../src/files/netcdf/file-reader.js";

/** Exists in workers only, as it blocks. */
declare class FileReaderSync {
  readAsArrayBuffer(blob: Blob): ArrayBuffer;
}

export function blobBytes(file: File): FileBytes {
  const reader = new FileReaderSync();
  const modified = String(file.lastModified);
  return {
    identity: { size: file.size, modified, inode: file.name, device: "" },
    read: (target, offset) => {
      const piece = reader.readAsArrayBuffer(file.slice(offset, offset + target.byteLength));
      target.set(new Uint8Array(piece));
      return piece.byteLength;
    },
    close: () => {},
  };
}
