/** Reads the time range in a file name as a period. */

/** Digits alone, or a date of ISO 8601: 2020-01, 2020-01-31, 20200131T0600Z, 2020-01-31T06:00:00Z. */
const INSTANT = String.raw`\d{4,14}|\d{4}-\d\d(?:-\d\d)?|\d{4}(?:\d{4}|-\d\d-\d\d)T\d\d(?::?\d\d){0,2}Z?`;
const RANGE = new RegExp(`^(${INSTANT})(?:-(${INSTANT}))?$`);

/** Whether a text has both ends of a period, such as `1850-1859`. */
export const isNameRange = (text: string): boolean =>
  RANGE.exec(text)?.[2] !== undefined && readNameTime(text) !== undefined;

/**
 * The period of `185001-201412` or `2020-01-31`, to the end of the last unit; a single date covers its whole unit. Month,
 * day, hour, minute and second have two digits each; an odd number of digits means a year of five (CMIP6 file names,
 * section 2; CMIP5 DRS 3.3).
 *
 * A day that the index does not have, such as 30 February of a 360-day calendar, becomes the last one of its month.
 *
 * @returns `[A TO B]`, to the second, UTC; undefined if the text is no time range
 */
export function readNameTime(text: string): string | undefined {
  const [, first, last = first] = RANGE.exec(text) ?? [];
  if (first === undefined || first.length !== last?.length) return undefined;
  const start = readInstant(first.replaceAll(/\D/g, ""), false);
  const end = readInstant(last.replaceAll(/\D/g, ""), true);
  if (start === undefined || end === undefined || end.order < start.order) return undefined;
  return `[${start.iso} TO ${end.iso}]`;
}

/** A number that grows with time, for years of any length, and its text. */
interface Instant {
  readonly order: number;
  readonly iso: string;
}

function readInstant(digits: string, isEnd: boolean): Instant | undefined {
  const width = digits.length % 2 === 0 ? 4 : 5;
  const year = Number(digits.slice(0, width));
  const rest = (digits.slice(width).match(/\d\d/g) ?? []).map(Number);
  const least = [1, 1, 0, 0, 0];
  const most = [12, 31, 23, 59, 59];
  // CMOR sometimes writes the midnight that ends a day as 24.
  if (rest[2] === 24 && !rest[3] && !rest[4]) rest.splice(2, 3, 23, 59, 59);
  if (rest.some((unit, i) => unit < (least[i] ?? 0) || unit > (most[i] ?? 0))) return undefined;
  const [month = 1, day = 1, ...time] = least.map(
    (lowest, i) => rest[i] ?? (isEnd ? (most[i] ?? 0) : lowest),
  );
  const date = [month, Math.min(day, daysOf(year, month))];
  const iso = `${date.map(two).join("-")}T${time.map(two).join(":")}Z`;
  const order = [...date, ...time].reduce((sum, unit) => sum * 100 + unit, year);
  return { order, iso: `${yearText(year)}-${iso}` };
}

const two = (number: number): string => `${number}`.padStart(2, "0");
const yearText = (year: number): string => (year > 9999 ? `+${year}` : `${year}`.padStart(4, "0"));

function daysOf(year: number, month: number): number {
  const date = new Date(0);
  date.setUTCFullYear(year, month, 0);
  return date.getUTCDate();
}
