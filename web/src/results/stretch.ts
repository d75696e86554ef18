/** Periods of an answer, as text and as numbers. */
import type { components } from "../../../generated/openapi.js";
import { type Interval, intervalOf } from "../../../src/domain/extent/intervals.js";

export type Stretch = components["schemas"]["Stretch"];

const DATE = /^([+-]?\d+)-(\d\d)-(\d\d)T(\d\d):(\d\d)/;

/** Milliseconds since 1970; infinite if open. */
export const intervalOfStretch = ({ start, end }: Stretch): Interval =>
  intervalOf(`[${start ?? "*"} TO ${end ?? "*"}]`) ?? { start: -Infinity, end: Infinity };

const isLastDay = (year: string, month: string, day: string): boolean => {
  // A four-year leap rule is enough here: an error affects one day of years far away.
  const date = new Date(Date.UTC(2000 + (Number(year) % 400), Number(month) - 1, Number(day) + 1));
  return date.getUTCDate() === 1;
};

/** The shortest form: a year, month, day or minute. */
function short(text: string, isEnd: boolean): string {
  const parts = DATE.exec(text);
  if (parts === null) return text;
  const [, year = "", month = "", day = "", hour = "", minute = ""] = parts;
  const isWholeDay = `${hour}:${minute}` === (isEnd ? "23:59" : "00:00");
  if (!isWholeDay) return `${year}-${month}-${day} ${hour}:${minute}`;
  if (isEnd ? !isLastDay(year, month, day) : day !== "01") return `${year}-${month}-${day}`;
  return month === (isEnd ? "12" : "01") ? year : `${year}-${month}`;
}

/** @param open text for an open end @param to text between the ends */
export function stretchText({ start, end }: Stretch, open: string, to: string): string {
  if (start === null && end === null) return open;
  const from = start === null ? open : short(start, false);
  const until = end === null ? open : short(end, true);
  if (from === until) return from;
  // Times of day matter only within a few days.
  const { start: begins, end: ends } = intervalOfStretch({ start, end });
  const isLong = ends - begins > 3 * 86_400_000;
  const days = (text: string): string => (isLong ? text.replace(/ \d\d:\d\d$/, "") : text);
  return `${days(from)}${to}${days(until)}`;
}
