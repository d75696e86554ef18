/**
 * A period of time as a caller writes it, in a search or of a document.
 *
 * Source: search-semantics, "Filters"; ISO 8601 dates, possibly truncated, with the signs of its expanded years.
 *
 * What Solr 9 takes, as tried on one. Both of its kinds of dates are proleptic Gregorian, with a year 0, which is leap.
 *
 * - A date range (DateRangeField) takes years of any length, padded or not, with a sign or without (`-20000`, `12345`,
 *   `+12345`), truncated anywhere, in brackets or alone. A day that the month does not have rolls over into the next one
 *   (2001-02-30 is 2 March), as hour 24 does into the next day; a 32nd day and a 13th month are refused, and so are
 *   zones, space for T, and second 60.
 * - A point (DatePointField) takes the same years up to some 292 million, but nothing truncated, and no day that the month
 *   does not have. It answers with a sign where a year has more than four digits.
 *
 * So nothing is given to Solr but days that exist. Dates of models are labels of their calendars: 30 February of one with
 * 360 days, or the Julian 29 February 1500, becomes the last day of that month, which keeps it in its month and season.
 */

/** Text that is not a period, a region ...; the message is a predicate of the parameter. */
export class Unreadable extends Error {}

/** Characters of a period or a region; none that means something is longer. */
const MAX_LENGTH = 200;

/** A text that is short enough to be a period or a region. @throws Unreadable */
export function bounded(text: string): string {
  if (text.length > MAX_LENGTH) throw new Unreadable(`must have at most ${MAX_LENGTH} characters`);
  return text;
}

/** A closed period in milliseconds since 1970, UTC; an end that is missing is open. */
export interface Period {
  readonly start?: number;
  readonly end?: number;
}

/**
 * Years of five digits, and those with a sign, are what people write of the far past and future; six digits without a sign
 * could also be a year and a month.
 */
const DATE =
  /^(\d{4,5}|[+-]\d{1,6})(?:-(\d\d)(?:-(\d\d)(?:[T ](\d\d)(?::?(\d\d)(?::?(\d\d)(?:[.,](\d{1,9}))?)?)?(Z|[+-]\d\d(?::?\d\d)?)?)?)?)?$/i;
const BASIC_DATE = /^(\d{4})(\d\d)(\d\d)(?=$|T)/i;

const MINUTE = 60_000;
const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** How long a month is in Solr's calendar. */
function daysIn(year: number, month: number): number {
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return month === 2 && isLeap ? 29 : (DAYS[month - 1] ?? 0);
}

/** JavaScript's dates end before the year 275761. */
const MAX_YEAR = 200_000;

/** Milliseconds of a date and time in UTC; JavaScript takes years below 100 for 19xx otherwise. */
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

/**
 * The first and the last millisecond of the unit that a truncated date names.
 *
 * @throws Unreadable when the text is not a date, or names one that does not exist
 */
