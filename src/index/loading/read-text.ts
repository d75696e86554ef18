/** Bytes -> text: unzips what is gzipped, and marks what is not UTF-8. */
import { isUtf8 } from "node:buffer";
import type { Readable } from "node:stream";
import { createGunzip } from "node:zlib";

const GZIP = [0x1f, 0x8b];

/** The gzipped data ends too early or is damaged; what came before it is good. */
export class DamagedGzip extends Error {
  constructor({ code, message }: NodeJS.ErrnoException) {
    super(
      code === "Z_BUF_ERROR"
        ? "the gzipped data is cut off"
        : `the gzipped data is damaged: ${message}`,
    );
  }
}

/** Pieces of bytes, unzipped where the first bytes say so. `onBytes` hears of each piece read. */
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
  // A pipe may give a single byte first. Not a loop that breaks: that would end the source.
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
 * Unzips piece by piece, and gives what could be unzipped before it throws: a stream's own iterator
 * drops what it holds when the stream fails.
 *
 * @throws DamagedGzip
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
  // A stream that fails forgets the callback of its last write.
  unzip.on("close", () => wake());
  const take = function* (): Generator<Buffer> {
    const taken = ready;
    ready = [];
    yield* taken;
    if (failure) throw new DamagedGzip(failure);
  };
  try {
    for await (const piece of slices(pieces)) {
      // The callback comes when all that the piece holds is unzipped.
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

/** Zipped bytes that are unzipped at once: a thousand times as many may come out. */
const ZIPPED = 1 << 14;

async function* slices(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, undefined> {
  for await (const piece of pieces) {
    for (let at = 0; at < piece.length; at += ZIPPED) yield piece.subarray(at, at + ZIPPED);
  }
}

/**
 * Stands for bytes that are not UTF-8. Half a surrogate pair: no text that is UTF-8 decodes to it,
 * whereas U+FFFD, which a decoder puts there, may be in the input itself.
 */
export const NOT_UTF8 = "\uDC80";

/**
 * A source's text in pieces, unzipped where it is gzipped. Bytes that are not UTF-8 become NOT_UTF8.
 *
 * @param onBytes hears how many bytes were read, before unzipping
 * @throws DamagedGzip, after all text that could be read
 */
export async function* readText(
  source: Readable,
  onBytes: (count: number) => void,
): AsyncGenerator<string, void, undefined> {
  let rest: Buffer = Buffer.alloc(0);
  // No character lies across two pieces, so that what is not UTF-8 is told apart from what is cut.
  for await (const piece of bytes(source, onBytes)) {
    const all = rest.length > 0 ? Buffer.concat([rest, piece]) : piece;
    const end = all.length - unfinished(all);
    rest = all.subarray(end);
    yield decode(all.subarray(0, end));
  }
  yield decode(rest);
}

/** How many bytes at the end begin a character whose other bytes are still to come. */
function unfinished(bytes: Buffer): number {
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
