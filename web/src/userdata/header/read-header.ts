import { words } from "../../words/userdata.js";
import type { FileFacts } from "./file-facts.js";
import type { HeaderAnswer } from "./worker.js";

/** Milliseconds. */
const PATIENCE = 30_000;

/** Reads the header of a file in the browser; nothing is sent. @throws Error with a sentence for the user */
export function readHeader(file: File): Promise<FileFacts> {
  const worker = new Worker(new URL(WORKER_FILES.header ?? "", import.meta.url), {
    type: "module",
  });
  return new Promise<FileFacts>((resolve, reject) => {
    const fail = (reason: string): void => reject(new Error(words.notRead(file.name, reason)));
    setTimeout(() => fail(words.tooSlow), PATIENCE);
    worker.onerror = () => fail(words.fault);
    worker.onmessage = ({ data }: MessageEvent<HeaderAnswer>) => {
      if ("facts" in data) resolve(data.facts);
      else fail(data.reason);
    };
    worker.postMessage(file);
  }).finally(() => worker.terminate());
}
