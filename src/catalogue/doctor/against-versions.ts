/** Compares the newest version of a dataset with the older ones, which searches hide. */
import { stepOf } from "../../domain/extent/frequency-step.js";
import { newestFirst } from "../../domain/vocabulary/version-rank.js";
import { groupBy } from "../../platform/group-by.js";
import { about, dateOf, MAX_OTHERS } from "./against-dataset.js";
import type { IndexedFile } from "./entry.js";
import type { Finding } from "./kinds.js";
import { CALENDARS, type Label, type Span, stepsBetween } from "./span.js";

/** The files of one version with the same variable, member and grid. */
interface Series {
  readonly entries: readonly IndexedFile[];
  /** From the first to the last time, if those of all its files are known. */
  readonly span: Span | undefined;
}

/** The series of a version by what they are of. */
type Version = ReadonlyMap<string, Series>;

/**
 * Where the newest version of a dataset covers less time than an older one, or lacks a variable of it. Each is reported once, against
 * the newest version that has it.
 */
export function* compareVersions(entries: readonly IndexedFile[]): Generator<Finding> {
  const versions = groupBy(entries, ({ version }) => version);
  // Files without a version are no older version of others.
  versions.delete("");
  const [newest, ...older] = [...versions]
    .sort(([a], [b]) => newestFirst(a, b))
    .map(([, files]) => seriesOf(files));
  const example = newest?.values().next().value?.entries[0];
  if (newest === undefined || example === undefined) return;
  const reported = new Set<string>();
  for (const version of older) {
    for (const [what, before] of version) {
      const detail = reported.has(what) ? undefined : lost(newest.get(what), before);
      if (detail === undefined) continue;
      reported.add(what);
      yield {
        kind: "shorter",
        ...about(newest.get(what)?.entries[0] ?? example),
        detail,
        others: before.entries.slice(0, MAX_OTHERS).map(({ file }) => file),
      };
    }
  }
}

function seriesOf(entries: readonly IndexedFile[]): Version {
  const series = groupBy(entries, (entry) => entry.series);
  return new Map(
    [...series].map(([what, list]) => [what, { entries: list, span: wholeSpan(list) }]),
  );
}

function wholeSpan(entries: readonly IndexedFile[]): Span | undefined {
  const spans = entries.flatMap(({ span }) => span ?? []);
  const [first, ...others] = spans;
  if (first === undefined || spans.length < entries.length) return undefined;
  return others.reduce(
    (whole, { start, end, isClosed }) => ({
      start: start.order < whole.start.order ? start : whole.start,
      ...(end.order > whole.end.order
        ? { end, isClosed }
        : { end: whole.end, isClosed: whole.isClosed }),
    }),
    first,
  );
}

/** What the newest version lacks of a series of an older one; undefined if nothing, or if that is not certain. */
function lost(now: Series | undefined, { entries, span: before }: Series): string | undefined {
  const [{ version = "", variables = "", frequency = "" } = {}] = entries;
  if (now === undefined)
    return `is of a version that lacks ${variables || "a part"} of the older version ${version}`;
  const { span } = now;
  const step = stepOf(frequency);
  if (span === undefined || before === undefined || step === undefined) return undefined;
  const isLater = (from: Label, to: Label): boolean =>
    CALENDARS.every((calendar) => stepsBetween(from, to, calendar, step) >= 1);
  if (!isLater(before.start, span.start) && !isLater(span.end, before.end)) return undefined;
  const period = ({ start, end }: Span): string => `${dateOf(start)} to ${dateOf(end)}`;
  return `is of a version that covers ${period(span)}, less than ${period(before)} of the older version ${version}`;
}
