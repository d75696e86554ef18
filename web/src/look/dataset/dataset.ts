/** Opens datasets for the page. Each has its own worker. */
import { PREFIX } from "../../../../generated/prefix.js";
import { root } from "../../address/address.js";
import { lost, reached } from "../../service/connection.js";
import { type Problem, Refused, Unreachable } from "../../service/problem.js";
import { accessToken } from "../../service/session.js";
import { UnreadableData, type WorkerError } from "../data/failures.js";
import type { Answers, FromWorker, ToWorker, WorkerRequest } from "../data/messages.js";
import type { OpenDataset } from "../data/types.js";

export { UnreadableData } from "../data/failures.js";

interface Waiting {
  readonly resolve: (answer: Answers[keyof Answers]) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Opens a dataset by its identifier, as the signed-in user.
 *
 * @param token called before each request, as tokens are renewed
 * @throws Refused, Unreachable, UnreadableData; AbortError
 */
export async function openDataset(
  id: string,
  signal?: AbortSignal,
  token: () => Promise<string | undefined> = accessToken,
): Promise<OpenDataset> {
  const reader = new Reader(token);
  const base = new URL(`${root.replace(/\/$/, "")}${PREFIX}/`, location.href).href;
  try {
    const header = await reader.ask({ kind: "open", id: encodeURIComponent(id), base }, signal);
    const slides = { field: new LatestOnly(), series: new LatestOnly() };
    return {
      header: { ...header, id },
      axes: (path, stop) => reader.ask({ kind: "axes", path }, stop),
      geometry: (path, stop) => reader.ask({ kind: "geometry", path }, stop),
      field: (path, indexes, options = {}, stop) =>
        reader.ask({ kind: "field", path, indexes, options }, slides.field.next(stop)),
      series: (path, indexes, along, stop) =>
        reader.ask({ kind: "series", path, indexes, along }, slides.series.next(stop)),
      close: () => reader.close(),
    };
  } catch (error) {
    reader.close();
    throw error;
  }
}

/** Runs one request at a time: a new one aborts the one before. */
class LatestOnly {
  #last: AbortController | undefined;

  next(signal: AbortSignal | undefined): AbortSignal {
    this.#last?.abort();
    this.#last = new AbortController();
    const { signal: own } = this.#last;
    return signal === undefined ? own : anyOf(signal, own);
  }
}

/** AbortSignal.any, which some supported browsers lack. */
function anyOf(...signals: readonly AbortSignal[]): AbortSignal {
  const stop = new AbortController();
  for (const signal of signals) {
    if (signal.aborted) stop.abort();
    signal.addEventListener("abort", () => stop.abort(), { once: true });
  }
  return stop.signal;
}

const aborted = (): DOMException => new DOMException("The request was aborted.", "AbortError");

class Reader {
  readonly #worker = new Worker(new URL(WORKER_FILES.look ?? "", import.meta.url), {
    type: "module",
  });
  readonly #waiting = new Map<number, Waiting>();
  #number = 0;
  readonly #token: () => Promise<string | undefined>;

  constructor(token: () => Promise<string | undefined>) {
    this.#token = token;
    this.#worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
      const waiting = this.#waiting.get(data.number);
      if (!("failing" in data)) reached();
      if ("failing" in data) waiting?.reject(errorOf(data.failing));
      else waiting?.resolve(data.answer);
    };
    this.#worker.onerror = (event) => {
      event.preventDefault();
      this.#failAll(new Unreachable(event.message));
    };
  }

  async ask<Q extends WorkerRequest>(
    request: Q,
    signal?: AbortSignal,
  ): Promise<Answers[Q["kind"]]> {
    const token = await this.#token();
    if (signal?.aborted) throw aborted();
    this.#number += 1;
    const number = this.#number;
    const stop = (): void => {
      this.#send({ aborted: number });
      this.#waiting.get(number)?.reject(aborted());
    };
    signal?.addEventListener("abort", stop);
    try {
      // The worker's answer has the type that `kind` names.
      return (await new Promise<Answers[keyof Answers]>((resolve, reject) => {
        this.#waiting.set(number, { resolve, reject });
        this.#send({ number, request, token });
      })) as Answers[Q["kind"]];
    } finally {
      signal?.removeEventListener("abort", stop);
      this.#waiting.delete(number);
    }
  }

  #send(message: ToWorker): void {
    this.#worker.postMessage(message);
  }

  #failAll(error: Error): void {
    for (const { reject } of this.#waiting.values()) reject(error);
  }

  close(): void {
    this.#worker.terminate();
    this.#failAll(aborted());
  }
}

function errorOf(failing: WorkerError): Error {
  switch (failing.kind) {
    case "refused": {
      reached();
      const { status, problem, retryAfter } = failing;
      const details = typeof problem === "object" && problem !== null ? problem : {};
      const wait = Number.isFinite(retryAfter) ? retryAfter : undefined;
      return new Refused(status, details as Partial<Problem>, wait);
    }
    case "unreachable":
      lost();
      return new Unreachable(failing);
    case "unreadable":
      return new UnreadableData(failing.message);
    case "aborted":
      return aborted();
  }
}
