/** Lengths of time, in milliseconds. */
export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
/** The mean year of the ISO 8601 calendar. */
export const YEAR = 365.2425 * DAY;
/** The last date of JavaScript, in milliseconds since 1970. */
export const MAX_DATE = 8.64e15;
