/** The time that a request may take, over all that is tried for it. */
import { setTimeout as sleep } from "node:timers/promises";
import { SolrTimeout, SolrUnavailable } from "../errors.js";

/** What can be broken off. */
interface Abortable {
  abort(): void;
}

/** A timer that breaks a request off, and can be wound up again while there is progress. */
export class Deadline {
  readonly #outer: AbortSignal | undefined;
  #timer: NodeJS.Timeout | undefined;
  #call: Abortable | undefined;
  #aborted = false;
  timedOut = false;
  #milliseconds: number;

  constructor(milliseconds: number, outer: AbortSignal | undefined) {
    this.#milliseconds = milliseconds;
    this.#outer = outer;
    if (outer?.aborted) this.abort();
    outer?.addEventListener("abort", this.abort, { once: true });
    this.wind();
  }

  /** Whether nothing more is to be tried. */
  get isOver(): boolean {
    return this.#aborted;
  }

  /** Binds what is broken off. */
  of(call: Abortable): void {
    this.#call = call;
    if (this.#aborted) call.abort();
  }

  wind(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.timedOut = true;
      this.abort();
    }, this.#milliseconds);
  }

  /** From now on it is so many milliseconds. */
  set(milliseconds: number): void {
    this.#milliseconds = milliseconds;
    this.wind();
  }

  /** Stops the clock, as while a slow reader makes us wait, not Solr. */
  rest(): void {
    clearTimeout(this.#timer);
  }

  /** Waits, while the clock goes on. @returns false where it is over before */
  async pause(milliseconds: number): Promise<boolean> {
    const waiting = new AbortController();
    this.of(waiting);
    await sleep(milliseconds, undefined, { signal: waiting.signal }).catch(() => {});
    return !this.#aborted;
  }

  end(): void {
    this.rest();
    this.#outer?.removeEventListener("abort", this.abort);
  }

  readonly abort = (): void => {
    this.#aborted = true;
    this.#call?.abort();
  };

  /** What a failed request means. */
  failure(cause: unknown): Error {
    if (!this.timedOut) return new SolrUnavailable("the connection failed", { cause });
    return new SolrTimeout(`no answer within ${this.#milliseconds} ms`, { cause });
  }
}
