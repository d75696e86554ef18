/**
 * Widens the period of a file to whole steps of its frequency.
 *
 * Files state the times of their first and last values, with or without the bounds of these: monthly data may end on
 * 16 December or with the last second of the year, and both cover December. Periods are widened to calendar units (years of
 * yearly data, months of monthly, days of all others), so that adjacent files adjoin.
 */
import { DAY } from "../extent/durations.js";
import { type Step, stepOf } from "../extent/frequency-step.js";
import type { Interval } from "../extent/intervals.js";

const YEAR = 12;

const startOfMonth = (month: number): number => {
  const date = new Date(0);
  date.setUTCFullYear(Math.floor(month / YEAR), ((month % YEAR) + YEAR) % YEAR, 1);
  return date.getTime();
};

function monthOf(time: number): number {
  const date = new Date(time);
  return date.getUTCFullYear() * YEAR + date.getUTCMonth();
}

function inMonths({ start, end }: Interval, length: number): Interval {
  const unit = length < YEAR ? 1 : YEAR;
  // A step of several units may have its value in any of them.
  const rest = Math.max(0, length - unit);
  const [first, last] = [monthOf(start), monthOf(end - 1)];
  return {
    start: startOfMonth(Math.floor(first / unit) * unit - rest),
    end: startOfMonth((Math.floor(last / unit) + 1) * unit + rest),
  };
}

/** Whether a calendar of CF lacks a day: one of 360 days each 31st, noleap 29 February. The index does not store calendars. */
function mayBeLacking(day: number): boolean {
  const date = new Date(day);
  return date.getUTCDate() === 31 || (date.getUTCDate() === 29 && date.getUTCMonth() === 1);
}

function inDays({ start, end }: Interval, length: number): Interval {
  const rest = Math.max(0, length - DAY);
  const next = Math.ceil(end / DAY) * DAY;
  return {
    start: Math.floor(start / DAY) * DAY - rest,
    end: (mayBeLacking(next) ? next + DAY : next) + rest,
  };
}

/** The shortest of several steps: gaps at that step are gaps. */
function shortest(frequencies: readonly string[]): Step | undefined {
  const steps = frequencies.map(stepOf).filter((step) => step !== undefined);
  const order = ({ unit, length }: Step): number => (unit === "month" ? 30 * DAY : 1) * length;
  return steps.sort((a, b) => order(a) - order(b))[0];
}

/** JavaScript dates end soon after this time, so months beyond cannot be computed. */
const MAX_TIME = 8e15;

/** @param frequencies labels of the file, such as `mon`; if none names a step, whole days are used */
export function wholeSteps(interval: Interval, frequencies: readonly string[]): Interval {
  const step = shortest(frequencies);
  const { start, end } = interval;
  const isMonths = step?.unit === "month";
  const length = step?.length ?? DAY;
  const widen = (part: Interval): Interval =>
    isMonths && Math.max(Math.abs(part.start), Math.abs(part.end)) < MAX_TIME
      ? inMonths(part, length)
      : inDays(part, isMonths ? DAY : length);
  // An open end stays open.
  return {
    start: Number.isFinite(start) ? widen({ start, end: start + 1 }).start : start,
    end: Number.isFinite(end) ? widen({ start: end - 1, end }).end : end,
  };
}