export function readDate(text: string): Required<Period> {
  const parts = DATE.exec(bounded(text).trim().replace(BASIC_DATE, "$1-$2-$3"));
  if (!parts) throw new Unreadable(`${JSON.stringify(text)} is not an ISO 8601 date`);
  const number = (index: number): number | undefined =>
    parts[index] === undefined ? undefined : Number(parts[index]);
  const year = number(1) ?? 0;
  const [month, day, hour, minute, second] = [2, 3, 4, 5, 6].map(number);
  const start = utc(year, month ?? 1, day, hour, minute, second);
  if (Math.abs(year) > MAX_YEAR) throw new Unreadable("has a year beyond 200000");
  const back = new Date(start);
  const exists =
    (month === undefined || back.getUTCMonth() + 1 === month) &&
    (day === undefined || back.getUTCDate() === day) &&
    (hour ?? 0) < 24 &&
    (minute ?? 0) < 60 &&
    (second ?? 0) < 60;
  if (!exists) throw new Unreadable(`${JSON.stringify(text)} is not a date that exists`);
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

/** Constant data have no time, and so are there at every time; CMIP calls their frequency so. */
export const CONSTANT = "fx";

/** Whether a text says of data that they are constant, in any case. */
export const isConstant = (text: string): boolean => text.trim().toLowerCase() === CONSTANT;

/**
 * `A to B`, `A to`, `to B`, `A`, or any of these in brackets; `*` is an open end. `fx` always holds: it is open on both
 * sides.
 *
 * @param read how its dates are read
 * @throws Unreadable when it is none of these, or ends before it starts
 */
export function readPeriod(text: string, read = readDate): Period {
  if (isConstant(text)) return {};
  const bare = bounded(text)
    .trim()
    .replace(/^\[(.*)\]$/s, "$1");
  const halves = ` ${bare} `.split(/\sto\s/i).map((half) => half.trim());
  if (halves.length === 1) return read(bare);
  const [from = "", to = ""] = halves.map((half) => (half === "*" ? "" : half));
  if (halves.length > 2 || (from === "" && to === "" && !bare.includes("*"))) {
    throw new Unreadable("must be 'A to B', 'A to', 'to B' or 'A', with ISO 8601 dates, or fx");
  }
  const start = from === "" ? undefined : read(from).start;
  const end = to === "" ? undefined : read(to).end;
  if (start !== undefined && end !== undefined && end < start) {
    throw new Unreadable("ends before it starts");
  }
  return { ...(start !== undefined && { start }), ...(end !== undefined && { end }) };
}

/** A moment as Solr writes it: years beyond four digits need no padding but a sign. */
export function solrDate(milliseconds: number | undefined): string {
  if (milliseconds === undefined) return "*";
  const text = new Date(milliseconds).toISOString();
  return text.replace(/^([+-])0*(\d{4,})/, (_, sign: string, year: string) =>
    sign === "-" || year.length > 4 ? sign + year : year,
  );
}

const LABEL = /^([+-]?\d+)-02-(?:29|30)(?!\d)/;

/** A date of a model's calendar, whose February may be longer than ours. @throws Unreadable */
const readLabel = (text: string): Required<Period> =>
  readDate(
    text.trim().replace(LABEL, (_, year: string) => `${year}-02-${daysIn(Number(year), 2)}`),
  );

/**
 * A period as a document has it: Solr's date range, which is as exact as its ends are written. Days of February that only
 * a model's calendar has become its last one.
 *
 * @throws Unreadable as readPeriod
 */
export function solrRange(text: string): string {
  const { start, end } = readPeriod(text, readLabel);
  // A whole second needs no fraction: as a start it begins it, as an end it reaches to its last millisecond.
  const from = solrDate(start).replace(/\.000Z$/, "Z");
  const to = solrDate(end).replace(/\.999Z$/, "Z");
  return `[${from} TO ${to}]`;
}

/** The two ends of a period as points in time; an end that is open, or cannot be read, has none. */
export interface Points {
  readonly start?: string;
  readonly end?: string;
}

/** A range as the index takes it; a single date is both of its ends. */
const RANGE = /^\[(\S{1,40}) TO (\S{1,40})\]$/;
const STORED_DATE =
  /^([+-]?\d{1,9})(?:-(\d\d)(?:-(\d\d)(?:T(\d\d)(?::(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?)?)?)?)?Z?$/;
/** Milliseconds of later years are more than Solr counts. */
export const MAX_STORED_YEAR = 292_000_000;

/**
 * The ends of a document's `time` as Solr's points in time take them: ISO 8601 in UTC, years with a sign before 0 and
 * after 9999. Reads whatever the index takes, so also years that no search can name. An end that is written as a whole
 * second, or as a longer unit, is the last whole second of it.
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

/** Solr's ranges begin the next day with hour 24. */
function dayAfter(year: number, month: number, day: number): string {
  if (day < daysIn(year, month)) return dateText(year, month, day + 1);
  return month < 12 ? dateText(year, month + 1, 1) : dateText(year + 1, 1, 1);
}

/** The first moment of a year of ISO's calendar, as Solr has it. */
export const startOfYear = (year: number): string => `${dateText(year, 1, 1)}T00:00:00Z`;

function dateText(year: number, month: number, day: number): string {
  const sign = year < 0 ? "-" : year > 9999 ? "+" : "";
  return `${sign}${String(Math.abs(year)).padStart(4, "0")}-${two(month)}-${two(day)}`;
}

const two = (number: number): string => String(number).padStart(2, "0");
