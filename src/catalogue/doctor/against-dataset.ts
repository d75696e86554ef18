/** Compares the files of one dataset with each other: times and calendars. */

import { stepOf } from "../../domain/extent/frequency-step.js";
import type { Calendar } from "../../files/cf/calendar.js";
import { groupBy } from "../../platform/group-by.js";
import type { IndexedFile } from "./entry.js";
import type { Finding } from "./kinds.js";
import type { ProblemCounter } from "./problem-counter.js";
import type { ReadHeader } from "./read-header.js";
import type { Group } from "./read-index.js";
import { type Break, findBreaks } from "./times.js";

/** Headers that were read, by file. */
type Headers = ReadonlyMap<string, ReadHeader>;

export function* compareWithin(
  group: Group,
  headers: Headers,
  counter: ProblemCounter,
): Generator<Finding> {
  const { dataset_id, entries, isPart } = group;
  if (dataset_id === undefined) {
    counter.addUnknown("dataset", entries.length);
    return;
  }
  for (const stream of groupBy(entries, (entry) => entry.stream).values()) {
    yield* calendars(stream, headers);
    if (isPart) counter.addUnknown("crowded", stream.length);
    else yield* times(stream, headers, counter);
  }
}

export function about({
  file,
  dataset_id,
  version,
}: IndexedFile): Pick<Finding, "file" | "dataset_id" | "version"> {
  return {
    file,
    ...(dataset_id !== undefined && { dataset_id }),
    ...(version !== "" && { version }),
  };
}

/** From this year on, the year after the reform, the standard calendar equals the proleptic Gregorian one. */
const REFORMED = 1583;

function calendarName({ name }: Calendar, { span }: IndexedFile): string {
  const isLater = span !== undefined && span.start.year >= REFORMED;
  return name === "standard" && isLater ? "proleptic_gregorian" : name;
}

function* calendars(stream: readonly IndexedFile[], headers: Headers): Generator<Finding> {
  const named = stream.flatMap((entry) => {
    const calendar = headers.get(entry.file)?.calendar;
    return calendar === undefined ? [] : [{ entry, name: calendarName(calendar, entry) }];
  });
  const byName = groupBy(named, ({ name }) => name);
  if (byName.size < 2) return;
  const [[usual, most] = ["", []], ...others] = [...byName].sort(
    ([, a], [, b]) => b.length - a.length,
  );
  for (const [name, few] of others) {
    const [first, ...rest] = few.map(({ entry }) => entry) as [IndexedFile, ...IndexedFile[]];
    const more = rest.length === 0 ? "" : `, as do ${rest.length} more,`;
    yield {
      kind: "calendar",
      ...about(first),
      detail: `counts its time in the calendar ${name}${more} where ${most.length} of its data set have ${usual}`,
      others: [...rest, ...most.slice(0, 1).map(({ entry }) => entry)]
        .slice(0, MAX_OTHERS)
        .map(({ file }) => file),
    };
  }
}

export const MAX_OTHERS = 100;

function* times(
  stream: readonly IndexedFile[],
  headers: Headers,
  counter: ProblemCounter,
): Generator<Finding> {
  const varying = stream.filter(({ isConstant }) => !isConstant);
  const timed = varying.flatMap((entry) => {
    const calendar = headers.get(entry.file)?.calendar;
    return entry.span === undefined
      ? []
      : [{ file: entry.file, span: entry.span, calendar, entry }];
  });
  counter.addUnknown("time", varying.length - timed.length);
  if (timed.length < 2) return;
  const frequency = timed[0]?.entry.frequency;
  const step = frequency === undefined ? undefined : stepOf(frequency);
  if (step === undefined) {
    counter.addUnknown("frequency", timed.length);
    return;
  }
  const { breaks, needsCalendar: hangOnCalendar, needsStep: hangOnStep } = findBreaks(timed, step);
  counter.addUnknown("calendar", hangOnCalendar.length);
  counter.addUnknown("step", hangOnStep.length);
  // A file without a time may fill the gap.
  const isWhole = timed.length === varying.length;
  for (const one of breaks) {
    const after = one.after as (typeof timed)[number];
    if (one.kind === "gap" && !isWhole) {
      counter.addUnknown("time");
      continue;
    }
    yield {
      kind: one.kind,
      ...about(after.entry),
      detail: detailOf(one, frequency ?? ""),
      others: [one.before.file],
    };
  }
}

function detailOf({ kind, steps: [least, most], before, after }: Break, frequency: string): string {
  const count = least === most ? `${least}` : `${least} to ${most}`;
  const steps = `${count} ${most === 1 ? "step" : "steps"} of ${frequency}`;
  const { start } = after.span;
  const { end, isClosed } = before.span;
  return kind === "gap"
    ? `begins at ${dateOf(start)}, ${steps} after the end of what comes before it (${isClosed ? "until" : "last at"} ${dateOf(end)})`
    : `begins at ${dateOf(start)}, and has ${steps} that another file has as well (${isClosed ? "until" : "last at"} ${dateOf(end)})`;
}

const two = (number: number): string => `${number}`.padStart(2, "0");

/** A date, with the time of day unless it is a whole day. */
export function dateOf({ year, month, day, time }: Break["after"]["span"]["start"]): string {
  const minutes = Math.floor(time / 60_000);
  const isWholeDay = minutes === 0 || minutes === 24 * 60;
  const clock = isWholeDay ? "" : ` ${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
  return `${year}-${two(month)}-${two(day)}${clock}`;
}
