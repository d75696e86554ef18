/**
 * The two ends of a file's time, as the index has them, and how far they are from each other in a calendar.
 *
 * The index has dates of ISO 8601 that stand for dates of a model's calendar: as labels, a day that ISO 8601 does not have
 * as the last one of its month. So the last of February may stand for several days.
 */

import { DAY, HOUR, MINUTE, SECOND } from "../../domain/extent/durations.js";
import type { Step } from "../../domain/extent/frequency-step.js";
import { type Calendar, calendarNamed, PROLEPTIC_GREGORIAN } from "../../files/cf/calendar.js";

/** A date and the time of its day. */
export interface Label {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  /** Milliseconds of the day; those of the whole day at its end. */
  readonly time: number;
  /** In the order of labels: milliseconds in ISO's calendar. */
  readonly order: number;
}

export interface Span {
  readonly start: Label;
  /** The moment after the last one where that was written as the last second of a minute, else the last one itself. */
  readonly end: Label;
  /** Whether `end` is where the last time ends, and not the last time. */
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

/** @returns undefined for what are no two dates, one after the other */
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

/** The calendars that a file may have of which none is known. */
export const CALENDARS: readonly Calendar[] = [
  ...["proleptic_gregorian", "standard", "noleap", "360_day", "all_leap", "julian"],
].flatMap((name) => calendarNamed(name) ?? []);

/** The first and the last place that a label may stand for, in the unit of a step. */
type Place = readonly [first: number, last: number];

const MAX_DAY = 31;

function placeOf(label: Label, calendar: Calendar, unit: Step["unit"]): Place {
  const { year, month } = label;
  const exists = (day: number): boolean => calendar.toDays({ year, month, day }) !== undefined;
  let day = label.day;
  while (!exists(day) && day > 1) day -= 1;
  let most = day;
  // What stands for a day that ISO 8601 does not have is the last one of a month that it does.
  const isLast = PROLEPTIC_GREGORIAN.toDays({ year, month, day: label.day + 1 }) === undefined;
  if (isLast) while (exists(most + 1) && most < MAX_DAY) most += 1;
  const inDays = (of: number): number =>
    (calendar.toDays({ year, month, day: of }) ?? 0) * DAY + label.time;
  if (unit === "millisecond") return [inDays(day), inDays(most)];
  let length = 28;
  while (length < MAX_DAY && exists(length + 1)) length += 1;
  const inMonths = (of: number): number =>
    12 * year + month - 1 + (of - 1 + label.time / DAY) / length;
  return [inMonths(day), inMonths(most)];
}

/** Steps from one label to another: the fewest that they may stand for. */
export function stepsBetween(from: Label, to: Label, calendar: Calendar, step: Step): number {
  const [, last] = placeOf(from, calendar, step.unit);
  const [first] = placeOf(to, calendar, step.unit);
  return (first - last) / step.length;
}
