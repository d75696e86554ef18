/**
 * Reads periods of time, as callers and documents write them. Source: search-semantics, "Filters"; ISO 8601.
 *
 * Measured on Solr 9. Both kinds of date fields are proleptic Gregorian, with a leap year 0.
 *
 * - DateRangeField takes years of any length, padded or not, signed or not (`-20000`, `12345`, `+12345`), truncated
 *   anywhere, bracketed or not. A day beyond the end of the month rolls over (2001-02-30 is 2 March), as does hour 24. It
 *   refuses day 32, month 13, zones, a space instead of T, and second 60.
 * - DatePointField takes the same years up to about 292 million, but no truncated dates and no days beyond the end of the
 *   month. It returns years of more than four digits with a sign.
 *
 * So Solr only gets days that exist. Dates of models follow their own calendars: 30 February of a 360-day calendar and the
 * Julian 29 February 1500 become the last day of February, which keeps them in their month and season.
 */

/** Invalid text of a parameter. The message is a predicate of the parameter. */
export class Unreadable extends Error {}

/** Longest valid period or region, in characters. */
const MAX_LENGTH = 200;

/** The text itself. @throws Unreadable if it is too long to be a period or a region */
export function bounded(text: string): string {
  if (text.length > MAX_LENGTH) throw new Unreadable(`must have at most ${MAX_LENGTH} characters`);
  return text;
}

/** Milliseconds since 1970, UTC; both ends are included, a missing end is open. */
export interface Period {
  readonly start?: number;
  readonly end?: number;
}

/**
 * Years have four or five digits, or a sign. Six digits without a sign could also be a year and a month.
 */
const DATE =
  /^(\d{4,5}|[+-]\d{1,6})(?:-(\d\d)(?:-(\d\d)(?:[T ](\d\d)(?::?(\d\d)(?::?(\d\d)(?:[.,](\d{1,9}))?)?)?(Z|[+-]\d\d(?::?\d\d)?)?)?)?)?$/i;
const BASIC_DATE = /^(\d{4})(\d\d)(\d\d)(?=$|T)/i;

const MINUTE = 60_000;
const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Length of a month in the proleptic Gregorian calendar. */
function daysIn(year: number, month: number): number {
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return month === 2 && isLeap ? 29 : (DAYS[month - 1] ?? 0);
}

/** JavaScript dates end in the year 275760. */
const MAX_YEAR = 200_000;

/** Milliseconds since 1970. Unlike Date.UTC, years below 100 are not shifted to 19xx. */
function utc(year: number, month: number, day = 1, hour = 0, minute = 0, second = 0): number {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCHours(hour, minute, second, 0);
  return date.getTime();
}

function offset(zone: string | undefined): number {
  if (zone === undefined || zone.toUpperCase() === "Z") return 0;
  const digits = zone.slice(1).replace(":", "");
  const minutes = Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2) || 0);
  return (zone.startsWith("-") ? -minutes : minutes) * MINUTE;
}

/** A zone whose + was decoded as a space, as in the query of an address. */
const LOST_PLUS = /T[\d:.,]+ \d\d(?::?\d\d)?$/i;

/** The end of a message about a date that has lost the + of its zone; else nothing. */
export const plusHint = (text: string): string =>
  LOST_PLUS.test(text) ? "; in an address, + is written %2B" : "";

/**
 * The first and the last millisecond of a possibly truncated date.
 *
 * @throws Unreadable if the text is not a date, or the date does not exist
 */
