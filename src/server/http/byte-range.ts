/** The part of a body that a request wants (RFC 9110, 14). */
import { RangeNotSatisfiable } from "../../files/errors.js";

interface RangeHeaders {
  readonly Range?: string | undefined;
  readonly "If-Range"?: string | undefined;
}

export interface BytePart {
  readonly from: number;
  readonly count: number;
}

/**
 * The part that a Range header requests; undefined for everything, also for several ranges, for an invalid header
 * (RFC 9110, 14.2), and for an If-Range that is not the current entity tag.
 *
 * @param tag the strong entity tag, with its quotes
 * @param length of the whole, in bytes
 * @throws RangeNotSatisfiable
 */
export function requestedPart(
  headers: RangeHeaders,
  tag: string,
  length: number,
): BytePart | undefined {
  const [, first = "", last = ""] = /^bytes=(\d*)-(\d*)$/i.exec(headers.Range?.trim() ?? "") ?? [];
  if (first === "" && last === "") return undefined;
  const condition = headers["If-Range"]?.trim();
  if (condition !== undefined && condition !== tag) return undefined;
  const from = first === "" ? Math.max(0, length - Number(last)) : Number(first);
  const end = first === "" || last === "" ? length - 1 : Math.min(Number(last), length - 1);
  // Positions may have any number of digits; different long ones could be equal as doubles.
  if (first !== "" && last !== "" && BigInt(last) < BigInt(first)) return undefined;
  if (from >= length || end < from) throw new RangeNotSatisfiable(length);
  return { from, count: end - from + 1 };
}
