/**
 * Converts the values of time coordinates to instants.
 *
 * Source: CF conventions, 4.4; UDUNITS-2, "Grammar", for reference dates; CDO's absolute time axis.
 */
import { DAY, HOUR, MINUTE, SECOND } from "../../domain/extent/durations.js";
import {
  type Calendar,
  type CalendarDate,
  calendarNamed,
  PROLEPTIC_GREGORIAN,
} from "./calendar.js";
import { Unclear } from "./header.js";

/** Converts numbers to instants: milliseconds since day 0 of the calendar, UTC. */
export interface TimeUnits {
  readonly calendar: Calendar;
  /** Whether year 0 exists: also in a historical calendar whose reference date uses it. */
  readonly hasYearZero: boolean;
  /** To the nearest millisecond. */
  instant(value: number): number;
  /** The instant as whole days and microseconds of the day; undefined for non-finite values. */
  parts(value: number): readonly [days: number, microseconds: number] | undefined;
  /** The value of an instant in `parts`, the inverse of it; undefined for dates as numbers, which have no unit. */
  value(days: number, microseconds: number): number | undefined;
}

/** Unit names with UDUNITS' plurals and symbols, and lengths in milliseconds. */
const LENGTHS: readonly (readonly [RegExp, number])[] = [
  [/^(nanoseconds?|nanosecs?|nsecs?|ns)$/, 1e-6],
  [/^(microseconds?|microsecs?|us)$/, 1e-3],
  [/^(milliseconds?|millisecs?|msecs?|ms)$/, 1],
  [/^(seconds?|secs?|s)$/, SECOND],
  [/^(minutes?|mins?)$/, MINUTE],
  [/^(hours?|hrs?|hr|h)$/, HOUR],
  [/^(days?|d)$/, DAY],
  [/^weeks?$/, 7 * DAY],
];
const MONTH = /^(months?|mons?|mon)$/;
const COMMON_YEAR = /^common_years?$/;
const YEAR = /^(years?|yrs?|yr|a)$/;

const SINCE = /^([a-z_]+)\s+since\s+(.+)$/is;
/** Dates as numbers, such as 20200115.5. */
const ABSOLUTE = /^day\s+as\s+%Y%m%d\.%f$/;

/** Whether units belong to a time coordinate, even if they cannot be read. */
export function isTimeUnits(units: string): boolean {
  return SINCE.test(units) || ABSOLUTE.test(units);
}

/**
 * @param units such as `days since 1850-01-01`
 * @param calendar the attribute; may be empty
 * @throws Unclear
 */
export function readTimeUnits(units: string, calendar: string): TimeUnits {
  const known = calendarNamed(calendar);
  if (known === undefined) throw new Unclear(`has the unknown calendar "${calendar}"`);
  if (ABSOLUTE.test(units)) {
    const instant = (value: number): number => absolute(value, known);
    return {
      calendar: known,
      // The number has the year as it is written.
      hasYearZero: true,
      instant,
      parts: (value) => split(instant(value), 0, 1),
      value: () => undefined,
    };
  }
  const [, unit = "", reference = ""] = SINCE.exec(units) ?? [];
  const length = unitLength(unit.toLowerCase(), known, units);
  const from = readReference(reference, known);
  if (from === undefined)
    throw new Unclear(`has times in "${units}", whose reference date is invalid`);
  return {
    calendar: known,
    hasYearZero: !known.isHistorical || /^\s*[+-]?0+-/.test(reference),
    instant: (value) => Math.round(from + value * length),
    parts: (value) => split(from, value, length * 1000),
    value: (days, microseconds) => unitsSince(from, length, days, microseconds),
  };
}

const DAY_MICROSECONDS = BigInt(DAY * 1000);

/**
 * Splits without loss of precision: whole units are counted as integers.
 *
 * @param from milliseconds
 * @param length microseconds per unit
 */
function split(
  from: number,
  value: number,
  length: number,
): readonly [days: number, microseconds: number] | undefined {
  if (!Number.isFinite(from + value * length)) return undefined;
  const whole = Math.floor(from);
  const units = length < 1 ? 0 : Math.trunc(value);
  const since =
    BigInt(units) * BigInt(Math.max(1, length)) + BigInt(Math.round((value - units) * length));
  const sum = BigInt(whole) * 1000n + BigInt(Math.round((from - whole) * 1000)) + since;
  const rest = ((sum % DAY_MICROSECONDS) + DAY_MICROSECONDS) % DAY_MICROSECONDS;
  return [Number((sum - rest) / DAY_MICROSECONDS), Number(rest)];
}

/**
 * Whole units are counted as integers, so that they are exact; only a rest is divided as a double.
 *
 * @param from milliseconds
 * @param length milliseconds per unit
 */
function unitsSince(from: number, length: number, days: number, microseconds: number): number {
  const reference =
    BigInt(Math.floor(from)) * 1000n + BigInt(Math.round((from - Math.floor(from)) * 1000));
  const since = (BigInt(days) * DAY_MICROSECONDS + BigInt(microseconds) - reference) * 1000n;
  const unit = BigInt(Math.round(length * 1e6));
  return Number(since / unit) + Number(since % unit) / Number(unit);
}

/**
 * Months and years have a fixed length only in some calendars. UDUNITS counts 365.242198781 days per year, but authors of such
 * files mean calendar months. cftime refuses them too.
 */
