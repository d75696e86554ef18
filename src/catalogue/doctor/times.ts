/**
 * Gaps and overlaps between the files of one stream: the same variable, member, grid ... of one version in one place.
 *
 * Only what holds whatever is unknown is told: a file whose calendar nobody has read may have any. What hangs on that is
 * counted as unknown.
 */

import type { Step } from "../../domain/extent/frequency-step.js";
import type { Calendar } from "../../files/cf/calendar.js";
import { CALENDARS, type Span, stepsBetween } from "./span.js";

/** A file with its time. */
export interface Timed {
  readonly file: string;
  readonly span: Span;
  /** Undefined where nobody has read it. */
  readonly calendar: Calendar | undefined;
}

/** Two files that are further from each other than a step, or have the same times. */
export interface Break {
  readonly kind: "gap" | "overlap";
  readonly before: Timed;
  readonly after: Timed;
  /** How many steps are missing, or there twice: at least, and at most. */
  readonly steps: readonly [least: number, most: number];
}

export interface Breaks {
  readonly breaks: readonly Break[];
  /** Files of which the calendar would tell whether a gap is before them. */
  readonly hangOnCalendar: readonly Timed[];
  /** Files that begin less than a step before another one ends. */
  readonly hangOnStep: readonly Timed[];
}

/** Rounding in fractions of a step. */
const SLACK = 1e-5;

/**
 * Files of different folders may be copies of each other, so that only those of one folder can overlap; what one
 * folder lacks, another may have, so that gaps are those of all of them together.
 */
export function findBreaks(files: readonly Timed[], step: Step): Breaks {
  const sorted = [...files].sort(
    (a, b) => a.span.start.order - b.span.start.order || a.span.end.order - b.span.end.order,
  );
  const breaks: Break[] = [];
  const hangOnCalendar: Timed[] = [];
  const hangOnStep: Timed[] = [];
  let reach: Timed | undefined;
  const reached = new Map<string, Timed>();
  for (const next of sorted) {
    if (reach !== undefined) {
      const { span } = reach;
      const steps = extremes(reach, next, (calendar) => missing(span, next.span, calendar, step));
      if (steps[0] > 0) breaks.push({ kind: "gap", before: reach, after: next, steps });
      else if (steps[1] > 0) hangOnCalendar.push(next);
    }
    const folder = folderOf(next.file);
    const mine = reached.get(folder);
    if (mine !== undefined) {
      const { span } = mine;
      const [least, most] = extremes(mine, next, (calendar) =>
        shared(span, next.span, calendar, step),
      );
      const steps = [Math.floor(least + SLACK), Math.floor(most + SLACK)] as const;
      if (steps[0] > 0) breaks.push({ kind: "overlap", before: mine, after: next, steps });
      else if (isTouching(span, next.span)) hangOnStep.push(next);
    }
    if (mine === undefined || mine.span.end.order <= next.span.end.order) reached.set(folder, next);
    if (reach === undefined || reach.span.end.order <= next.span.end.order) reach = next;
  }
  return { breaks, hangOnCalendar, hangOnStep };
}

/** Folders that are told apart by numbers alone, as those of years are, are parts of one. */
const folderOf = (file: string): string =>
  file.slice(0, file.lastIndexOf("/")).replace(/\/\d+(?=\/|$)/g, "/0");

/** Whether one begins before another one ends, or where its last time is. */
const isTouching = (a: Span, b: Span): boolean =>
  b.start.order < a.end.order || (!a.isClosed && b.start.order === a.end.order);

/** The least and the most over all calendars that two files may have. */
function extremes(
  before: Timed,
  after: Timed,
  count: (calendar: Calendar) => number,
): readonly [number, number] {
  const known = [before.calendar, after.calendar].filter((one) => one !== undefined);
  const counts = (known.length === 2 ? known : CALENDARS).map(count);
  return [Math.min(...counts), Math.max(...counts)];
}

/**
 * How many steps are missing between two files. After the end of the last time the next one begins at once; after a
 * last time itself, in a step. Times are not that regular, as of months: a step and a half is no step any more.
 */
function missing(a: Span, b: Span, calendar: Calendar, step: Step): number {
  if (b.start.order <= a.end.order) return 0;
  const steps = stepsBetween(a.end, b.start, calendar, step);
  if (a.isClosed) return Math.max(0, Math.floor(steps + SLACK));
  return steps >= 1.5 ? Math.round(steps) - 1 : 0;
}

/** How many steps two files have in common, of which the second begins later. */
function shared(a: Span, b: Span, calendar: Calendar, step: Step): number {
  const end = a.end.order < b.end.order ? a.end : b.end;
  return end.order <= b.start.order ? 0 : stepsBetween(b.start, end, calendar, step);
}
