/** A reading process, seen from the service. */
import type { ChildProcess } from "node:child_process";
import { readFileSync } from "node:fs";
import type { Readable, Writable } from "node:stream";
import { serialize } from "node:v8";
import type { Lease } from "../../../platform/concurrency/budget.js";
import type { MemoryBudget } from "../body/memory-budget.js";
import { FRAME, FRAME_HEAD, frameHead, MAX_HEAD, Unpacking } from "./frames.js";
import type { Answer, Order } from "./protocol.js";

export interface ReaderEvents {
  ready(): void;
  /** A decoder may take this many milliseconds from now; 0: it is done. */
  decoding(milliseconds: number): void;
  /** @param lease of the memory of a large answer */
  answer(answer: Answer, lease: Lease | undefined): void;
  /** The memory for its answer could not be booked. */
  noRoom(error: unknown): void;
  /** It has ended, or did not start. @param complaint the end of its standard error */
  end(complaint: string): void;
}

/** Answers below this many bytes are not booked: there are never many of them. */
const SMALL = 1 << 16;
/** Characters of a process's standard error that are kept. */
const MAX_COMPLAINT = 2000;

/** Bytes of a page of memory, the unit of /proc/PID/statm. */
const PAGE = 4096;

export class Reader {
  readonly #child: ChildProcess;
  #isOver = false;
  #complaint = "";
  /** Bytes of memory that it had when it was ready. */
  #rest = 0;
  readonly #budget: MemoryBudget;
  readonly #events: ReaderEvents;

  constructor(child: ChildProcess, budget: MemoryBudget, events: ReaderEvents) {
    this.#budget = budget;
    this.#events = events;
    this.#child = child;
    const end = (): void => {
      if (this.#isOver) return;
      this.kill();
      events.end(this.#complaint);
    };
    child.on("error", (error) => {
      this.#complaint += error.message;
      end();
    });
    child.on("exit", end);
    const [, , complaints, answers] = child.stdio ?? [];
    complaints?.on("data", (text: Buffer) => {
      this.#complaint = (this.#complaint + text.toString("latin1")).slice(-MAX_COMPLAINT);
    });
    // The end of a process is reported by its exit event.
    for (const stream of child.stdio ?? []) stream?.on("error", () => {});
    if (answers) this.#take(answers as Readable).catch(end);
    this.isReferenced = false;
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Whether it keeps the service running. */
  set isReferenced(value: boolean) {
    const streams = (this.#child.stdio ?? []) as unknown as { ref?(): void; unref?(): void }[];
    for (const each of [this.#child, ...streams]) {
      if (value) each?.ref?.();
      else each?.unref?.();
    }
  }

  order(order: Order): void {
    const body = serialize(order);
    const orders = this.#child.stdin as Writable;
    orders.write(frameHead(0, body.length));
    orders.write(body);
  }

  /** Bytes of memory gained since it was ready, wasm and buffers included; 0 if /proc does not tell. */
  get growth(): number {
    return Math.max(0, residentBytes(this.pid) - this.#rest);
  }

  /** Ends it at once, with the order that it works on. */
  kill(): void {
    this.#isOver = true;
    const { pid } = this.#child;
    try {
      // The whole process group: the shell that watches it, too.
      if (pid !== undefined) process.kill(-pid, "SIGKILL");
    } catch {
      // The group has ended already.
    }
    for (const stream of this.#child.stdio ?? []) stream?.destroy();
  }

  async #take(answers: Readable): Promise<void> {
    const bytes = new Incoming(answers);
    for (;;) {
      const head = await bytes.read(FRAME_HEAD);
      const length = head.readUInt32LE(1);
      const kind = head.readUInt8(0);
      if (kind === FRAME.ready) {
        this.#rest = residentBytes(this.pid);
        this.#events.ready();
      } else if (kind === FRAME.decoding) this.#events.decoding(length);
      else if (kind === FRAME.answer && length <= MAX_HEAD) await this.#answer(bytes, length);
      else throw new Error("a frame of no known kind");
    }
  }

  async #answer(bytes: Incoming, length: number): Promise<void> {
    try {
      // The head is in memory twice: as bytes, and deserialised.
      const headLease = length < SMALL ? undefined : await this.#budget.take(2 * length);
      const unpacking = new Unpacking(await bytes.read(length));
      headLease?.release();
      const total = unpacking.bytes + (length < SMALL ? 0 : length);
      const lease = total < SMALL ? undefined : await this.#budget.take(total);
      try {
        for (let part = unpacking.next(); part !== undefined; part = unpacking.next()) {
          await bytes.fill(part);
        }
        this.#events.answer(unpacking.answer(), lease);
      } catch (error) {
        lease?.release();
        throw error;
      }
    } catch (error) {
      if (!this.#isOver) this.#events.noRoom(error);
      throw error;
    }
  }
}

/** Resident memory of a process (proc(5), statm). */
function residentBytes(pid: number | undefined): number {
  try {
    const [, pages = "0"] = readFileSync(`/proc/${pid}/statm`, "latin1").split(" ");
    return Number(pages) * PAGE;
  } catch {
    return 0;
  }
}

/** Reads exact numbers of bytes from a stream. Other bytes stay with the sender. */
class Incoming {
  #target: Uint8Array | undefined;
  #done = 0;
  #settle: { resolve(): void; reject(error: Error): void } | undefined;
  #rest: Buffer | undefined;
  #failure: Error | undefined;
  readonly #stream: Readable;

  constructor(stream: Readable) {
    this.#stream = stream;
    stream.pause();
    stream.on("data", (piece: Buffer) => {
      this.#rest = this.#rest === undefined ? piece : Buffer.concat([this.#rest, piece]);
      this.#move();
    });
    stream.on("close", () => {
      this.#failure = new Error("the reading process has ended");
      this.#settle?.reject(this.#failure);
    });
  }

  async read(length: number): Promise<Buffer> {
    const bytes = Buffer.allocUnsafeSlow(length);
    await this.fill(bytes);
    return bytes;
  }

  /** Fills memory with the next bytes. */
  fill(target: Uint8Array): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#failure !== undefined) {
        reject(this.#failure);
        return;
      }
      this.#target = target;
      this.#done = 0;
      this.#settle = { resolve, reject };
      this.#move();
      if (this.#target !== undefined) this.#stream.resume();
    });
  }

  #move(): void {
    const target = this.#target;
    if (target === undefined) {
      this.#stream.pause();
      return;
    }
    const rest = this.#rest;
    if (rest !== undefined) {
      const count = Math.min(rest.length, target.length - this.#done);
      target.set(count === rest.length ? rest : rest.subarray(0, count), this.#done);
      this.#done += count;
      this.#rest = count === rest.length ? undefined : rest.subarray(count);
    }
    if (this.#done < target.length) return;
    this.#target = undefined;
    const settle = this.#settle;
    this.#settle = undefined;
    settle?.resolve();
  }
}
