/**
 * Where a page of a list begins: behind a file, or a dataset, whose path or name stands in the text in base64url. It says no
 * more than what whoever has it was shown, and means the same in any search, so that a forged one harms nobody.
 */
import { isUtf8 } from "node:buffer";
import { invalidParameter } from "../errors.js";

export const afterText = (text: string): string => Buffer.from(text).toString("base64url");

/** @returns the path or name. @throws InvalidParameters for what afterText did not write */
export function readAfter(after: string): string {
  const bytes = Buffer.from(after, "base64url");
  if (bytes.length > 0 && bytes.toString("base64url") === after && isUtf8(bytes)) {
    return bytes.toString();
  }
  throw invalidParameter("after", "must be the `after` of the page before");
}
