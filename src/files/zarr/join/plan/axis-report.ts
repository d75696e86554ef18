/** Reports what is on the joined axis: its units, the dates of each file, and gaps. */
import { DAY } from "../../../../domain/extent/durations.js";
import { calendarDate } from "../../../cf/time-units.js";
import { numbersIn, unitsOf } from "./axis-values.js";
import { timeValues } from "./held-variables.js";
import { type FileGroup, type FileReport, type KnownFile, timesIn } from "./planned.js";
import { gapsIn } from "./segments.js";

/** The units and the calendar of the axis, as in the first file. */
export function axisTexts(
  file: KnownFile | undefined,
  axis: string,
): { units: string; calendar: string } {
  const values = file && timeValues(file, axis, axis);
  return { units: values?.units ?? "", calendar: values?.calendar || "standard" };
}

/** A sentence for each gap of the axis. */
export function gapTexts(groups: readonly FileGroup[], axis: string): string[] {
  const [first] = groups;
  if (first === undefined) return [];
  return gapsIn(timesIn(first)).map(({ before, milliseconds }) => {
    const days = Math.round((milliseconds / DAY) * 100) / 100;
    return `${days} days without values before ${dateAt(first, before, axis)}.`;
  });
}

/** The date of a step of the joined axis. */
function dateAt({ runs }: FileGroup, step: number, axis: string): string {
  const run = runs.findLast(({ start }) => start <= step);
  const values = run && timeValues(run.file, axis, axis);
  if (run === undefined || values === undefined) return "";
  const number = numbersIn(values.form, values.bytes)[step - run.start + run.from];
  return calendarDate(Number(number), unitsOf(values));
}

/** The steps and dates of each file. */
export const fileReports = (groups: readonly FileGroup[], axis: string): FileReport[] =>
  groups.flatMap((one) =>
    one.runs.map(({ file, start, length }) => ({
      file: file.name,
      group: one.label,
      ...{ start, steps: length },
      first: dateAt(one, start, axis),
      last: dateAt(one, start + length - 1, axis),
    })),
  );
