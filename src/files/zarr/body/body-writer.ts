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

/** A body that is being sent, and holds memory meanwhile. */
export abstract class SentBody {
  /** Whether others wait for this memory: it is sent as fast as the client receives, without regard to quotas. */
  isUrgent = false;
  /** When the client last received something, by `performance.now()`. */
  since = performance.now();
}

/** Writes bytes as fast as the client receives them and its quota allows. @throws as `written` */
export async function writtenAt(body: SentBody, out: Writable, bytes: Uint8Array): Promise<void> {
  const output = paceOf(out);
  let at = 0;
  if (output?.isSlow === true) {
    for (; at < bytes.byteLength && !body.isUrgent; at += SLICE) {
      const slice = bytes.subarray(at, at + SLICE);
      const turn = output.passing(slice.byteLength);
      if (turn !== undefined) await turn;
      await written(out, slice);
      body.since = performance.now();
    }
    if (at >= bytes.byteLength) return;
  }
  const rest = at === 0 ? bytes : bytes.subarray(at);
  void output?.passing(rest.byteLength);
  await written(out, rest);
  body.since = performance.now();
}
