/** Reads instants and intervals in filters and in STAC's `datetime`. Source: RFC 3339; OGC 17-069r4, 7.15.3 (datetime). */
import { bounded, plusHint, readDate, Unreadable } from "../extent/period.js";
import type { Span } from "./expression.js";

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/i;
const DAY = /^\d{4}-\d\d-\d\d$/;

const spanOf = (text: string): Span => {
  const { start, end } = readDate(text.replace("t", "T"));
  return { from: start, to: end };
};

/** An instant of RFC 3339 in any case. */
export function readTimestamp(text: string): Span {
  if (!INSTANT.test(bounded(text))) {
    const reason = `is not a moment such as 1990-01-01T00:00:00Z${plusHint(text)}`;
    throw new Unreadable(`${JSON.stringify(text)} ${reason}`);
  }
  return spanOf(text);
}

/** A day, such as `1990-01-01`. */
export function readDay(text: string): Span {
  if (!DAY.test(bounded(text))) {
    throw new Unreadable(`${JSON.stringify(text)} is not a day such as 1990-01-01`);
  }
  return spanOf(text);
}

export const readInstant = (text: string): Span =>
  DAY.test(bounded(text)) ? readDay(text) : readTimestamp(text);

/** Open ends: before and after all instants. */
export const OPEN_START: Span = { from: -Infinity, to: -Infinity };
export const OPEN_END: Span = { from: Infinity, to: Infinity };

/**
 * An instant or `A/B`, with `..` or nothing for an open end.
 *
 * @param read reads the ends
 * @throws Unreadable, also if both ends are open or it ends before it starts
 */
export function readSpan(text: string, read = readInstant): readonly [Span, Span] {
  const ends = bounded(text).split("/");
  if (ends.length === 1) {
    const instant = read(text);
    return [instant, instant];
  }
  const isOpen = (end: string | undefined): boolean => end === "" || end === "..";
  if (ends.length > 2 || ends.every(isOpen)) {
    throw new Unreadable("must be a moment, A/B, A/.. or ../B");
  }
  const [from = "", to = ""] = ends;
  const start = isOpen(from) ? OPEN_START : read(from);
  const end = isOpen(to) ? OPEN_END : read(to);
  if (end.to < start.from) throw new Unreadable("ends before it starts");
  return [start, end];
}
