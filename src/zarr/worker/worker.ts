/** The reading thread: takes one order at a time, and answers it. */
import { parentPort } from "node:worker_threads";
import { asReadingError } from "../errors.js";
import { answerStore, isStoreTask } from "../store-orders.js";
import { indexFile, needsDecoder, Renderer, readTable } from "./operations.js";
import type { Answer, Order, Results, Task } from "./protocol.js";

const renderer = new Renderer();

async function run(task: Task, time: number): Promise<Results[keyof Results]> {
  const limits = { time };
  if (isStoreTask(task)) return answerStore(task);
  if (task.kind === "index") return indexFile(task.path, limits, task.identity);
  if (task.kind === "table") return readTable(task.path, task.identity, task.variable, limits);
  const { path, identity, plan, place } = task;
  const bytes = await renderer.render(path, identity, plan, place, limits);
  // Only a buffer of its own can be handed over without a copy; a Buffer's own `slice` would be none.
  return bytes.byteLength === bytes.buffer.byteLength ? bytes : new Uint8Array(bytes);
}

function buffersOf(result: Results[keyof Results]): ArrayBuffer[] {
  const arrays =
    result instanceof Uint8Array
      ? [result]
      : typeof result === "object" && "offsets" in result
        ? [result.ids, result.offsets, result.sizes, result.masks]
        : [];
  return arrays.flatMap((array) => (array?.buffer instanceof ArrayBuffer ? [array.buffer] : []));
}

parentPort?.on("message", async ({ task, time }: Order) => {
  let answer: Answer;
  try {
    answer = { ok: true, result: await run(task, time) };
    // A table is kept by the renderer only when it read it itself; this one may be given away.
    parentPort?.postMessage(answer, buffersOf(answer.result));
  } catch (thrown) {
    const { kind, message } = asReadingError(thrown);
    const isSpoiled = task.kind === "render" && needsDecoder(task.plan);
    answer = { ok: false, error: { kind, message }, isSpoiled };
    parentPort?.postMessage(answer);
  }
});
