/** Converts the values of details to the form in which the index stores them. */

import { readDate, solrDate, Unreadable } from "../extent/period.js";
import { DETAILS, type Detail } from "./details.js";

/** Number of hexadecimal digits, by algorithm. */
const DIGITS: Readonly<Record<string, number>> = {
  md5: 32,
  sha1: 40,
  sha224: 56,
  sha256: 64,
  sha384: 96,
  sha512: 128,
};

/** Timestamps that are already in Solr's form. */
const TIMESTAMP =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,3})?Z$/;

function size(value: unknown): number {
  const number =
    typeof value === "string" && /^ *\d{1,16} *$/.test(value) ? Number(value) : (value as number);
  if (Number.isSafeInteger(number) && number >= 0) return number;
  throw new Unreadable("must be a whole number of bytes");
}

function timestamp(value: unknown): string {
  if (typeof value !== "string") throw new Unreadable("must be an ISO 8601 date");
  if (TIMESTAMP.test(value)) return value;
  return solrDate(readDate(value).start).replace(/\.000Z$/, "Z");
}

function flag(value: unknown): boolean {
  const word = typeof value === "string" ? value.trim().toLowerCase() : value;
  if (word === true || word === "true") return true;
  if (word === false || word === "false") return false;
  throw new Unreadable("must be true or false");
}

function checksum(value: unknown): string {
  const text = typeof value === "string" ? value.trim().toLowerCase() : "";
  const [algorithm = "", digits = "", ...more] = text.split(":");
  if (more.length === 0 && DIGITS[algorithm] === digits.length && /^[0-9a-f]+$/.test(digits)) {
    return text;
  }
  throw new Unreadable(
    "must be an algorithm and its digits, such as sha256: and 64 hexadecimal digits",
  );
}

function words(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  throw new Unreadable("must be a text");
}

const OF_KIND = { text: words, bytes: size, timestamp, flag } as const;

/**
 * A value as the index stores it: sizes as numbers, flags as booleans, all others as text.
 *
 * @param value not empty
 */
export function detailValue(detail: Detail, value: unknown): string | number | boolean {
  return detail === "checksum" ? checksum(value) : OF_KIND[DETAILS[detail].kind](value);
}
