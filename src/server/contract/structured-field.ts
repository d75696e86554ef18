/** Structured header fields. Source: RFC 9651. */
import type { UnknownValue } from "../../domain/errors.js";

/** Maximal bytes of a header field, for common proxies. */
const MAX_HEADER = 2048;
/** Maximal characters of one text: encoded, a character takes up to nine bytes, and each value may have a near one. */
const MAX_TEXT = 80;

const PLAIN = /^[\x20-\x7e]*$/;

/** A text as a String (4.1.6), or as a Display String (4.1.11) if it is not plain ASCII. */
export function sfText(text: string): string {
  if (PLAIN.test(text)) return `"${text.replace(/["\\]/g, "\\$&")}"`;
  let bytes = "";
  for (const byte of Buffer.from(text)) {
    const isPlain = byte >= 0x20 && byte <= 0x7e && byte !== 0x25 && byte !== 0x22;
    bytes += isPlain ? String.fromCharCode(byte) : `%${byte.toString(16).padStart(2, "0")}`;
  }
  return `%"${bytes}"`;
}

/** A text shortened for a header, cut between characters. */
const short = (text: string): string =>
  text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT).replace(/[\uD800-\uDBFF]$/, "")}…`;

/**
 * The header `Unknown-Values`: a List of `key=value`, with the parameter `near` if there is a near value. An empty List has no
 * header (RFC 9651, 3.1).
 */
export function unknownValuesHeader(
  values: readonly UnknownValue[] | undefined,
): Readonly<Record<string, string>> {
  let header = "";
  for (const { name, value, near } of values ?? []) {
    const [nearest] = near;
    const parameter = nearest === undefined ? "" : `;near=${sfText(short(nearest))}`;
    const member = sfText(short(`${name}=${value}`)) + parameter;
    const longer = header === "" ? member : `${header}, ${member}`;
    if (longer.length > MAX_HEADER) break;
    header = longer;
  }
  return header === "" ? {} : { "Unknown-Values": header };
}