function unitLength(unit: string, { name }: Calendar, units: string): number {
  for (const [names, length] of LENGTHS) if (names.test(unit)) return length;
  if (MONTH.test(unit) && name === "360_day") return 30 * DAY;
  if (COMMON_YEAR.test(unit) && name === "noleap") return 365 * DAY;
  const isVague = [MONTH, COMMON_YEAR, YEAR].some((names) => names.test(unit));
  const why = isVague
    ? "which have no fixed length in its calendar"
    : "which is not a unit of time";
  throw new Unclear(`has times in "${units}", ${why}`);
}

const REFERENCE = new RegExp(
  "^(?:(?<packed>\\d{4})(?<packedMonth>\\d\\d)(?<packedDay>\\d\\d)" +
    "|(?<year>[+-]?\\d{1,6})(?:-(?<month>\\d{1,2})(?:-(?<day>\\d{1,2}))?)?)" +
    "(?:(?: ?T| )(?<hour>\\d{1,2})(?::?(?<minute>\\d{1,2})(?::?(?<second>\\d{1,2}(?:[.,]\\d*)?))?)?)?" +
    " ?(?<zone>Z|UTC|GMT|(?<=[T ].*)(?<sign>[+-])(?<zoneHour>\\d{1,2})(?::?(?<zoneMinute>\\d\\d))?|0{1,2}(?::?00)?)?$",
  "i",
);

/** Milliseconds of the reference date; undefined if it is invalid. */
function readReference(text: string, calendar: Calendar): number | undefined {
  const parts = REFERENCE.exec(text.trim().replaceAll(/\s+/g, " "))?.groups;
  if (parts === undefined) return undefined;
  const number = (name: string, otherwise: number): number =>
    Number(parts[name]?.replace(",", ".") ?? otherwise);
  const written = number("packed", number("year", 0));
  const days = calendar.toDays({
    // Historical calendars have no year 0. If it is written anyway, it is the year 0 of ISO 8601.
    year: written < 0 && calendar.isHistorical ? written + 1 : written,
    month: number("packedMonth", number("month", 1)),
    day: number("packedDay", number("day", 1)),
  });
  const [hour, minute, second] = [number("hour", 0), number("minute", 0), number("second", 0)];
  const isTime = hour <= 23 && minute <= 59 && second < 61 && number("zoneHour", 0) <= 15;
  if (days === undefined || !isTime) return undefined;
  const offset = number("zoneHour", 0) * HOUR + number("zoneMinute", 0) * MINUTE;
  const utc = parts.sign === "-" ? offset : -offset;
  return days * DAY + hour * HOUR + minute * MINUTE + second * SECOND + utc;
}

/**
 * CDO's encoding: before year 0 the whole number is negative, so -200000115.5 is noon of 15 January of the year -20000.
 *
 * @throws Unclear if the number is not a date of the calendar
 */
function absolute(value: number, calendar: Calendar): number {
  const magnitude = Math.abs(value);
  const whole = Math.floor(magnitude);
  const year = Math.floor(whole / 10_000);
  const date = {
    year: value < 0 ? -year : year,
    month: Math.floor(whole / 100) % 100,
    day: whole % 100,
  };
  const days = calendar.toDays(date);
  if (days === undefined) throw new Unclear(`has the time ${value}, which is not a date YYYYMMDD`);
  return Math.round((days + magnitude - whole) * DAY);
}

/** The range of years in which dates are written, also by the index. */
const MAX_YEARS = 200_000;

/**
 * An instant in ISO 8601, to the second, with the date of the file's own calendar: dates of climate models are labels. A day that
 * ISO's calendar lacks becomes the last day of its month.
 *
 * @param instant milliseconds, as from TimeUnits
 * @throws Unclear if the year is out of range
 */
export function isoDate(instant: number, calendar: Calendar): string {
  const days = Math.floor(instant / DAY);
  if (!(Math.abs(days) < MAX_YEARS * 365)) throw new Unclear("has times that are not dates");
  const { year, month, day } = calendar.fromDays(days);
  const existing = lastExisting({ year, month, day });
  const time = clock(Math.floor((instant - days * DAY) / SECOND));
  return `${yearText(year)}-${two(month)}-${two(existing)}T${time}Z`;
}

/**
 * The date of a value in the file's own calendar, as cftime's isoformat writes it: 30 February exists in a 360-day year, and
 * microseconds are written if there are any.
 *
 * @returns "" for values that are not dates
 */
export function calendarDate(value: number, { calendar, hasYearZero, parts }: TimeUnits): string {
  const [days, microseconds] = parts(value) ?? [Number.NaN, 0];
  if (!(Math.abs(days) < MAX_YEARS * 365)) return "";
  const { year, month, day } = calendar.fromDays(days);
  // Without a year 0, 1 BC is the year -1.
  const shown = hasYearZero || year > 0 ? year : year - 1;
  const digits = `${Math.abs(shown)}`.padStart(4, "0");
  const time = clock(Math.floor(microseconds / 1_000_000));
  const rest = microseconds % 1_000_000;
  const fraction = rest === 0 ? "" : `.${String(rest).padStart(6, "0")}`;
  return `${shown < 0 ? "-" : ""}${digits}-${two(month)}-${two(day)}T${time}${fraction}`;
}

const clock = (seconds: number): string =>
  [seconds / 3600, (seconds / 60) % 60, seconds % 60].map(two).join(":");

const two = (number: number): string => `${Math.floor(number)}`.padStart(2, "0");

function yearText(year: number): string {
  const digits = `${Math.abs(year)}`.padStart(4, "0");
  if (year < 0) return `-${digits}`;
  return year > 9999 ? `+${digits}` : digits;
}

function lastExisting({ year, month, day }: CalendarDate): number {
  let existing = day;
  while (PROLEPTIC_GREGORIAN.toDays({ year, month, day: existing }) === undefined) existing -= 1;
  return existing;
}
