/** Decodes bytes to text: unzips gzip, and marks bytes that are not UTF-8. */
import { isUtf8 } from "node:buffer";
import type { Readable } from "node:stream";
import { createGunzip } from "node:zlib";

const GZIP = [0x1f, 0x8b];

/** The gzipped data is truncated or damaged. The text before it is good. */
export class DamagedGzip extends Error {
  constructor({ code, message }: NodeJS.ErrnoException) {
    super(
      code === "Z_BUF_ERROR"
        ? "the gzipped data is cut off"
        : `the gzipped data is damaged: ${message}`,
    );
  }
}

/** The source's bytes, unzipped if they begin with gzip's magic number. `onBytes` gets the size of each piece read. */
async function* bytes(
  source: Readable,
  onBytes: (count: number) => void,
): AsyncGenerator<Buffer, void, undefined> {
  const pieces = (async function* () {
    for await (const piece of source as AsyncIterable<Buffer>) {
      onBytes(piece.length);
      yield piece;
    }
  })();
  let start: Buffer = Buffer.alloc(0);
  // A pipe may deliver a single byte first. No loop with `break`: that would end the source.
  while (start.length < GZIP.length) {
    const next = await pieces.next();
    if (next.done) break;
    start = Buffer.concat([start, next.value]);
  }
  const all = (async function* () {
    yield start;
    yield* pieces;
  })();
  yield* GZIP.every((byte, index) => start[index] === byte) ? gunzip(all) : all;
}

/**
 * Unzips piece by piece, and yields everything before the damage. The iterator of a stream would drop its buffer on an
 * error.
 */
async function* gunzip(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, undefined> {
  const unzip = createGunzip();
  let ready: Buffer[] = [];
  let failure: Error | undefined;
  let wake = (): void => {};
  unzip.on("data", (piece: Buffer) => ready.push(piece));
  unzip.on("error", (error) => {
    failure ??= error;
  });
  // A failed stream never calls the callback of its last write.
  unzip.on("close", () => wake());
  const take = function* (): Generator<Buffer> {
    const taken = ready;
    ready = [];
    yield* taken;
    if (failure) throw new DamagedGzip(failure);
  };
  try {
    for await (const piece of slices(pieces)) {
      // The callback is called when all of the piece is unzipped.
      await new Promise<void>((resolve) => {
        wake = resolve;
        unzip.write(piece, () => resolve());
      });
      yield* take();
    }
    await new Promise<void>((resolve) => {
      wake = resolve;
      unzip.end();
    });
    yield* take();
  } finally {
    unzip.destroy();
  }
}

/** Zipped bytes unzipped at once: they can expand a thousandfold. */
const ZIPPED_PIECE = 1 << 14;

async function* slices(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, undefined> {
  for await (const piece of pieces) {
    for (let at = 0; at < piece.length; at += ZIPPED_PIECE)
      yield piece.subarray(at, at + ZIPPED_PIECE);
  }
}

/**
 * Replaces bytes that are not UTF-8. Half a surrogate pair cannot come from valid UTF-8, whereas U+FFFD, which decoders
 * use, may be in the input.
 */
export const NOT_UTF8 = "\uDC80";

/**
 * The text of a source in pieces, unzipped if it is gzipped. Bytes that are not UTF-8 become NOT_UTF8.
 *
 * @param onBytes called with the number of bytes read, before unzipping
 * @throws DamagedGzip after all text that could be read
 */
export async function* readText(
  source: Readable,
  onBytes: (count: number) => void,
): AsyncGenerator<string, void, undefined> {
  let rest: Buffer = Buffer.alloc(0);
  // No piece ends inside a character, so invalid bytes are not confused with split characters.
  for await (const piece of bytes(source, onBytes)) {
    const all = rest.length > 0 ? Buffer.concat([rest, piece]) : piece;
    const end = all.length - incompleteBytes(all);
    rest = all.subarray(end);
    yield decode(all.subarray(0, end));
  }
  yield decode(rest);
}

/** Number of bytes at the end that begin an incomplete character. */
function incompleteBytes(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return back < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) ? back : 0;
  }
  return 0;
}

function decode(bytes: Buffer): string {
  const text = bytes.toString("utf8");
  if (!text.includes("\uFFFD") || isUtf8(bytes)) return text;
  const parts: string[] = [];
  const own = Buffer.from("\uFFFD");
  for (let from = 0; from <= bytes.length; ) {
    const at = bytes.indexOf(own, from);
    const part = bytes.subarray(from, at < 0 ? bytes.length : at).toString("utf8");
    parts.push(part.replaceAll("\uFFFD", NOT_UTF8));
    from = at < 0 ? bytes.length + 1 : at + own.length;
  }
  return parts.join("\uFFFD");
}
