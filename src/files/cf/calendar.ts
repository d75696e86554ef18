/**
 * Converts between dates and day numbers in the calendars of the CF conventions (4.4.1).
 *
 * Years are astronomical: 0 is 1 BC. Each calendar has its own day 0.
 */

export interface CalendarDate {
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  /** From 1. */
  readonly day: number;
}

export interface Calendar {
  /** CF's name, without its synonyms. */
  readonly name: string;
  /** Whether dates are written without a year 0: the year before 1 is -1. */
  readonly isHistorical: boolean;
  /** The number of a day; undefined if the calendar does not have it. */
  toDays(date: CalendarDate): number | undefined;
  fromDays(days: number): CalendarDate;
}

const COMMON = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const LEAP = COMMON.with(1, 29);
const EVEN = COMMON.map(() => 30);

/** A calendar whose years all have the same length. */
function fixedYears(name: string, months: readonly number[]): Calendar {
  const before = months.map((_, m) => months.slice(0, m).reduce((sum, days) => sum + days, 0));
  const length = months.reduce((sum, days) => sum + days, 0);
  return {
    name,
    isHistorical: false,
    toDays({ year, month, day }) {
      if (day < 1 || day > (months[month - 1] ?? 0)) return undefined;
      return year * length + (before[month - 1] ?? 0) + day - 1;
    },
    fromDays(days) {
      const year = Math.floor(days / length);
      const rest = days - year * length;
      const month = before.findLastIndex((start) => start <= rest);
      return { year, month: month + 1, day: rest - (before[month] ?? 0) + 1 };
    },
  };
}

type Leaps = (year: number) => number;
/** Leap days from year 0 up to a given year, with years that begin in March. */
const julianLeaps: Leaps = (year) => Math.floor(year / 4);
const gregorianLeaps: Leaps = (year) =>
  Math.floor(year / 4) - Math.floor(year / 100) + Math.floor(year / 400);

/** @param origin Julian day number of 1 March of year 0, so that all such calendars share day numbers */
function leapYears(name: string, leaps: Leaps, origin: number, isHistorical: boolean): Calendar {
  const startOf = (year: number): number => 365 * year + leaps(year);
  const monthLength = (year: number, month: number): number => {
    const isLeap = leaps(year) > leaps(year - 1);
    return (isLeap ? LEAP : COMMON)[month - 1] ?? 0;
  };
  return {
    name,
    isHistorical,
    toDays({ year, month, day }) {
      if (day < 1 || day > monthLength(year, month)) return undefined;
      const fromMarch = (month + 9) % 12;
      const dayOfYear = Math.floor((153 * fromMarch + 2) / 5) + day - 1;
      return origin + startOf(month <= 2 ? year - 1 : year) + dayOfYear;
    },
    fromDays(days) {
      const count = days - origin;
      let year = Math.floor(count / 365.2425);
      while (startOf(year + 1) <= count) year += 1;
      while (startOf(year) > count) year -= 1;
      const dayOfYear = count - startOf(year);
      const fromMarch = Math.floor((5 * dayOfYear + 2) / 153);
      const month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9;
      const day = dayOfYear - Math.floor((153 * fromMarch + 2) / 5) + 1;
      return { year: month <= 2 ? year + 1 : year, month, day };
    },
  };
}

export const PROLEPTIC_GREGORIAN = leapYears(
  "proleptic_gregorian",
  gregorianLeaps,
  1_721_120,
  false,
);
const JULIAN = leapYears("julian", julianLeaps, 1_721_118, true);

/** Julian day number of 15 October 1582, the day after 4 October. */
const REFORM = 2_299_161;

const STANDARD: Calendar = {
  name: "standard",
  isHistorical: true,
  toDays(date) {
    const gregorian = PROLEPTIC_GREGORIAN.toDays(date);
    if (gregorian !== undefined && gregorian >= REFORM) return gregorian;
    const julian = JULIAN.toDays(date);
    return julian !== undefined && julian < REFORM ? julian : undefined;
  },
  fromDays: (days) => (days >= REFORM ? PROLEPTIC_GREGORIAN : JULIAN).fromDays(days),
};

const CALENDARS: Readonly<Record<string, Calendar>> = {
  standard: STANDARD,
  gregorian: STANDARD,
  proleptic_gregorian: PROLEPTIC_GREGORIAN,
  julian: JULIAN,
  noleap: fixedYears("noleap", COMMON),
  all_leap: fixedYears("all_leap", LEAP),
  "360_day": fixedYears("360_day", EVEN),
};
const SYNONYMS: Readonly<Record<string, string>> = { "365_day": "noleap", "366_day": "all_leap" };

/** Whether two calendars give the same dates to the same days: they are one calendar, or both are Gregorian on all days. */
export function agreeFrom(a: Calendar, b: Calendar, earliest: number): boolean {
  if (a === b) return true;
  const areGregorian = [a, b].every((one) => one === STANDARD || one === PROLEPTIC_GREGORIAN);
  return areGregorian && earliest >= REFORM;
}

/** The calendar of a `calendar` attribute, standard if empty; undefined for unknown names. */
export function calendarNamed(name: string): Calendar | undefined {
  const key = name.toLowerCase() || "standard";
  const known = SYNONYMS[key] ?? key;
  return Object.hasOwn(CALENDARS, known) ? CALENDARS[known] : undefined;
}
