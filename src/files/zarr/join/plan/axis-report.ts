/** Reports what is on the joined axis: its units, the dates of each file, and gaps. */
import { DAY } from "../../../../domain/extent/durations.js";
import { calendarDate } from "../../../cf/time-units.js";
import { unitsOf } from "./axis-values.js";
import { timeValues } from "./held-variables.js";
import {
  type FileGroup,
  type FileReport,
  type FileRun,
  type KnownFile,
  sizeOf,
  timesIn,
} from "./planned.js";
import { gapsIn } from "./segments.js";
import { numbersIn } from "./stored-numbers.js";

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
  return gapsIn(timesIn(first)).map(({ before, milliseconds, usual }) => {
    const [from, to] = [before - 1, before].map((step) => {
      const run = first.runs.findLast(({ start }) => start <= step);
      return run === undefined ? "" : dateAt(run, step, axis);
    });
    return `${days(milliseconds)} days from ${from} to ${to}, where ${days(usual)} are usual.`;
  });
}

const days = (milliseconds: number): number => Math.round((milliseconds / DAY) * 100) / 100;

/** The date of a step of the joined axis, by the run that has the step. */
function dateAt({ file, start, from }: FileRun, step: number, axis: string): string {
  const values = timeValues(file, axis, axis);
  if (values === undefined) return "";
  const { form, bytes } = values;
  const size = sizeOf(form.type);
  const at = (step - start + from) * size;
  const number = numbersIn(form, bytes.subarray(at, at + size)).at(0);
  return calendarDate(Number(number), unitsOf(values));
}

/** The steps and dates of each file. */
export const fileReports = (groups: readonly FileGroup[], axis: string): FileReport[] =>
  groups.flatMap(({ label, runs }) =>
    runs.map((run) => ({
      file: run.file.name,
      group: label,
      start: run.start,
      steps: run.length,
      first: dateAt(run, run.start, axis),
      last: dateAt(run, run.start + run.length - 1, axis),
    })),
  );
