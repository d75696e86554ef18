import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { paceOf } from "../../platform/output-pace.js";

/**
 * Writes a stream into a connection, at the pace of the client or of its quota. The caller ends the connection.
 *
 * @throws the stream's error; nothing if the client disconnects: the stream is cancelled then
 */
export async function writeStream(
  stream: ReadableStream<Uint8Array>,
  outgoing: ServerResponse,
): Promise<void> {
  const reader = stream.getReader();
  const leave = (): void => {
    reader.cancel().catch(() => {});
  };
  if (outgoing.destroyed) return leave();
  outgoing.once("close", leave);
  const pace = paceOf(outgoing);
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const turn = pace?.passing(value.byteLength);
      if (turn !== undefined) await turn;
      if (!outgoing.write(value)) await drained(outgoing);
    }
  } finally {
    outgoing.off("close", leave);
  }
}

/** Resolves when the connection takes more, or has closed. */
async function drained(outgoing: ServerResponse): Promise<void> {
  if (outgoing.destroyed) return;
  const end = new AbortController();
  const { signal } = end;
  await Promise.race([
    once(outgoing, "drain", { signal }),
    once(outgoing, "close", { signal }),
  ]).catch(() => {});
  end.abort();
}
