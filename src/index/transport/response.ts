/** An answer of Solr as it arrives: its status, its entity tag, and its pieces, which wait here for their reader. */
import type { Dispatcher } from "undici";
import { AnswerTooLong } from "../errors.js";

/** Bytes that may wait here before the connection is paused. */
const MAX_WAITING = 1 << 16;

const ETAG = "etag";
const LAST_MODIFIED = "last-modified";

const isCalled = (header: Buffer | undefined, name: string): boolean =>
  header?.length === name.length && header.toString("latin1").toLowerCase() === name;

export class Answer implements Dispatcher.DispatchHandlers {
  status = 0;
  etag: string | undefined;
  lastModified: string | undefined;
  /** Resolves when the headers have arrived. Rejects if the request fails before. */
  readonly opened: Promise<void>;
  #open: () => void = () => {};
  #refuse: (error: Error) => void = () => {};
  #wake: () => void = () => {};
  #abort: (() => void) | undefined;
  #resume: (() => void) | undefined;
  #pieces: Buffer[] = [];
  #waiting = 0;
  #isPaused = false;
  #isWhole = false;
  #error: Error | undefined;
  readonly #isPaced: boolean;

  /** @param isPaced whether Solr waits for the reader; otherwise the answer is buffered as it arrives */
  constructor(isPaced: boolean) {
    this.#isPaced = isPaced;
    this.opened = new Promise((resolve, reject) => {
      this.#open = resolve;
      this.#refuse = reject;
    });
    // A caller that only reads the text gets the error there.
    this.opened.catch(() => {});
  }

  /** Whether a part of the request may have reached Solr, because there was a connection. */
  get isSent(): boolean {
    return this.#abort !== undefined;
  }

  /** Whether the connection is paused until the reader continues. */
  get isPaused(): boolean {
    return this.#isPaused;
  }

  get isSuccess(): boolean {
    return this.status >= 200 && this.status < 300;
  }

  /** Breaks the transfer off. Does nothing after its end. */
  abort(): void {
    if (this.#isWhole || this.#error !== undefined) return;
    this.onError(new Error("the request was aborted"));
    this.#abort?.();
  }

  /**
   * The whole answer.
   *
   * @param maxBytes the largest answer that is read
   * @throws AnswerTooLong; the error of the transfer, also if it only ended early
   */
  async text(maxBytes = Infinity): Promise<string> {
    while (!this.#isWhole && this.#error === undefined && this.#waiting <= maxBytes) {
      await this.#more();
    }
    if (this.#waiting > maxBytes) throw new AnswerTooLong();
    if (this.#error !== undefined) throw this.#error;
    const [first, ...rest] = this.#take();
    return (rest.length > 0 ? Buffer.concat([first as Buffer, ...rest]) : first)?.toString() ?? "";
  }

  /** Waits for the next piece, the end or the error. */
  #more(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
      this.#goOn();
    });
  }

  /** The answer piece by piece, at the pace of the reader. */
  async *pieces(): AsyncGenerator<Buffer, void, undefined> {
    for (;;) {
      for (const piece of this.#take()) yield piece;
      if (this.#pieces.length > 0) continue;
      if (this.#error !== undefined) throw this.#error;
      if (this.#isWhole) return;
      await this.#more();
    }
  }

  #take(): readonly Buffer[] {
    const pieces = this.#pieces;
    this.#pieces = [];
    this.#waiting = 0;
    return pieces;
  }

  #goOn(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    this.#resume?.();
  }

  onConnect(abort: () => void): void {
    this.#abort = abort;
    if (this.#error !== undefined) abort();
  }

  onHeaders(status: number, headers: Buffer[], resume: () => void): boolean {
    // Informational responses precede the final one (RFC 9110, section 15.2).
    if (status < 200) return true;
    this.status = status;
    this.#resume = resume;
    for (let i = 0; i < headers.length; i += 2) {
      const value = headers[i + 1];
      if (isCalled(headers[i], ETAG)) this.etag = value?.toString("latin1");
      if (isCalled(headers[i], LAST_MODIFIED)) this.lastModified = value?.toString("latin1");
    }
    this.#open();
    return true;
  }

  onData(piece: Buffer): boolean {
    this.#pieces.push(piece);
    this.#waiting += piece.length;
    this.#isPaused = this.#isPaced && this.#waiting >= MAX_WAITING;
    this.#wake();
    return !this.#isPaused;
  }

  onComplete(): void {
    this.#isWhole = true;
    this.#wake();
  }

  onError(error: Error): void {
    if (this.#error !== undefined || this.#isWhole) return;
    this.#error = error;
    this.#refuse(error);
    this.#wake();
  }
}
