/** Reads periods as people type them. */
import { readPeriod, Unreadable } from "../extent/period.js";

const ONE = /^\d{4}(?:-\d\d(?:-\d\d)?)?$/;
/** `1990-2000`, `1990 - 2000`, `1990..2000`, `1990/2000`, `1990 to 2000`, `from 1990 to 2000`. */
const BOTH =
  /^(?:from |between )?(\d{4}(?:-\d\d(?:-\d\d)?)?) ?(?:-|–|—|\/|\.\.|to|until|and) ?(\d{4}(?:-\d\d(?:-\d\d)?)?)$/;
/** `1990-95`. */
const SHORT = /^(\d\d)(\d\d) ?[-–/] ?(\d\d)$/;
const DECADE = /^(\d{3})0s$/;
const SINCE = /^(?:since|from|after) (\d{4}(?:-\d\d(?:-\d\d)?)?)$/;
const UNTIL = /^(?:until|till|before|to|up to) (\d{4}(?:-\d\d(?:-\d\d)?)?)$/;

/** An ISO 8601 interval with an open end: `1990/..`. */
const INTERVAL = /^(?:[\d-]{4,10}\/(?:\.\.)?|(?:\.\.)?\/[\d-]{4,10})$/;

/** Most words of a period. */
export const MAX_PERIOD_WORDS = 4;

/**
 * The `time` of the API that a text means: a year, month or day, a range, a decade, or an open range. Undefined for other
 * text, and for dates that do not exist.
 *
 * @param typed in lower case, words separated by one blank
 */
export function typedPeriod(typed: string): string | undefined {
  const text = written(typed);
  if (text === undefined) return undefined;
  try {
    readPeriod(text);
    return text;
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
}

function written(typed: string): string | undefined {
  if (ONE.test(typed)) return typed;
  const [, from, to] = BOTH.exec(typed) ?? [];
  if (from !== undefined) return `${from} to ${to}`;
  const [, century, year, last] = SHORT.exec(typed) ?? [];
  if (century !== undefined) return `${century}${year} to ${century}${last}`;
  const [, decade] = DECADE.exec(typed) ?? [];
  if (decade !== undefined) return `${decade}0 to ${decade}9`;
  const [, first] = SINCE.exec(typed) ?? [];
  if (first !== undefined) return `${first} to`;
  const [, end] = UNTIL.exec(typed) ?? [];
  if (end !== undefined) return `to ${end}`;
  return INTERVAL.test(typed) ? typed : undefined;
}
