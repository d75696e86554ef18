/** Copies the body of an answer to its target, with backpressure. */
import { printable } from "../terminal/printable.js";
import type { Write } from "./target.js";

const LINE_END = 0x0a;

interface CopyOptions {
  /** Maximal number of lines. */
  readonly limit?: number | undefined;
  /** Escapes control characters for a terminal. */
  readonly isShown?: boolean;
}

/** Bytes at the end of a Parquet file: the length of its footer, and a mark (Apache Parquet, "File Format"). */
const TRAILER = 8;

/** A body that was copied. */
interface Copied {
  readonly lines: number;
  readonly bytes: number;
  /** The last bytes, at most TRAILER. */
  readonly end: Buffer;
}

/** Whether a copied Parquet file has no rows: between the mark at its start and its footer is nothing. */
export function isEmptyParquet({ bytes, end }: Pick<Copied, "bytes" | "end">): boolean {
  const mark = 4;
  return end.length < TRAILER || bytes === mark + end.readUInt32LE(0) + TRAILER;
}

/** Copies up to the last line that is wanted. */
export async function copyLines(
  pieces: AsyncIterable<Uint8Array>,
  write: Write,
  { limit = Number.POSITIVE_INFINITY, isShown = false }: CopyOptions = {},
): Promise<Copied> {
  const decoder = new TextDecoder();
  let lines = 0;
  let bytes = 0;
  let end = Buffer.alloc(0);
  for await (const piece of pieces) {
    const { taken, ends } = upTo(piece, limit - lines);
    lines += ends;
    if (taken.length > 0) {
      bytes += taken.length;
      end = Buffer.concat([end, taken.subarray(-TRAILER)]).subarray(-TRAILER);
      await write(isShown ? shown(decoder.decode(taken, { stream: true })) : taken);
    }
    // Leaving the loop cancels the transfer.
    if (lines >= limit) break;
  }
  return { lines, bytes, end };
}

const shown = (text: string): string =>
  text
    .split("\n")
    .map((line) => (line.endsWith("\r") ? `${printable(line.slice(0, -1))}\r` : printable(line)))
    .join("\n");

/** The part of a piece up to its `maxEnds`-th line end. */
function upTo(piece: Uint8Array, maxEnds: number): { taken: Uint8Array; ends: number } {
  let ends = 0;
  let at = piece.indexOf(LINE_END);
  while (at !== -1) {
    ends += 1;
    if (ends >= maxEnds) return { taken: piece.subarray(0, at + 1), ends };
    at = piece.indexOf(LINE_END, at + 1);
  }
  return { taken: piece, ends };
}
