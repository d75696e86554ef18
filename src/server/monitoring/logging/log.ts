/** The service's log, on standard output, and its line for each request. */
import { write, writeSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { type Logger, pino } from "pino";
import { loggedPath } from "../../contract/logged-path.js";
import type { RequestObserver } from "../../http/request-context.js";

/** Maximal bytes of lines that wait for a slow reader; further lines are lost. */
const MAX_UNWRITTEN = 1 << 20;
/** Milliseconds before a write to a full pipe is repeated. */
const PAUSE = 50;
/** Milliseconds for which lines are collected: under load, a write for each would cost a tenth of all processor time. */
const COLLECT = 20;

const STDOUT = 1;
/** Bytes that a process can write into a shared pipe atomically (POSIX, PIPE_BUF). */
const UNDIVIDED = 4096;

/** Opens a log that never blocks or ends the service: lines that cannot be written are lost. */
export function openLog(level: string): Logger {
  return pino({ level }, new LogSink());
}

/** Opens the log of one of several processes with the same output; each line has the worker's number. */
export function openSharedLog(level: string, worker: number): Logger {
  return pino({ level }, new LogSink(UNDIVIDED)).child({ worker });
}

/** Writes a line, with its end, to the output of a log. @returns false if it is lost */
export function printBeside(logger: Logger, line: string): boolean {
  const sink: unknown = (logger as unknown as Record<symbol, unknown>)[pino.symbols.streamSym];
  return sink instanceof LogSink && sink.write(line);
}

/**
 * Writes lines to standard output in batches. pino's own sink retries for ever on a full disk, and then keeps the process
 * from ending.
 */
class LogSink {
  #waiting: string[] = [];
  #bytes = 0;
  #isWriting = false;

  readonly #atOnce: number;

  /** @param atOnce maximal bytes of one write; a longer line is written whole */
  constructor(atOnce = Number.POSITIVE_INFINITY) {
    this.#atOnce = atOnce;
    process.once("exit", () => this.#writeRest());
  }

  /** @returns false if the line is lost */
  write(line: string): boolean {
    if (this.#bytes > MAX_UNWRITTEN) return false;
    this.#waiting.push(line);
    this.#bytes += line.length;
    if (!this.#isWriting) void this.#writeAll();
    return true;
  }

  #take(): Buffer {
    const text = this.#waiting.splice(0, this.#fitting()).join("");
    this.#bytes -= text.length;
    return Buffer.from(text);
  }

  /** The number of lines for one write, at least one. */
  #fitting(): number {
    if (this.#atOnce === Number.POSITIVE_INFINITY) return this.#waiting.length;
    let bytes = 0;
    const end = this.#waiting.findIndex((line) => {
      bytes += Buffer.byteLength(line);
      return bytes > this.#atOnce;
    });
    return end < 0 ? this.#waiting.length : Math.max(1, end);
  }

  async #writeAll(): Promise<void> {
    this.#isWriting = true;
    while (this.#waiting.length > 0) {
      await sleep(COLLECT, undefined, { ref: false });
      let rest = this.#take();
      while (rest.length > 0) rest = rest.subarray(await this.#writeSome(rest));
    }
    this.#isWriting = false;
  }

  /** @returns number of bytes that are written or lost */
  async #writeSome(bytes: Buffer): Promise<number> {
    const outcome = await new Promise<number | NodeJS.ErrnoException>((resolve) => {
      write(STDOUT, bytes, (error, count) => resolve(error ?? count));
    });
    if (typeof outcome === "number") return outcome;
    if (outcome.code !== "EAGAIN") return bytes.length;
    await sleep(PAUSE, undefined, { ref: false });
    return 0;
  }

  #writeRest(): void {
    try {
      while (this.#waiting.length > 0) writeSync(STDOUT, this.#take());
    } catch {
      // The bytes are lost.
    }
  }
}

/** Logs each request, without its query and private parts of its path. */
export function requestLog(logger: Logger): RequestObserver {
  return {
    ended: ({ id, trace, method, path, operation, status, bytes, milliseconds, isBroken }) => {
      const line = { id, trace, method, path: loggedPath(path), operation, status, bytes };
      // pino leaves undefined values out.
      logger.info({ ...line, milliseconds, isBroken: isBroken || undefined }, "request");
    },
  };
}
