/** Bodies made of pieces of text or bytes, which are read at the pace of the client. */
import { endUnread, PIECE, type Piece, writePieces } from "../../http/write-pieces.js";

/**
 * A body of pieces, text as UTF-8.
 *
 * An error of the source breaks the transfer off, so that it does not end as if complete. A reader that leaves ends the source.
 *
 * @param enough size that is gathered before the first piece is sent; 1 for slow sources
 */
export function pieceBody(pieces: AsyncIterable<Piece>, enough = PIECE) {
  const source = pieces[Symbol.asyncIterator]();
  return {
    length: undefined,
    writeTo: (out: Parameters<typeof writePieces>[1]) => writePieces(source, out, enough),
    abandon: () => void endUnread(source),
  };
}
