/**
 * The first and last time of a file, as indexed, and their distance in a calendar.
 *
 * The index has ISO 8601 dates as labels for dates of a model's calendar. A day that ISO 8601 lacks is stored as the
 * last one of its month, so the last of February can stand for several days.
 */

import { DAY, HOUR, MINUTE, SECOND } from "../../domain/extent/durations.js";
import type { Step } from "../../domain/extent/frequency-step.js";
import { type Calendar, calendarNamed, PROLEPTIC_GREGORIAN } from "../../files/cf/calendar.js";

export interface Label {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  /** Milliseconds since midnight; a full day at the end of the day. */
  readonly time: number;
  /** Sorts labels: milliseconds in ISO's calendar. */
  readonly order: number;
}

export interface Span {
  readonly start: Label;
  /** The last time. If it was written as the last second of a minute, the instant after it. */
  readonly end: Label;
  /** Whether `end` is the end of the last time step instead of its label. */
  readonly isClosed: boolean;
}

const DATE = /^([+-]?\d{4,})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d{1,3})\d*)?Z$/;

function readLabel(text: string): Label | undefined {
  const [, year, month, day, hour, minute, second, fraction = "0"] = DATE.exec(text) ?? [];
  if (year === undefined) return undefined;
  const time =
    Number(hour) * HOUR +
    Number(minute) * MINUTE +
    Number(second) * SECOND +
    Number(fraction.padEnd(3, "0"));
  return labelled({ year: Number(year), month: Number(month), day: Number(day) }, time);
}

function labelled(
  date: { readonly year: number; readonly month: number; readonly day: number },
  time: number,
): Label | undefined {
  const days = PROLEPTIC_GREGORIAN.toDays(date);
  return days === undefined ? undefined : { ...date, time, order: days * DAY + time };
}

/** @returns undefined unless these are two dates in order */
export function readSpan(from: string, to: string): Span | undefined {
  const start = readLabel(from);
  const last = readLabel(to);
  if (start === undefined || last === undefined || last.order < start.order) return undefined;
  const isClosed = Math.floor(last.time / SECOND) % 60 === 59;
  if (!isClosed) return { start, end: last, isClosed };
  const time = (Math.floor(last.time / MINUTE) + 1) * MINUTE;
  const end = labelled(last, time);
  return end === undefined ? undefined : { start, end, isClosed };
}

/** The candidates if a file's calendar is unknown. */
export const CALENDARS: readonly Calendar[] = [
  "proleptic_gregorian",
  "standard",
  "noleap",
  "360_day",
  "all_leap",
  "julian",
].flatMap((name) => calendarNamed(name) ?? []);

/** The first and the last position that a label can stand for, in the unit of a step. */
type LabelRange = readonly [first: number, last: number];

const MAX_DAY = 31;

function rangeOf(label: Label, calendar: Calendar, unit: Step["unit"]): LabelRange {
  const { year, month } = label;
  const exists = (day: number): boolean => calendar.toDays({ year, month, day }) !== undefined;
  let day = label.day;
  while (!exists(day) && day > 1) day -= 1;
  let lastDay = day;
  // The last day of an ISO month also stands for later days that only the model's calendar has.
  const isLast = PROLEPTIC_GREGORIAN.toDays({ year, month, day: label.day + 1 }) === undefined;
  if (isLast) while (exists(lastDay + 1) && lastDay < MAX_DAY) lastDay += 1;
  const inDays = (of: number): number =>
    (calendar.toDays({ year, month, day: of }) ?? 0) * DAY + label.time;
  if (unit === "millisecond") return [inDays(day), inDays(lastDay)];
  let length = 28;
  while (length < MAX_DAY && exists(length + 1)) length += 1;
  const inMonths = (of: number): number =>
    12 * year + month - 1 + (of - 1 + label.time / DAY) / length;
  return [inMonths(day), inMonths(lastDay)];
}

/** Minimum number of steps from one label to another. */
export function stepsBetween(from: Label, to: Label, calendar: Calendar, step: Step): number {
  const [, last] = rangeOf(from, calendar, step.unit);
  const [first] = rangeOf(to, calendar, step.unit);
  return (first - last) / step.length;
}
