/** Characters or bytes that are gathered before they are sent. */
const PIECE = 1 << 16;

/**
 * Converts pieces of text or bytes into a stream of bytes, text as UTF-8.
 *
 * The reader sets the pace: the source is read on demand. An error of the source becomes an error of the stream, so that
 * the transfer is broken off and not ended as if complete. A reader that leaves ends the source.
 *
 * @param enough size that is gathered before the first piece is sent; 1 for slow sources
 */
export function byteStream(
  pieces: AsyncIterable<string | Uint8Array>,
  enough = PIECE,
): ReadableStream<Uint8Array> {
  const source = pieces[Symbol.asyncIterator]();
  let wanted = enough;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const gathered: (string | Uint8Array)[] = [];
        let size = 0;
        let ended = false;
        while (size < wanted && !ended) {
          const { done, value } = await source.next();
          ended = done === true;
          if (done) continue;
          gathered.push(value);
          size += value.length;
        }
        wanted = PIECE;
        if (size > 0) controller.enqueue(joined(gathered));
        if (ended) controller.close();
      },
      async cancel() {
        await source.return?.();
      },
    },
    // Nothing is read ahead of the reader.
    { highWaterMark: 0 },
  );
}

function joined(pieces: readonly (string | Uint8Array)[]): Uint8Array {
  if (pieces.every((piece) => typeof piece === "string")) return Buffer.from(pieces.join(""));
  return Buffer.concat(
    pieces.map((piece) => (typeof piece === "string" ? Buffer.from(piece) : piece)),
  );
}
