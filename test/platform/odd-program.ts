/** A program of a WorkerPool that does what it is asked: answers, fails, ends, grows, or never returns. */
import { answerQuestions, heartbeat } from "../../src/platform/workers/worker-program.js";

export type OddQuestion =
  | { readonly kind: "echo"; readonly value: unknown }
  /** Sends heartbeats for this many milliseconds. */
  | { readonly kind: "work"; readonly milliseconds: number }
  | { readonly kind: "fail" | "exit" | "grow" | "loop" };

const held: Buffer[] = [];

answerQuestions((question: OddQuestion): unknown => {
  if (question.kind === "echo") return question.value;
  if (question.kind === "fail") throw Object.assign(new Error("no access"), { code: "EACCES" });
  if (question.kind === "exit") process.exit(3);
  const end = question.kind === "work" ? performance.now() + question.milliseconds : Infinity;
  while (performance.now() < end) {
    if (question.kind === "work") heartbeat();
    if (question.kind === "grow") held.push(Buffer.alloc(8 << 20, 1));
  }
  return "done";
});
