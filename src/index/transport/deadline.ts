/** The deadline of a request, over all its attempts. */
import { setTimeout as sleep } from "node:timers/promises";
import { SolrTimeout, SolrUnavailable } from "../errors.js";

interface Abortable {
  abort(): void;
}

/** A timer that aborts a request, and can be restarted while there is progress. */
export class Deadline {
  readonly #outer: AbortSignal | undefined;
  #timer: NodeJS.Timeout | undefined;
  #call: Abortable | undefined;
  #aborted = false;
  #timedOut = false;
  #milliseconds: number;

  constructor(milliseconds: number, outer: AbortSignal | undefined) {
    this.#milliseconds = milliseconds;
    this.#outer = outer;
    if (outer?.aborted) this.abort();
    outer?.addEventListener("abort", this.abort, { once: true });
    this.restart();
  }

  /** Whether no further attempt is allowed. */
  get isOver(): boolean {
    return this.#aborted;
  }

  /** Sets the call to abort. */
  of(call: Abortable): void {
    this.#call = call;
    if (this.#aborted) call.abort();
  }

  restart(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#timedOut = true;
      this.abort();
    }, this.#milliseconds);
  }

  /** Changes the time limit and restarts the timer. */
  set(milliseconds: number): void {
    this.#milliseconds = milliseconds;
    this.restart();
  }

  /** Stops the timer, for example while a slow client delays the stream. */
  stop(): void {
    clearTimeout(this.#timer);
  }

  /** Waits without stopping the timer. @returns false if the deadline comes first */
  async pause(milliseconds: number): Promise<boolean> {
    const waiting = new AbortController();
    this.of(waiting);
    await sleep(milliseconds, undefined, { signal: waiting.signal }).catch(() => {});
    return !this.#aborted;
  }

  end(): void {
    this.stop();
    this.#outer?.removeEventListener("abort", this.abort);
  }

  readonly abort = (): void => {
    this.#aborted = true;
    this.#call?.abort();
  };

  /** The error of a failed request. */
  failure(cause: unknown): Error {
    if (!this.#timedOut) return new SolrUnavailable("the connection failed", { cause });
    return new SolrTimeout(`no answer within ${this.#milliseconds} ms`, { cause });
  }
}
