/** The body of an answer -> where it goes, piece by piece, as fast as that takes it. */
import { printable } from "../terminal/printable.js";
import type { Write } from "./target.js";

const LINE_END = 0x0a;

export interface CopyOptions {
  /** Lines after which it is enough. */
  readonly limit?: number | undefined;
  /** Whether a terminal gets it, which some characters would steer. */
  readonly isShown?: boolean;
}

/** @returns how many lines have come, and whether anything has */
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
    // Leaving the loop ends the transfer.
    if (lines >= limit) break;
  }
  return { lines, isEmpty };
}

const shown = (text: string): string =>
  text
    .split("\n")
    .map((line) => (line.endsWith("\r") ? `${printable(line.slice(0, -1))}\r` : printable(line)))
    .join("\n");

/** As much of a piece as holds so many ends of lines. */
function upTo(piece: Uint8Array, most: number): { taken: Uint8Array; ends: number } {
  let ends = 0;
  let at = piece.indexOf(LINE_END);
  while (at !== -1) {
    ends += 1;
    if (ends >= most) return { taken: piece.subarray(0, at + 1), ends };
    at = piece.indexOf(LINE_END, at + 1);
  }
  return { taken: piece, ends };
}
