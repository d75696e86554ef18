/**
 * The reading process: takes one order at a time, and answers it.
 *
 * Orders come from descriptor 0, answers go to descriptor 3. The process ends with its orders, also if the service is gone.
 * Reading and writing block: between orders there is nothing else to do.
 */
import { readSync, writeSync } from "node:fs";
import { deserialize } from "node:v8";
import { asReadingError, isDenied } from "../../netcdf/errors.js";
import { portable } from "../errors.js";
import { FRAME, FRAME_HEAD, frameHead, packed } from "./frames.js";
import { isDecoding, run } from "./operations.js";
import type { Answer, Order } from "./protocol.js";

const ORDERS = 0;
const ANSWERS = 3;

function write(...parts: Uint8Array[]): void {
  for (const part of parts) {
    for (let done = 0; done < part.length; ) done += writeSync(ANSWERS, part, done);
  }
}

/** The next bytes of the orders; undefined at their end. */
function read(length: number): Buffer | undefined {
  const bytes = Buffer.allocUnsafeSlow(length);
  for (let done = 0; done < length; ) {
    const count = readSync(ORDERS, bytes, done, length - done, null);
    if (count === 0) return undefined;
    done += count;
  }
  return bytes;
}

function nextOrder(): Order | undefined {
  const head = read(FRAME_HEAD);
  const body = head && read(head.readUInt32LE(1));
  return body && (deserialize(body) as Order);
}

const decoding = (milliseconds: number): void => write(frameHead(FRAME.decoding, milliseconds));

async function answerTo({ task, time }: Order): Promise<Answer> {
  try {
    return { ok: true, result: await run(task, { time }, decoding) };
  } catch (thrown) {
    const error = portable(asReadingError(thrown));
    return { ok: false, error, isSpoiled: isDecoding(task) || isDenied(thrown) };
  }
}

/** Bytes of an answer for which garbage is collected first: the service is about to hold a copy. */
const LARGE = 16 << 20;

write(frameHead(FRAME.ready, 0));
for (let order = nextOrder(); order !== undefined; order = nextOrder()) {
  const [head = new Uint8Array(0), ...buffers] = packed(await answerTo(order));
  if (buffers.some(({ length }) => length > LARGE)) globalThis.gc?.();
  write(frameHead(FRAME.answer, head.length), head, ...buffers);
}
