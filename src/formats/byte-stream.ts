/** How much text is gathered before it is sent on, in characters. */
const PIECE = 1 << 16;

/**
 * Text, in pieces as they come -> a stream of UTF-8 bytes.
 *
 * The reader sets the pace: nothing is asked of the source before it is wanted. An error of the
 * source becomes an error of the stream, which breaks the transfer off instead of ending it as if
 * it were whole; a reader that goes away ends the source.
 */
export function byteStream(texts: AsyncIterable<string>): ReadableStream<Uint8Array> {
  const source = texts[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        let gathered = "";
        while (gathered.length < PIECE) {
          const { done, value } = await source.next();
          if (done) {
            if (gathered !== "") controller.enqueue(encoder.encode(gathered));
            controller.close();
            return;
          }
          gathered += value;
        }
        controller.enqueue(encoder.encode(gathered));
      },
      async cancel() {
        await source.return?.();
      },
    },
    // No piece is made ahead of its reader.
    { highWaterMark: 0 },
  );
}
