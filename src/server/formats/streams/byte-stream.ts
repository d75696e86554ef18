/** How much is gathered before it is sent on, in characters or bytes. */
const PIECE = 1 << 16;

/**
 * Text or bytes, in pieces as they come -> a stream of bytes, text as UTF-8.
 *
 * The reader sets the pace: nothing is asked of the source before it is wanted. An error of the
 * source becomes an error of the stream, which breaks the transfer off instead of ending it as if
 * it were whole; a reader that goes away ends the source.
 *
 * @param enough what is gathered before the first is sent on; 1 for what takes its time
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
    // No piece is made ahead of its reader.
    { highWaterMark: 0 },
  );
}

function joined(pieces: readonly (string | Uint8Array)[]): Uint8Array {
  if (pieces.every((piece) => typeof piece === "string")) return Buffer.from(pieces.join(""));
  return Buffer.concat(
    pieces.map((piece) => (typeof piece === "string" ? Buffer.from(piece) : piece)),
  );
}
