/** Answers each size with so many bytes, as a reading process answers with a decoded chunk; 0: its processor time. */
import { answerQuestions } from "../src/platform/workers/worker-program.js";

const chunks = new Map<number, Uint8Array>();

answerQuestions((size: number) => {
  if (size === 0) return process.cpuUsage();
  const chunk = chunks.get(size) ?? new Uint8Array(size).fill(7);
  chunks.set(size, chunk);
  return chunk;
});
