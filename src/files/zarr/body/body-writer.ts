import type { Writable } from "node:stream";
import { paceOf } from "../../../platform/output-pace.js";
import type { MemoryBudget } from "./memory-budget.js";

/** Bytes per write if the pace is limited. */
const SLICE = 1 << 16;

/** Resolves when the bytes have left this process. @throws the destination's error, also if it just closes */
function written(out: Writable, bytes: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    const onClose = (): void => reject(new Error("The client has gone."));
    out.once("close", onClose);
    out.write(bytes, (error) => {
      out.off("close", onClose);
      if (error) reject(error);
      else resolve();
    });
  });
}

/** A response body that holds memory until it is sent, or until the client disconnects. */
export abstract class SentBody {
  /** Whether others wait for this memory: it is sent as fast as the client receives, without regard to quotas. */
  isUrgent = false;
  /** When the client last received something, by `performance.now()`. */
  since = performance.now();
  #out: Writable | undefined;
  readonly #leave: () => void;

  /** @param budget of its memory */
  constructor(budget: MemoryBudget) {
    this.#leave = budget.sending(this);
  }

  abstract get length(): number;
  abstract write(out: Writable): Promise<void>;
  /** Gives the memory back, if it is still held. @param isUnused whether nothing uses it any more */
  abstract release(isUnused: boolean): void;

  /** Writes everything, but does not end the stream. */
  async writeTo(out: Writable): Promise<void> {
    this.#out = out;
    let isUnused = false;
    try {
      await this.write(out);
      isUnused = true;
    } finally {
      // A broken destination may still use the memory.
      this.#end(isUnused);
    }
  }

  /** Breaks the transfer off, because others wait for its memory. */
  abort(): void {
    this.#out?.destroy();
    this.#end(false);
  }

  /** Releases the memory of a body that nobody reads. */
  abandon(): void {
    this.#end(true);
  }

  #end(isUnused: boolean): void {
    this.#leave();
    this.release(isUnused);
  }

  /** Writes bytes as fast as the client receives them and its quota allows. @throws as `written` */
  async send(out: Writable, bytes: Uint8Array): Promise<void> {
    const output = paceOf(out);
    let at = 0;
    if (output?.isSlow === true) {
      for (; at < bytes.byteLength && !this.isUrgent; at += SLICE) {
        const slice = bytes.subarray(at, at + SLICE);
        const turn = output.passing(slice.byteLength);
        if (turn !== undefined) await turn;
        await written(out, slice);
        this.since = performance.now();
      }
      if (at >= bytes.byteLength) return;
    }
    const rest = at === 0 ? bytes : bytes.subarray(at);
    void output?.passing(rest.byteLength);
    await written(out, rest);
    this.since = performance.now();
  }
}