export function readDate(text: string): Required<Period> {
  const parts = DATE.exec(bounded(text).trim().replace(BASIC_DATE, "$1-$2-$3"));
  if (!parts) {
    throw new Unreadable(`${JSON.stringify(text)} is not an ISO 8601 date${plusHint(text)}`);
  }
  const number = (index: number): number | undefined =>
    parts[index] === undefined ? undefined : Number(parts[index]);
  const year = number(1) ?? 0;
  const [month, day, hour, minute, second] = [2, 3, 4, 5, 6].map(number);
  const start = utc(year, month ?? 1, day, hour, minute, second);
  if (Math.abs(year) > MAX_YEAR) throw new Unreadable(`has a year beyond ${MAX_YEAR}`);
  const back = new Date(start);
  const exists =
    (month === undefined || back.getUTCMonth() + 1 === month) &&
    (day === undefined || back.getUTCDate() === day) &&
    (hour ?? 0) < 24 &&
    (minute ?? 0) < 60 &&
    (second ?? 0) < 60;
  if (!exists) throw new Unreadable(`${JSON.stringify(text)} is not an existing date`);
  const shift = offset(parts[8]);
  if (parts[7] !== undefined) {
    const digits = parts[7].padEnd(3, "0").slice(0, 3);
    const width = 10 ** (3 - Math.min(parts[7].length, 3));
    const exact = start + Number(digits) - shift;
    return { start: exact, end: exact + width - 1 };
  }
  const next = [
    () => utc(year + 1, 1),
    () => utc(year, (month ?? 1) + 1),
    () => utc(year, month ?? 1, (day ?? 1) + 1),
    () => start + 60 * MINUTE,
    () => start + MINUTE,
    () => start + 1000,
  ];
  const given = [month, day, hour, minute, second].filter((unit) => unit !== undefined).length;
  const end = (next[given]?.() ?? start + 1) - 1;
  return { start: start - shift, end: end - shift };
}

/** The frequency of constant data in CMIP. As a period, it is always. */
export const CONSTANT = "fx";
export const isConstant = (text: string): boolean => text.trim().toLowerCase() === CONSTANT;

/** Between the ends of a period: `to`, or the slash of an ISO 8601 interval. */
const SEPARATOR = /\sto\s|\//i;
/** An open end of a period, and of an interval (RFC 3339 as OGC 17-069r4, 7.15.3, extends it). */
const OPEN = new Set(["", "*", ".."]);

/**
 * Reads `A to B`, `A to`, `to B` or `A`, with or without brackets, and the interval `A/B`; `*` and `..` are open ends, and `fx`
 * is open on both sides.
 *
 * @param read reads the single dates
 * @throws Unreadable for other text, or if the period ends before it starts
 */
export function readPeriod(text: string, read = readDate): Period {
  if (isConstant(text)) return {};
  const bare = bounded(text)
    .trim()
    .replace(/^\[(.*)\]$/s, "$1");
  const halves = ` ${bare} `.split(SEPARATOR).map((half) => half.trim());
  if (halves.length === 1) return readUnit(bare, read);
  const [from = "", to = ""] = halves.map((half) => (OPEN.has(half) ? "" : half));
  if (halves.length > 2 || (from === "" && to === "" && !bare.includes("*"))) {
    throw new Unreadable(
      "must be 'A to B', 'A to', 'to B', 'A/B' or 'A', with ISO 8601 dates, or fx",
    );
  }
  const start = from === "" ? undefined : read(from).start;
  const end = to === "" ? undefined : read(to).end;
  if (start !== undefined && end !== undefined && end < start) {
    throw new Unreadable("ends before it starts");
  }
  return { ...(start !== undefined && { start }), ...(end !== undefined && { end }) };
}

/** Separators that people write between two dates. */
const OTHER_SEPARATOR = /\.{2,3}|[-–—:,;~]|\buntil\b|\bthrough\b|\band\b/gi;

/** A period that is one date. @throws Unreadable, with the right spelling if the text is two dates */
function readUnit(text: string, read: typeof readDate): Period {
  try {
    return read(text);
  } catch (error) {
    const meant = error instanceof Unreadable ? meantPeriod(text) : undefined;
    if (meant === undefined) throw error;
    throw new Unreadable(`${JSON.stringify(text)} is not a period: write ${meant}`);
  }
}

/** `A to B` of two dates that are separated in another way; undefined if the text is not that. */
function meantPeriod(text: string): string | undefined {
  for (const { 0: separator, index } of text.matchAll(OTHER_SEPARATOR)) {
    const [from, to] = [text.slice(0, index).trim(), text.slice(index + separator.length).trim()];
    const meant = `${from} to ${to}`;
    try {
      const { start, end } = readPeriod(meant);
      if (start !== undefined && end !== undefined) return meant;
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
    }
  }
  return undefined;
}

