/** A process as a worker: questions and answers in frames through pipes. */
import type { ChildProcess } from "node:child_process";
import { readFileSync } from "node:fs";
import type { Readable } from "node:stream";
import type { Budget, Lease } from "../concurrency/budget.js";
import { frame, HEAD, lengthsOf, unframed } from "./frames.js";
import type { RunningWorker, WorkerEvents } from "./start-worker.js";
import type { WorkerMessage } from "./worker-program.js";

/** Messages below this many bytes are not booked: there are never many of them. */
const SMALL = 1 << 16;
/** Milliseconds that a booking waits for memory. */
const BOOKING_MS = 5000;
/** Characters of a process's standard error that are kept. */
const MAX_COMPLAINT = 2000;
/** Bytes of a page of memory, the unit of /proc/PID/statm. */
const PAGE = 4096;

/**
 * @param child leads a process group. Its descriptors: 0 takes questions, 3 gives answers, and 2 may be a pipe for complaints
 * @param budget books large answers before they are read
 */
export function childWorker(
  child: ChildProcess,
  events: WorkerEvents,
  budget: Budget | undefined,
): RunningWorker {
  // A process that cannot be started may have no streams at all.
  const streams = (child.stdio ?? []).filter((stream) => stream !== null && stream !== undefined);
  let isOver = false;
  let complaint = "";
  let memoryAtRest: number | undefined;

  const end = (reason: string): void => {
    if (isOver) return;
    isOver = true;
    try {
      // The whole process group: a shell that watches it, too.
      if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
    } catch {
      // The group has ended already.
    }
    for (const stream of streams) stream.destroy();
    events.exit(complaint || reason);
  };
  child.on("error", ({ message }) => end(message));
  child.on("exit", (code, signal) => end(`the process ended with ${signal ?? code}`));
  child.stderr?.on("data", (text: Buffer) => {
    complaint = (complaint + text.toString("latin1")).slice(-MAX_COMPLAINT);
  });
  child.unref();
  for (const stream of streams) {
    // The end of a process is reported by its exit event.
    stream.on("error", () => {});
    (stream as { unref?(): void }).unref?.();
  }
  const answers = child.stdio?.[3] as Readable | null | undefined;
  if (answers) {
    receive(answers, budget, {
      message: (message, lease) => {
        memoryAtRest ??= residentBytes(child.pid);
        events.message(message, lease);
      },
      broken: (cause) => {
        if (!isOver) events.broken(cause);
      },
    });
  }
  return {
    // In one call: each write may wake the process.
    send: (question) => child.stdin?.write(Buffer.concat(frame({ question }))),
    terminate: () => end("the process was ended"),
    get growth() {
      if (memoryAtRest === undefined) return 0;
      return Math.max(0, residentBytes(child.pid) - memoryAtRest);
    },
  };
}

/**
 * Passes on the messages in a stream, each with the lease of its memory if it is large. Other bytes stay with the sender.
 *
 * It listens to `data`: `for await` costs a third more processor time for a chunk of 2 MB.
 */
function receive(
  stream: Readable,
  budget: Budget | undefined,
  events: Omit<WorkerEvents, "exit">,
): void {
  const head = Buffer.alloc(HEAD);
  let parts: readonly Buffer[] = [head];
  let at = 0;
  let filled = 0;
  let lease: Lease | undefined;

  const begin = (lengths: readonly number[]): void => {
    parts = [head, ...lengths.map((length) => Buffer.allocUnsafeSlow(length))];
  };
  const book = async (total: number, lengths: readonly number[], next: Buffer): Promise<void> => {
    stream.pause();
    lease = await budget?.take(total, BOOKING_MS);
    if (stream.destroyed) lease?.release();
    else {
      begin(lengths);
      take(next);
      stream.resume();
    }
  };
  /** Fills the parts of a frame with the next bytes. */
  const take = (piece: Buffer): void => {
    for (let from = 0; from < piece.length; ) {
      const part = parts[at] as Buffer;
      const count = piece.copy(part, filled, from);
      from += count;
      filled += count;
      if (filled < part.length) continue;
      filled = 0;
      at += 1;
      const [, bytes, rest] = parts;
      if (bytes === undefined || rest === undefined) {
        const lengths = lengthsOf(head);
        // The rest is in memory twice: as it came, and deserialised.
        const total = lengths[0] + 2 * lengths[1];
        if (total >= SMALL) {
          book(total, lengths, piece.subarray(from)).catch(events.broken);
          return;
        }
        begin(lengths);
      } else if (at === parts.length) {
        const received = lease;
        lease = undefined;
        parts = [head];
        at = 0;
        try {
          events.message(unframed(bytes, rest) as WorkerMessage, received);
        } catch (cause) {
          received?.release();
          throw cause;
        }
      }
    }
  };
  stream.on("data", (piece: Buffer) => {
    try {
      take(piece);
    } catch (cause) {
      events.broken(cause);
    }
  });
  stream.on("close", () => lease?.release());
}

/** Resident memory of a process (proc(5), statm), wasm and buffers included; 0 if /proc does not tell. */
function residentBytes(pid: number | undefined): number {
  try {
    const [, pages = "0"] = readFileSync(`/proc/${pid}/statm`, "latin1").split(" ");
    return Number(pages) * PAGE;
  } catch {
    return 0;
  }
}
