/** The service's log, on standard output, and its line for each request. */
import { write, writeSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { type Logger, pino } from "pino";
import { loggedPath } from "../contract/logged-path.js";
import { namesOf, type RequestObserver } from "../request-context.js";

/** Bytes of lines that wait for a slow reader; what comes after them is lost. */
const MAX_UNWRITTEN = 1 << 20;
/** Milliseconds before a reader who had no room is tried again. */
const PAUSE = 50;

/** Bytes that several processes can write into one pipe without a line of one in a line of another (POSIX, PIPE_BUF). */
const UNDIVIDED = 4096;

/** A log that neither ends nor delays the service when it cannot be written: then lines are lost. */
export function openLog(level: string): Logger {
  return pino({ level }, new LogSink(1));
}

/** The same for one of several processes that write to the same place; each line has the worker's number. */
export function openSharedLog(level: string, worker: number): Logger {
  return pino({ level }, new LogSink(1, UNDIVIDED)).child({ worker });
}

/** Writes a line, with its end, among those of a log that was opened here. @returns false where it is lost */
export function printBeside(logger: Logger, line: string): boolean {
  const sink: unknown = (logger as unknown as Record<symbol, unknown>)[pino.symbols.streamSym];
  return sink instanceof LogSink && sink.write(line);
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
  readonly #atOnce: number;

  /** @param atOnce bytes of one write, but that a line is never divided */
  constructor(descriptor: number, atOnce = Number.POSITIVE_INFINITY) {
    this.#descriptor = descriptor;
    this.#atOnce = atOnce;
    process.once("exit", () => this.#writeRest());
  }

  /** @returns false where it is lost */
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

  /** How many lines fit into one write; at least one. */
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
      while (this.#waiting.length > 0) writeSync(this.#descriptor, this.#take());
    } catch {
      // Nobody takes it.
    }
  }
}

/** Logs each request, without its query and without what is private in its path. */
export function requestLog(logger: Logger): RequestObserver {
  return {
    ended: (context) => {
      const { method, path, operation, status, bytes, milliseconds, isBroken } = context;
      logger.info(
        {
          ...namesOf(context),
          method,
          path: loggedPath(path),
          ...(operation !== undefined && { operation }),
          status,
          bytes,
          milliseconds,
          ...(isBroken && { isBroken }),
        },
        "request",
      );
    },
  };
}
