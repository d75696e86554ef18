import type { Writable } from "node:stream";
import { paceOf } from "../../../platform/output-pace.js";

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

export interface Pace {
  /** Others wait for this memory: send as fast as the client receives. */
  readonly isInHurry: boolean;
  /** Some bytes have left this process. */
  taken(): void;
}

/**
 * Writes bytes as fast as the client receives them and its quota allows.
 *
 * @throws the destination's error, also if it just closes
 */
export async function writtenAt(pace: Pace, out: Writable, bytes: Uint8Array): Promise<void> {
  const output = paceOf(out);
  let at = 0;
  if (output?.isSlow === true) {
    for (; at < bytes.byteLength && !pace.isInHurry; at += SLICE) {
      const slice = bytes.subarray(at, at + SLICE);
      const turn = output.passing(slice.byteLength);
      if (turn !== undefined) await turn;
      await written(out, slice);
      pace.taken();
    }
    if (at >= bytes.byteLength) return;
  }
  const rest = at === 0 ? bytes : bytes.subarray(at);
  void output?.passing(rest.byteLength);
  await written(out, rest);
  pace.taken();
}
