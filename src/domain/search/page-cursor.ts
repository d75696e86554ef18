/**
 * The cursor of a page: the path or name of the last item before it, in base64url. It reveals nothing that the holder has not
 * seen and has the same meaning in every search, so forging one gains nothing.
 */
import { isUtf8 } from "node:buffer";
import { invalidParameter } from "../errors.js";

export const encodeCursor = (text: string): string => Buffer.from(text).toString("base64url");

/** The text of a cursor; undefined for what encodeCursor did not write. */
export function textOfCursor(cursor: string): string | undefined {
  const bytes = Buffer.from(cursor, "base64url");
  return bytes.toString("base64url") === cursor && isUtf8(bytes) ? bytes.toString() : undefined;
}

/** @returns the path or name. @throws InvalidParameters for text that encodeCursor did not write */
export function decodeCursor(after: string): string {
  const text = textOfCursor(after);
  if (text) return text;
  throw invalidParameter("after", "must be the `after` value of the previous page");
}

/** Pages further back are refused: Solr would collect all values before them. */
const MAX_OFFSET = 1_000_000;

/**
 * @returns the number of items before the page
 * @throws InvalidParameters for text that encodeCursor did not write of a number, and for a number above MAX_OFFSET
 */
export function decodeOffset(after: string): number {
  const text = decodeCursor(after);
  if (!/^\d{1,7}$/.test(text)) {
    throw invalidParameter(
      "after",
      "must be the `after` value of the previous page in the same order",
    );
  }
  if (Number(text) <= MAX_OFFSET) return Number(text);
  throw invalidParameter(
    "after",
    "is behind more than 1,000,000 datasets, which only `sort=name` can list",
  );
}
