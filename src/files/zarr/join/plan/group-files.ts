/** Groups files by member or dataset and orders them along the joining axis. All groups must have the same times. */
import { DAY } from "../../../../domain/extent/durations.js";
import { TimeSlice } from "../../../../platform/concurrency/time-slices.js";
import { groupBy } from "../../../../platform/group-by.js";
import { agreeFrom } from "../../../cf/calendar.js";
import { TooLarge } from "../../../netcdf/errors.js";
import { JoinRefused } from "../../errors.js";
import type { Recipe } from "../recipe.js";
import { calendarsDiffer, timesOf, unitsOf } from "./axis-values.js";
import { timeValues } from "./held-variables.js";
import {
  type FileGroup,
  type FileOnAxis,
  formIn,
  type JoinPlan,
  type JoinReport,
  type KnownFile,
  timesIn,
} from "./planned.js";
import { inOrder, type Overlap } from "./segments.js";

/** Steps of a joined axis. */
const MAX_STEPS = 2 << 20;

type GroupedFiles = Pick<JoinPlan, "groups"> & Pick<JoinReport, "overlaps" | "notes">;

/** @throws JoinRefused, TooLarge */
export async function groupFiles(
  recipe: Recipe,
  files: readonly KnownFile[],
  axis: string,
): Promise<GroupedFiles> {
  const onAxis = await readTimes(files, axis);
  requireOneCalendar(onAxis, axis);
  const byLabel = groupBy(onAxis, ({ place }) => (recipe.kind === "dataset" ? "" : place.group));
  const overlaps: Overlap<KnownFile>[] = [];
  const notes: string[] = [];
  const groups = [...byLabel.keys()].sort().map((label): FileGroup => {
    const ordered = inOrder(byLabel.get(label) ?? []);
    for (const overlap of ordered.overlaps) requireAllKept(overlap, axis);
    overlaps.push(...ordered.overlaps);
    if (ordered.empty.length > 0)
      notes.push(`Files without steps are left out: ${ordered.empty.join(", ")}.`);
    let start = 0;
    const runs = ordered.segments.map(({ file, from, to }) => {
      const run = { file, start, from, length: to - from };
      start += run.length;
      return run;
    });
    if (runs.length === 0) throw new JoinRefused("The files have no times.");
    return { label, runs, steps: start };
  });
  requireSameTimes(groups);
  return { groups, notes, overlaps: overlaps.map(overlapText) };
}

/** The times of all files. */
async function readTimes(files: readonly KnownFile[], axis: string): Promise<FileOnAxis[]> {
  let steps = 0;
  const slice = new TimeSlice();
  const onAxis: FileOnAxis[] = [];
  for (const file of files) {
    const values = timeValues(file, axis, axis);
    if (values === undefined) throw new JoinRefused(`${file.name} has no ${axis}.`);
    steps += file.facts.axis?.length ?? 0;
    if (steps > MAX_STEPS) {
      throw new TooLarge(
        `The files have more than the ${MAX_STEPS} steps that one store may have.`,
      );
    }
    onAxis.push({ ...file, times: await timesOf(values) });
    if (slice.isOver) await slice.next();
  }
  return onAxis;
}

/** Calendars must agree from the earliest time on. */
function requireOneCalendar(files: readonly FileOnAxis[], axis: string): void {
  const earliest = files.reduce(
    (least, { times }) => Math.min(least, times[0] ?? Number.POSITIVE_INFINITY),
    Number.POSITIVE_INFINITY,
  );
  const [first] = files;
  const own = first && timeValues(first, axis, axis);
  for (const file of files) {
    const theirs = timeValues(file, axis, axis);
    if (own === undefined || theirs === undefined) continue;
    if (!agreeFrom(unitsOf(own).calendar, unitsOf(theirs).calendar, earliest / DAY))
      throw calendarsDiffer(own, theirs);
  }
}

function requireSameTimes([first, ...others]: readonly FileGroup[]): void {
  if (first === undefined) return;
  const expected = timesIn(first);
  for (const other of others) {
    const times = timesIn(other);
    const at = times.findIndex((time, i) => Math.abs(time - (expected[i] ?? Number.NaN)) > 0.5);
    if (at < 0 && times.length === expected.length) continue;
    throw new JoinRefused(
      `The times of ${first.label} and ${other.label} differ: ${expected.length} and ${times.length} steps${at < 0 ? "" : `, from step ${at} on`}.`,
    );
  }
}

/** Steps are left out only if the file that keeps them has the same variables. */
function requireAllKept({ kept, cut, isWhole }: Overlap<KnownFile>, axis: string): void {
  const lost = cut.facts.forms.find(
    ({ name, dimensions }) =>
      formIn(kept, name) === undefined && (isWhole || dimensions.includes(axis)),
  );
  if (lost === undefined) return;
  throw new JoinRefused(
    `${cut.name} and ${kept.name} have the same times, and ${kept.name} has no ${lost.name}.`,
  );
}

const overlapText = ({ kept, cut, steps, isWhole }: Overlap<KnownFile>): string =>
  isWhole
    ? `${cut.name} is not used: all its ${steps} steps are in ${kept.name}.`
    : `${cut.name} and ${kept.name} share ${steps} ${steps === 1 ? "step" : "steps"}: those of ${kept.name} are used.`;
