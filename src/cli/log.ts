/** The service's log, on standard output. */
import { write, writeSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { type Logger, pino } from "pino";

/** Bytes of lines that wait for a slow reader; what comes after them is lost. */
const MAX_UNWRITTEN = 1 << 20;
/** Milliseconds before a reader who had no room is tried again. */
const PAUSE = 50;

/** A log that neither ends nor delays the service when it cannot be written: then lines are lost. */
export function openLog(level: string): Logger {
  return pino({ level }, new LogSink(1));
}

/**
 * Lines to a descriptor, as many at once as have come meanwhile. pino's own sink would try for ever to write what
 * a full disk does not take, at last without letting the process end.
 */
class LogSink {
  #waiting: string[] = [];
  #bytes = 0;
  #isWriting = false;

  readonly #descriptor: number;

  constructor(descriptor: number) {
    this.#descriptor = descriptor;
    process.once("exit", () => this.#writeRest());
  }

  write(line: string): void {
    if (this.#bytes > MAX_UNWRITTEN) return;
    this.#waiting.push(line);
    this.#bytes += line.length;
    if (!this.#isWriting) void this.#writeAll();
  }

  #take(): Buffer {
    const all = Buffer.from(this.#waiting.join(""));
    this.#waiting = [];
    this.#bytes = 0;
    return all;
  }

  async #writeAll(): Promise<void> {
    this.#isWriting = true;
    while (this.#waiting.length > 0) {
      let rest = this.#take();
      while (rest.length > 0) rest = rest.subarray(await this.#writeSome(rest));
    }
    this.#isWriting = false;
  }

  /** @returns how many bytes are done with, written or lost */
  async #writeSome(bytes: Buffer): Promise<number> {
    const outcome = await new Promise<number | NodeJS.ErrnoException>((resolve) => {
      write(this.#descriptor, bytes, (error, count) => resolve(error ?? count));
    });
    if (typeof outcome === "number") return outcome;
    if (outcome.code !== "EAGAIN") return bytes.length;
    await sleep(PAUSE, undefined, { ref: false });
    return 0;
  }

  #writeRest(): void {
    try {
      writeSync(this.#descriptor, this.#take());
    } catch {
      // Nobody takes it.
    }
  }
}
