/** Copies the body of an answer to its target, with backpressure. */
import { printable } from "../terminal/printable.js";
import type { Write } from "./target.js";

const LINE_END = 0x0a;

export interface CopyOptions {
  /** Maximal number of lines. */
  readonly limit?: number | undefined;
  /** Escapes control characters for a terminal. */
  readonly isShown?: boolean;
}

/** @returns the number of lines, and whether the body was empty */
export async function copyLines(
  pieces: AsyncIterable<Uint8Array>,
  write: Write,
  { limit = Number.POSITIVE_INFINITY, isShown = false }: CopyOptions = {},
): Promise<{ readonly lines: number; readonly isEmpty: boolean }> {
  const decoder = new TextDecoder();
  let lines = 0;
  let isEmpty = true;
  for await (const piece of pieces) {
    const { taken, ends } = upTo(piece, limit - lines);
    lines += ends;
    if (taken.length > 0) {
      isEmpty = false;
      await write(isShown ? shown(decoder.decode(taken, { stream: true })) : taken);
    }
    // Leaving the loop cancels the transfer.
    if (lines >= limit) break;
  }
  return { lines, isEmpty };
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
