/**
 * Finds gaps and overlaps between the files of one stream: the same variable, member, grid ... of one version in one
 * place.
 *
 * Reports only what holds under every possible calendar, if a file's calendar is unknown. The rest is counted as
 * unknown.
 */

import type { Step } from "../../domain/extent/frequency-step.js";
import type { Calendar } from "../../files/cf/calendar.js";
import { CALENDARS, type Span, stepsBetween } from "./span.js";

export interface Timed {
  readonly file: string;
  readonly span: Span;
  /** Undefined if the header was not read. */
  readonly calendar: Calendar | undefined;
}

/** Two files that are more than a step apart, or that share times. */
export interface Break {
  readonly kind: "gap" | "overlap";
  readonly before: Timed;
  readonly after: Timed;
  /** Minimum and maximum number of missing or shared steps. */
  readonly steps: readonly [min: number, max: number];
}

interface Breaks {
  readonly breaks: readonly Break[];
  /** Files whose calendar decides whether there is a gap before them. */
  readonly needsCalendar: readonly Timed[];
  /** Files that begin less than a step before another one ends. */
  readonly needsStep: readonly Timed[];
}

/** Tolerance for rounding, in steps. */
const SLACK = 1e-5;

/**
 * Overlaps are sought within a folder, because files of different folders may be copies. Gaps are sought across all
 * folders, because one may have what another lacks.
 */
export function findBreaks(files: readonly Timed[], step: Step): Breaks {
  const sorted = [...files].sort(
    (a, b) => a.span.start.order - b.span.start.order || a.span.end.order - b.span.end.order,
  );
  const breaks: Break[] = [];
  const needsCalendar: Timed[] = [];
  const needsStep: Timed[] = [];
  let reach: Timed | undefined;
  const reached = new Map<string, Timed>();
  for (const next of sorted) {
    if (reach !== undefined) {
      const { span } = reach;
      const steps = rangeOverCalendars(reach, next, (calendar) =>
        missingSteps(span, next.span, calendar, step),
      );
      if (steps[0] > 0) breaks.push({ kind: "gap", before: reach, after: next, steps });
      else if (steps[1] > 0) needsCalendar.push(next);
    }
    const folder = folderOf(next.file);
    const mine = reached.get(folder);
    if (mine !== undefined) {
      const { span } = mine;
      const [min, max] = rangeOverCalendars(mine, next, (calendar) =>
        sharedSteps(span, next.span, calendar, step),
      );
      const steps = [Math.floor(min + SLACK), Math.floor(max + SLACK)] as const;
      if (steps[0] > 0) breaks.push({ kind: "overlap", before: mine, after: next, steps });
      else if (isTouching(span, next.span)) needsStep.push(next);
    }
    if (mine === undefined || mine.span.end.order <= next.span.end.order) reached.set(folder, next);
    if (reach === undefined || reach.span.end.order <= next.span.end.order) reach = next;
  }
  return { breaks, needsCalendar, needsStep };
}

/** The folder with its numbers replaced: folders that differ only by numbers, such as years, count as one. */
const folderOf = (file: string): string =>
  file.slice(0, file.lastIndexOf("/")).replace(/\/\d+(?=\/|$)/g, "/0");

/** Whether `b` begins before `a` ends, or at its last time. */
const isTouching = (a: Span, b: Span): boolean =>
  b.start.order < a.end.order || (!a.isClosed && b.start.order === a.end.order);

/** Minimum and maximum over all calendars that the two files may have. */
function rangeOverCalendars(
  before: Timed,
  after: Timed,
  count: (calendar: Calendar) => number,
): readonly [number, number] {
  const known = [before.calendar, after.calendar].filter((one) => one !== undefined);
  const counts = (known.length === 2 ? known : CALENDARS).map(count);
  return [Math.min(...counts), Math.max(...counts)];
}

/**
 * Number of steps missing between two files. A closed span continues at its end, another one a step later. Distances
 * vary (months), so a gap needs at least one and a half steps.
 */
function missingSteps(a: Span, b: Span, calendar: Calendar, step: Step): number {
  if (b.start.order <= a.end.order) return 0;
  const steps = stepsBetween(a.end, b.start, calendar, step);
  if (a.isClosed) return Math.max(0, Math.floor(steps + SLACK));
  return steps >= 1.5 ? Math.round(steps) - 1 : 0;
}

/** Number of steps that two files share; the second begins later. */
function sharedSteps(a: Span, b: Span, calendar: Calendar, step: Step): number {
  const end = a.end.order < b.end.order ? a.end : b.end;
  return end.order <= b.start.order ? 0 : stepsBetween(b.start, end, calendar, step);
}
