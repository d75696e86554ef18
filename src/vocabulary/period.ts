/**
 * A period of time as a caller writes it, in a search or of a document.
 *
 * Source: search-semantics, "Filters"; ISO 8601 dates, possibly truncated.
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

const DATE =
  /^(\d{4}|[+-]\d{4,6})(?:-(\d\d)(?:-(\d\d)(?:[T ](\d\d)(?::?(\d\d)(?::?(\d\d)(?:[.,](\d{1,9}))?)?)?(Z|[+-]\d\d(?::?\d\d)?)?)?)?)?$/i;
const BASIC_DATE = /^(\d{4})(\d\d)(\d\d)(?=$|T)/i;

const MINUTE = 60_000;
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
 * @throws Unreadable when it is none of these, or ends before it starts
 */
export function readPeriod(text: string): Period {
  if (isConstant(text)) return {};
  const bare = bounded(text)
    .trim()
    .replace(/^\[(.*)\]$/s, "$1");
  const halves = ` ${bare} `.split(/\sto\s/i).map((half) => half.trim());
  if (halves.length === 1) return readDate(bare);
  const [from = "", to = ""] = halves.map((half) => (half === "*" ? "" : half));
  if (halves.length > 2 || (from === "" && to === "" && !bare.includes("*"))) {
    throw new Unreadable("must be 'A to B', 'A to', 'to B' or 'A', with ISO 8601 dates, or fx");
  }
  const start = from === "" ? undefined : readDate(from).start;
  const end = to === "" ? undefined : readDate(to).end;
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

/**
 * A period as a document has it: Solr's date range, which is as exact as its ends are written.
 *
 * @throws Unreadable as readPeriod
 */
export function solrRange(text: string): string {
  const { start, end } = readPeriod(text);
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

/** As most documents have it. */
const WHOLE = /^\[(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ) TO (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)\]$/;

/**
 * The ends of a document's `time` as Solr's points in time take them, ISO 8601 in UTC. An end that is written as a whole
 * second, or as a longer unit, is the last whole second of it.
 */
export function pointsOf(range: string): Points {
  try {
    const { start, end } = readPeriod(range);
    const whole = WHOLE.exec(range);
    if (whole !== null) return { start: whole[1] as string, end: whole[2] as string };
    return {
      ...(start !== undefined && { start: solrDate(start).replace(/\.000Z$/, "Z") }),
      ...(end !== undefined && { end: solrDate(end).replace(/\.(?:000|999)Z$/, "Z") }),
    };
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    return {};
  }
}
