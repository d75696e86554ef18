/** Days of UTC, and the files that are written for each: the one place where they are named. */

/** Milliseconds. */
const DAY = 86_400_000;

/** What is written of a day. */
export type FileKind = "audit" | "statistics";

/** The day of a time, such as 2026-11-22. */
export const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** The first of so many days of which this is the last. */
export const firstOf = (days: number, last: string): string =>
  dayOf(Date.parse(last) - (days - 1) * DAY);

export const fileOfDay = (kind: FileKind, day: string): string => `${kind}-${day}.jsonl`;

const NAME = /^(?:audit|statistics)-(\d{4}-\d{2}-\d{2})\.jsonl$/;

/** The day of a file that is written here; undefined of any other. */
export const dayInName = (name: string): string | undefined => NAME.exec(name)?.[1];
