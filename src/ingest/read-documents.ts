/**
 * Catalogue files -> documents: a JSON array or JSON Lines, also gzipped, also from standard input.
 */
import { createReadStream } from "node:fs";
import type { Readable } from "node:stream";
import { createGunzip } from "node:zlib";

/** One document's text and where it began. */
export interface DocumentText {
  readonly text: string;
  /** Line of the file, from 1. */
  readonly line: number;
}

/** A part of the input that is not JSON; the reader goes on behind it where that is possible. */
export interface Unreadable {
  readonly reason: string;
  readonly line: number;
}

export interface Input {
  /** What it is called in messages. */
  readonly name: string;
  open(): Readable;
}

/** A file, or standard input for `-`. */
export function inputOf(path: string): Input {
  if (path === "-") return { name: "standard input", open: () => process.stdin };
  return { name: path, open: () => createReadStream(path, { highWaterMark: 1 << 18 }) };
}

const GZIP = [0x1f, 0x8b];

/** Pieces of text, unzipped where the first bytes say so. `onBytes` hears of each piece read. */
async function* texts(
  source: Readable,
  onBytes: (count: number) => void,
): AsyncGenerator<string, void, undefined> {
  source.on("data", (piece: Buffer) => onBytes(piece.length)).pause();
  const iterator = source[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  const first = await iterator.next();
  if (first.done) return;
  const gzipped = GZIP.every((byte, index) => first.value[index] === byte);
  const all = (async function* () {
    yield first.value;
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) {
      yield next.value;
    }
  })();
  const decoder = new TextDecoder("utf-8");
  for await (const piece of gzipped ? gunzip(all) : all) {
    yield decoder.decode(piece, { stream: true });
  }
  yield decoder.decode();
}

async function* gunzip(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const { Readable: Source, pipeline } = await import("node:stream");
  const unzip = createGunzip();
  // The failure surfaces through the iteration; the callback is only there to own it.
  pipeline(Source.from(pieces), unzip, () => {});
  yield* unzip as AsyncIterable<Buffer>;
}

/**
 * The documents of an input, one by one.
 *
 * @param onBytes hears how many bytes were read, before unzipping
 */
export async function* readDocuments(
  input: Input,
  onBytes: (count: number) => void = () => {},
): AsyncGenerator<DocumentText | Unreadable, void, undefined> {
  const pieces = texts(input.open(), onBytes);
  let text = "";
  // Not a loop that breaks: leaving one would end the pieces that are still to come.
  for (let next = await pieces.next(); !next.done; next = await pieces.next()) {
    text += next.value;
    if (text.trim() !== "") break;
  }
  text = text.replace(/^\uFEFF/, "");
  if (text.trimStart().startsWith("[")) yield* elements(text, pieces);
  else yield* lines(text, pieces);
}

async function* lines(
  start: string,
  pieces: AsyncIterable<string>,
): AsyncGenerator<DocumentText, void, undefined> {
  let line = 0;
  let rest = "";
  const take = function* (piece: string): Generator<DocumentText> {
    const parts = (rest + piece).split("\n");
    rest = parts.pop() ?? "";
    for (const text of parts) {
      line += 1;
      if (text.trim() !== "") yield { text, line };
    }
  };
  yield* take(start);
  for await (const piece of pieces) yield* take(piece);
  yield* take("\n");
}

/** The elements of one JSON array: objects are told apart by their braces outside of strings. */
async function* elements(
  start: string,
  pieces: AsyncIterable<string>,
): AsyncGenerator<DocumentText | Unreadable, void, undefined> {
  let line = 1;
  let depth = 0;
  let began = 1;
  let inString = false;
  let escaped = false;
  let opened = false;
  let closed = false;
  let text = "";
  const take = function* (piece: string): Generator<DocumentText> {
    let from = depth > 0 ? 0 : -1;
    for (let i = 0; i < piece.length; i++) {
      const character = piece.charCodeAt(i);
      if (character === 10) line += 1;
      if (inString) {
        if (escaped) escaped = false;
        else if (character === 92) escaped = true;
        else if (character === 34) inString = false;
      } else if (character === 34) inString = true;
      else if (character === 123 && depth++ === 0) {
        from = i;
        began = line;
      } else if (character === 125 && --depth === 0) {
        yield { text: text + piece.slice(from, i + 1), line: began };
        text = "";
        from = -1;
      } else if (depth === 0 && character === 91) opened = true;
      else if (depth === 0 && character === 93) closed = true;
    }
    if (from >= 0) text += piece.slice(from);
  };
  yield* take(start);
  for await (const piece of pieces) yield* take(piece);
  if (!opened || !closed || depth !== 0) yield { reason: "the JSON array is cut off", line: began };
}
