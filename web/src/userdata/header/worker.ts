/** Reads the header of a file in a worker, since reading blocks. */
import type { FileBytes } from "../../../../src/files/netcdf/file-reader.js";
import { type FileFacts, fileFacts } from "./file-facts.js";

export type HeaderAnswer = { readonly facts: FileFacts } | { readonly reason: string };

addEventListener("message", async ({ data }: MessageEvent<File>) => {
  let answer: HeaderAnswer;
  try {
    answer = { facts: await fileFacts(blobBytes(data)) };
  } catch (error) {
    answer = { reason: error instanceof Error ? error.message : String(error) };
  }
  postMessage(answer);
});

/** Exists in workers only, as it blocks. */
declare class FileReaderSync {
  readAsArrayBuffer(blob: Blob): ArrayBuffer;
}

function blobBytes(file: File): FileBytes {
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
