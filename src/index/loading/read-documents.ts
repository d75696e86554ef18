/** Reads documents from catalogue files: a JSON array or JSON Lines, optionally gzipped, also from standard input. */
import { createReadStream } from "node:fs";
import type { Readable } from "node:stream";
import { DamagedGzip, NOT_UTF8, readText } from "./read-text.js";

/** One document's text and the line where it begins. */
export interface DocumentText {
  readonly text: string;
  /** Line of the file, from 1. */
  readonly line: number;
}

/** A part of the input that cannot be read. Reading continues after it if possible. */
export interface Unreadable {
  readonly reason: string;
  readonly line: number;
}

export interface Input {
  /** The name in messages. */
  readonly name: string;
  open(): Readable;
}

/** A file, or standard input for `-`. */
export function inputOf(path: string): Input {
  if (path === "-") return { name: "standard input", open: () => process.stdin };
  return { name: path, open: () => createReadStream(path, { highWaterMark: 1 << 18 }) };
}

/**
 * The documents of an input, one by one.
 *
 * @param onBytes called with the number of bytes read, before unzipping
 */
export async function* readDocuments(
  input: Input,
  onBytes: (count: number) => void = () => {},
): AsyncGenerator<DocumentText | Unreadable, void, undefined> {
  const pieces = readText(input.open(), onBytes);
  const scan = { line: 1 };
  try {
    let text = "";
    // No loop with `break`: that would close the iterator of the remaining text.
    let blank = 0;
    for (let next = await pieces.next(); !next.done; next = await pieces.next()) {
      text = next.value;
      if (/[^\s\uFEFF]/.test(text)) break;
      // Blank text only advances the line number.
      const lines = text.split("\n");
      scan.line += lines.length - 1;
      blank = (lines.length > 1 ? 0 : blank) + (lines.at(-1)?.length ?? 0);
      requireShort(blank);
      text = "";
    }
    text = text.replace(/^\uFEFF/, "");
    const documents = /^[ \t\r\n]*\[/.test(text)
      ? elements(text, pieces, scan)
      : lines(text, pieces, scan);
    for await (const { text, line } of documents) {
      if (text.includes(NOT_UTF8)) yield { reason: "not UTF-8", line };
      else yield { text, line };
    }
  } catch (error) {
    if (!(error instanceof DamagedGzip || error instanceof Malformed)) throw error;
    yield { reason: error.message, line: scan.line };
  }
}

/** Reading position. */
interface Scan {
  line: number;
}

/** Characters of one document; the largest known have some thousands. */
const MAX_CHARACTERS = 16 * 1024 * 1024;

/** @throws Malformed for text longer than a document: a few zipped bytes can expand without end */
function requireShort(length: number): void {
  if (length <= MAX_CHARACTERS) return;
  throw new Malformed(
    `a document has more than ${MAX_CHARACTERS.toLocaleString("en")} characters; nothing from here on was read`,
  );
}

async function* lines(
  start: string,
  pieces: AsyncIterable<string>,
  scan: Scan,
): AsyncGenerator<DocumentText, void, undefined> {
  /** Pieces of the unfinished line, joined once: a long line comes in many pieces. */
  let rest: string[] = [];
  let length = 0;
  const take = function* (piece: string): Generator<DocumentText> {
    length += piece.length;
    if (!piece.includes("\n")) {
      requireShort(length);
      rest.push(piece);
      return;
    }
    const parts = (rest.join("") + piece).split("\n");
    const last = parts.pop() ?? "";
    rest = [last];
    length = last.length;
    for (const text of parts) {
      requireShort(text.length);
      if (text.trim() !== "") yield { text, line: scan.line };
      scan.line += 1;
    }
  };
  yield* take(start);
  for await (const piece of pieces) yield* take(piece);
  yield* take("\n");
}

/** The rest of the input is no list of documents. */
class Malformed extends Error {}

const [QUOTE, BACKSLASH, COMMA, NEWLINE] = [34, 92, 44, 10];
const [OPEN_BRACKET, CLOSE_BRACKET, OPEN_BRACE, CLOSE_BRACE] = [91, 93, 123, 125];

/** The elements of one JSON array, split at the commas outside of elements and strings. The loader parses them. */
async function* elements(
  start: string,
  pieces: AsyncIterable<string>,
  scan: Scan,
): AsyncGenerator<DocumentText, void, undefined> {
  /** Open brackets and braces, including the array's own. */
  let depth = 0;
  let inString = false;
  let escaped = false;
  let closed = false;
  let first = true;
  /** The current element and the line where it begins; 0 while there is only white space. */
  let text = "";
  let began = 0;
  const element = (): DocumentText => {
    const found = { text, line: began || scan.line };
    text = "";
    began = 0;
    first = false;
    return found;
  };
  const take = function* (piece: string): Generator<DocumentText> {
    let from = 0;
    for (let i = 0; i < piece.length; i++) {
      const character = piece.charCodeAt(i);
      if (character === NEWLINE) scan.line += 1;
      if (inString) {
        if (escaped) escaped = false;
        else if (character === BACKSLASH) escaped = true;
        else if (character === QUOTE) inString = false;
        continue;
      }
      if (character <= 32) continue;
      if (closed)
        throw new Malformed("something follows the JSON array; nothing from here on was read");
      if (depth === 0) {
        depth = 1;
        from = i + 1;
      } else if (depth === 1 && (character === COMMA || character === CLOSE_BRACKET)) {
        text += piece.slice(from, i);
        from = i + 1;
        closed = character === CLOSE_BRACKET;
        if (!closed || !first || began > 0) yield element();
      } else {
        began ||= scan.line;
        if (character === QUOTE) inString = true;
        else if (character === OPEN_BRACKET || character === OPEN_BRACE) depth += 1;
        // A surplus bracket stays in the element, which then fails as JSON. The next elements are still read.
        else if ((character === CLOSE_BRACKET || character === CLOSE_BRACE) && depth > 1)
          depth -= 1;
      }
    }
    if (depth > 0 && !closed) text += piece.slice(from);
    if (text.length > MAX_CHARACTERS) scan.line = began || scan.line;
    requireShort(text.length);
  };
  yield* take(start);
  for await (const piece of pieces) yield* take(piece);
  if (!closed) {
    scan.line = began || scan.line;
    throw new Malformed("the JSON array is cut off");
  }
}
