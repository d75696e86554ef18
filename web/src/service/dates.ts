/**
 * Dates for people, in one form: ISO 8601 as far as it says something, with a space before the time of day. The address,
 * code and files have the machine's form.
 */
import { intervalOf } from "../../../src/domain/extent/intervals.js";

/** Moments in ISO 8601, UTC; null for an open end. */
interface Moments {
  readonly start: string | null;
  readonly end: string | null;
}

const DATE = /^([+-]?\d+)-(\d\d)-(\d\d)T(\d\d):(\d\d)/;

const isLastDay = (year: string, month: string, day: string): boolean => {
  // A four-year leap rule is enough here: an error affects one day of years far away.
  const date = new Date(Date.UTC(2000 + (Number(year) % 400), Number(month) - 1, Number(day) + 1));
  return date.getUTCDate() === 1;
};

/** The shortest form: a year, month, day or minute. @param toDay leaves the time of day out, as of a whole day */
function short(text: string, isEnd: boolean, toDay = false): string {
  const parts = DATE.exec(text);
  if (parts === null) return text;
  const [, year = "", month = "", day = "", hour = "", minute = ""] = parts;
  const isWholeDay = toDay || `${hour}:${minute}` === (isEnd ? "23:59" : "00:00");
  if (!isWholeDay) return `${year}-${month}-${day} ${hour}:${minute}`;
  if (isEnd ? !isLastDay(year, month, day) : day !== "01") return `${year}-${month}-${day}`;
  return month === (isEnd ? "12" : "01") ? year : `${year}-${month}`;
}

/** For example `1985 to 1989`, `2001-02`, `from 1990`. @returns undefined if both ends are open */
export function periodWords({ start, end }: Moments): string | undefined {
  const interval = intervalOf(`[${start ?? "*"} TO ${end ?? "*"}]`);
  // Times of day matter only within a few days. Of 3-hourly data a year ends at 21:00 of its last day.
  const isLong = interval === undefined || interval.end - interval.start > 3 * 86_400_000;
  const isClosed = start !== null && end !== null;
  const words = (text: string, isEnd: boolean): string => {
    const written = short(text, isEnd, isLong && isClosed);
    return isLong ? written.replace(/ \d\d:\d\d$/, "") : written;
  };
  if (start === null) return end === null ? undefined : `until ${words(end, true)}`;
  if (end === null) return `from ${words(start, false)}`;
  const [from, to] = [words(start, false), words(end, true)];
  return from === to ? from : `${from} to ${to}`;
}

/** An end of a period in its shortest form that the API takes. */
export const endText = (text: string, isEnd: boolean): string =>
  short(text, isEnd).replace(" ", "T");

/** A period as the API takes or gives it, `A to B`. Anything else is returned as it is. */
export function writtenPeriod(text: string): string {
  const [, start, end] = /^\[?\s*(?:(\S+)\s+)?to(?:\s+(\S+?))?\s*\]?$/i.exec(text) ?? [];
  const side = (one: string | undefined): string | null => (one === "*" ? null : (one ?? null));
  return periodWords({ start: side(start), end: side(end) }) ?? text;
}

/** A date as cftime's isoformat writes it, of any calendar. */
export const calendarWords = (date: string): string =>
  date
    .replace(/T00:00:00$/, "")
    .replace(/(T\d\d:\d\d):00$/, "$1")
    .replace("T", " ");

const isoOf = (seconds: number): string => new Date(seconds * 1000).toISOString();

/** A day in UTC. @param seconds since 1970 */
export const dayWords = (seconds: number): string => isoOf(seconds).slice(0, 10);

/** A minute in UTC. @param seconds since 1970 */
export const minuteWords = (seconds: number): string =>
  `${isoOf(seconds).slice(0, 16).replace("T", " ")} UTC`;
