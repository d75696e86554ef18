/** Reads periods as people type them. */
import { readPeriod, Unreadable } from "../extent/period.js";

/** A date, possibly with an hour. */
const DATE = String.raw`(\d{4}(?:-\d\d(?:-\d\d(?:T\d\d(?::\d\d)?)?)?)?)`;

/** Texts that people type, each with the `time` of the API that it means. */
const FORMS: readonly (readonly [typed: RegExp, time: string])[] = [
  [new RegExp(`^${DATE}$`), "$1"],
  // `1990-2000`, `1990 - 2000`, `1990..2000`, `1990/2000`, `1990 to 2000`, `from 1990 to 2000`.
  [
    new RegExp(String.raw`^(?:from |between )?${DATE} ?(?:-|–|—|\/|\.\.|to|until|and) ?${DATE}$`),
    "$1 to $2",
  ],
  [/^(?<decade>\d{3})0s$/, "$<decade>0 to $<decade>9"],
  [new RegExp(`^(?:since|from|after) ${DATE}$`), "$1 to"],
  [new RegExp(`^(?:until|till|before|to|up to) ${DATE}$`), "to $1"],
  // An ISO 8601 interval with an open end: `1990/..`.
  [/^(?:[\d-]{4,10}\/(?:\.\.)?|(?:\.\.)?\/[\d-]{4,10})$/, "$&"],
];

/** `1990-95`; `1990-12` is a month. */
const SHORT = /^(\d\d)(\d\d)(?!-(?:0\d|1[0-2])$) ?[-–/] ?(\d\d)$/;

/** As in names of files: `199001`, `19900131`, `1990013106`, `199001310630`. */
const COMPACT = /(?<!\d)(\d{4})(\d\d)(\d\d)?(\d\d)?(\d\d)?(?!\d)/g;
/** An hour, in the lower case of the typed text. */
const HOUR = /(?<=\d)t(?=\d)/g;
const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const MONTH =
  /\b(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?) (\d{4})\b/g;

/** Most words of a period. */
export const MAX_PERIOD_WORDS = 6;

/**
 * The `time` of the API that a text means: a year, month, day or hour, a range, a decade, or an open range. Undefined for other
 * text, and for dates that do not exist.
 *
 * @param typed in lower case, words separated by one blank
 */
export function typedPeriod(typed: string): string | undefined {
  // Before dates are written: `199095` is none of these.
  const text = SHORT.test(typed) ? typed.replace(SHORT, "$1$2 to $1$3") : written(withDates(typed));
  if (text === undefined) return undefined;
  try {
    readPeriod(text);
    return text;
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
}

/**
 * Reads a period that must be spelled as ISO 8601 spells its dates.
 *
 * @throws Unreadable, with that spelling if the text is a period as people type it or as names of files have it
 */
export function withSpelling<T>(text: string, read: (text: string) => T): T {
  try {
    return read(text);
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    const meant = typedPeriod(text.trim().toLowerCase().replace(/\s+/g, " "));
    if (meant === undefined) throw error;
    throw new Unreadable(`${JSON.stringify(text)} is not a period: write ${meant}`);
  }
}

/** The text with each date as ISO 8601 writes it. */
const withDates = (typed: string): string =>
  typed
    .replace(MONTH, (_, name: string, year: string) => {
      const month = MONTHS.indexOf(name.slice(0, 3)) + 1;
      return `${year}-${String(month).padStart(2, "0")}`;
    })
    .replace(COMPACT, (_, ...[year, month, day, hour, minute]: (string | undefined)[]) => {
      const date = [year, month, day].filter(Boolean).join("-");
      return hour === undefined ? date : `${date}T${[hour, minute].filter(Boolean).join(":")}`;
    })
    .replace(HOUR, "T");

function written(typed: string): string | undefined {
  const form = FORMS.find(([pattern]) => pattern.test(typed));
  return form && typed.replace(...form);
}
