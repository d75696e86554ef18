/** Days (UTC) and the names of the files written for each day. */

import { DAY } from "../../domain/extent/durations.js";

export type FileKind = "audit" | "statistics";

/** The day of a time, such as 2026-11-22. */
export const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** The first of `days` days that end with `last`. */
export const firstOf = (days: number, last: string): string =>
  dayOf(Date.parse(last) - (days - 1) * DAY);

export const fileOfDay = (kind: FileKind, day: string): string => `${kind}-${day}.jsonl`;

const NAME = /^(?:audit|statistics)-(\d{4}-\d{2}-\d{2})\.jsonl$/;

/** The day in the name of a file of the audit log; undefined for any other file. */
export const dayInName = (name: string): string | undefined => NAME.exec(name)?.[1];