/** An instant in Solr's notation: years of more than four digits have a sign. */
export function solrDate(milliseconds: number | undefined): string {
  if (milliseconds === undefined) return "*";
  const text = new Date(milliseconds).toISOString();
  return text.replace(/^([+-])0*(\d{4,})/, (_, sign: string, year: string) =>
    sign === "-" || year.length > 4 ? sign + year : year,
  );
}

const LABEL = /^([+-]?\d+)-02-(?:29|30)(?!\d)/;

/** Reads a date of a model calendar, whose February may be longer. */
const readLabel = (text: string): Required<Period> =>
  readDate(
    text.trim().replace(LABEL, (_, year: string) => `${year}-02-${daysIn(Number(year), 2)}`),
  );

/**
 * The Solr date range of a document's period, as precise as its ends are written. Days of February that exist only in a
 * model calendar become the last day of February.
 */
export function solrRange(text: string): string {
  const { start, end } = readPeriod(text, readLabel);
  // Without the fraction, a start is the first and an end the last millisecond of its second.
  const from = solrDate(start).replace(/\.000Z$/, "Z");
  const to = solrDate(end).replace(/\.999Z$/, "Z");
  return `[${from} TO ${to}]`;
}

/** The ends of a period as points in time; an open or unreadable end is missing. */
export interface Points {
  readonly start?: string;
  readonly end?: string;
}

/** A range as the index stores it; a single date is both ends. */
const RANGE = /^\[(\S{1,40}) TO (\S{1,40})\]$/;
const STORED_DATE =
  /^([+-]?\d{1,9})(?:-(\d\d)(?:-(\d\d)(?:T(\d\d)(?::(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?)?)?)?)?Z?$/;
/** The largest year whose milliseconds Solr can store. */
export const MAX_STORED_YEAR = 292_000_000;

/**
 * The ends of a document's `time` for Solr's DatePointField: ISO 8601 in UTC, signed years before 0 and after 9999. Also
 * reads years that no search can name. An end given as a second or a longer unit becomes the last whole second of it.
 */
export function pointsOf(range: string): Points {
  const [, from = range, to = range] = RANGE.exec(range) ?? [];
  const start = point(from, false);
  const end = point(to, true);
  return { ...(start !== undefined && { start }), ...(end !== undefined && { end }) };
}

function point(text: string, isEnd: boolean): string | undefined {
  const parts = STORED_DATE.exec(text);
  if (parts === null) return undefined;
  const year = Number(parts[1]);
  const month = Number(parts[2] ?? (isEnd ? 12 : 1));
  const longest = daysIn(year, month);
  if (Math.abs(year) > MAX_STORED_YEAR || longest === 0) return undefined;
  const day = Math.min(Number(parts[3] ?? (isEnd ? longest : 1)), longest);
  if (day === 0) return undefined;
  const [hour = isEnd ? "23" : "00", minute, second] = parts.slice(4);
  const latest = isEnd ? "59" : "00";
  const time = `${minute ?? latest}:${second ?? latest}`;
  const thousandths = (parts[7] ?? "").padEnd(3, "0").slice(0, 3);
  const isWhole = thousandths === "000" || (isEnd && thousandths === "999");
  const rest = `${time}${isWhole ? "" : `.${thousandths}`}Z`;
  return hour === "24"
    ? `${dayAfter(year, month, day)}T00:${rest}`
    : `${dateText(year, month, day)}T${hour}:${rest}`;
}

/** Hour 24 is the start of the next day. */
function dayAfter(year: number, month: number, day: number): string {
  if (day < daysIn(year, month)) return dateText(year, month, day + 1);
  return month < 12 ? dateText(year, month + 1, 1) : dateText(year + 1, 1, 1);
}

/** The first instant of a year, in Solr's notation. */
export const startOfYear = (year: number): string => `${dateText(year, 1, 1)}T00:00:00Z`;

function dateText(year: number, month: number, day: number): string {
  const sign = year < 0 ? "-" : year > 9999 ? "+" : "";
  return `${sign}${String(Math.abs(year)).padStart(4, "0")}-${two(month)}-${two(day)}`;
}

const two = (number: number): string => String(number).padStart(2, "0");
