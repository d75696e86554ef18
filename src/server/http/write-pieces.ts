/** Writes pieces of text or bytes into a connection, at the pace of the client or of its quota. */
import type { ServerResponse } from "node:http";
import type { Writable } from "node:stream";
import { setImmediate } from "node:timers/promises";
import { paceOf } from "../../platform/output-pace.js";

/** Text, which is sent as UTF-8, or bytes. */
export type Piece = string | Uint8Array;

/** Characters or bytes that are gathered before they are sent. */
export const PIECE = 1 << 16;

/** Reads pieces until they have a size. @returns no bytes if there are none; whether the source has ended */
async function gather(
  source: AsyncIterator<Piece, unknown>,
  enough: number,
): Promise<{ readonly bytes: Uint8Array | undefined; readonly isLast: boolean }> {
  const gathered: Piece[] = [];
  let size = 0;
  let isLast = false;
  while (size < enough && !isLast) {
    const { done, value } = await source.next();
    isLast = done === true;
    if (done || value.length === 0) continue;
    gathered.push(value);
    size += value.length;
  }
  return { bytes: size > 0 ? joined(gathered) : undefined, isLast };
}

function joined(pieces: readonly Piece[]): Uint8Array {
  if (pieces.every((piece) => typeof piece === "string")) return Buffer.from(pieces.join(""));
  const all = pieces.map((piece) => (typeof piece === "string" ? Buffer.from(piece) : piece));
  const [first = Buffer.alloc(0)] = all;
  return all.length === 1 ? first : Buffer.concat(all);
}

/**
 * Ends a source that nobody has read from. A generator that has not begun ignores `return`, and would leave open what it was
 * given, such as an export of Solr: so it takes one step first.
 */
export async function endUnread(source: AsyncIterator<unknown, unknown>): Promise<void> {
  // No client waits for these pieces, so an error is not reported.
  await source.next().catch(() => {});
  await source.return?.().catch(() => {});
}

/**
 * Writes everything, and ends the response. The headers go out at once, but together with the first bytes if those are there.
 *
 * @param first size that is gathered before the first bytes are sent, and before later ones
 * @throws the source's error; nothing if the client disconnects: the source is ended then
 */
export async function writePieces(
  source: AsyncIterator<Piece, unknown>,
  outgoing: Writable & Partial<Pick<ServerResponse, "flushHeaders">>,
  first: number,
  later = PIECE,
): Promise<void> {
  const leave = (): void => {
    source.return?.().catch(() => {});
  };
  if (outgoing.destroyed) return endUnread(source);
  outgoing.once("close", leave);
  const pace = paceOf(outgoing);
  try {
    let next = gather(source, first);
    // An answer that fails before its first piece is broken off behind its headers, like every other.
    const isThere = next.then(
      () => true,
      () => false,
    );
    if (!(await Promise.race([isThere, setImmediate(false)]))) outgoing.flushHeaders?.();
    for (;;) {
      const { bytes, isLast } = await next;
      const turn = bytes && pace?.passing(bytes.byteLength);
      if (turn !== undefined) await turn;
      if (outgoing.destroyed) return;
      // One write with what came before it in the same turn.
      if (isLast) {
        outgoing.end(bytes);
        return;
      }
      if (!outgoing.write(bytes)) await drained(outgoing);
      next = gather(source, later);
    }
  } finally {
    outgoing.off("close", leave);
  }
}

/** Resolves when the connection takes more, or has closed. */
function drained(outgoing: Writable): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      outgoing.off("drain", end).off("close", end);
      resolve();
    };
    outgoing.on("drain", end).on("close", end);
    if (outgoing.destroyed) end();
  });
}
