/** The worker of one dataset: fetches, decodes and unpacks off the main thread. */
import { DataSet } from "./data/data-set.js";
import { workerError } from "./data/failures.js";
import type { Answers, FromWorker, ToWorker, WorkerRequest } from "./data/messages.js";
import { Transport } from "./data/transport.js";

/** The global scope of a worker; the DOM types describe a window. */
const scope = globalThis as unknown as {
  onmessage: ((event: MessageEvent<ToWorker>) => void) | null;
  postMessage(message: FromWorker, transfer?: Transferable[]): void;
};

const pending = new Map<number, AbortController>();
let transport: Transport | undefined;
let dataSet: Promise<DataSet> | undefined;

async function answerTo(
  request: WorkerRequest,
  signal: AbortSignal,
): Promise<Answers[keyof Answers]> {
  if (request.kind === "open") {
    if (transport === undefined) throw new Error('"open" must be the first request');
    dataSet = DataSet.open(request.id, transport, signal);
    return (await dataSet).header;
  }
  const data = await dataSet;
  if (data === undefined) throw new Error("no dataset is open");
  const { path } = request;
  switch (request.kind) {
    case "axes":
      return data.axes(path, signal);
    case "geometry":
      return data.geometry(path, signal);
    case "field":
      return data.field(path, request.indexes, request.options, signal);
    case "series":
      return data.series(path, request.indexes, request.along, signal);
  }
}

/** Values of a slice are transferred; cached coordinates must be copied. */
function handedOver(answer: Answers[keyof Answers]): Transferable[] {
  if ("sorted" in answer) return [answer.values.buffer, answer.sorted.buffer];
  return [];
}

scope.onmessage = async ({ data: message }) => {
  if ("aborted" in message) {
    pending.get(message.aborted)?.abort();
    return;
  }
  const { number, request, token } = message;
  if (request.kind === "open") transport = new Transport(request.base);
  if (transport !== undefined) transport.token = token;
  const stop = new AbortController();
  pending.set(number, stop);
  try {
    const answer = await answerTo(request, stop.signal);
    scope.postMessage({ number, answer }, handedOver(answer));
  } catch (error) {
    scope.postMessage({ number, failing: workerError(error) });
  } finally {
    pending.delete(number);
  }
};
