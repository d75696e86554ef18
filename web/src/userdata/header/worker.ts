/** Reads the header of a file in a worker, since reading blocks. */
import { blobBytes } from "./blob-bytes.js";
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
