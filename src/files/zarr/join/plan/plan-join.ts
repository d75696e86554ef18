/**
 * Plans the joining of files: decides for each variable where its values come from, or refuses with the names of the files
 * that do not fit. The rules are in docs/joins.md.
 */
import { DAY } from "../../../../domain/extent/durations.js";
import { TimeSlice } from "../../../../platform/concurrency/time-slices.js";
import { groupBy } from "../../../../platform/group-by.js";
import { agreeFrom } from "../../../cf/calendar.js";
import { chunkGrid } from "../../../netcdf/chunk-table.js";
import { TooLarge } from "../../../netcdf/errors.js";
import { elementCount } from "../../../netcdf/shape.js";
import { JoinRefused } from "../../errors.js";
import { isHeld } from "../file-facts.js";
import { isEnsemble, MAX_CHUNKS, type Recipe } from "../recipe.js";
import { type Attributed, requireOneDataset, uniteGlobal } from "./attributes.js";
import { axisTexts, fileReports, gapTexts } from "./axis-report.js";
import { calendarsDiffer, hasTimeUnits, timesOf, unitsOf } from "./axis-values.js";
import { MEMBER, type PlannedVariable, planData } from "./data-variables.js";
import { coordinateNames, planFixed, type ReadFixed } from "./fixed-variables.js";
import {
  boundsOf,
  MAX_HELD,
  memberArray,
  planHeld,
  planTimes,
  timeValues,
} from "./held-variables.js";
import type { Along } from "./joined-type.js";
import {
  type ArrayReport,
  type FileGroup,
  type FileOnAxis,
  type FileRun,
  formIn,
  type JoinPlan,
  type KnownFile,
  type PlannedArray,
  timesIn,
} from "./planned.js";
import { inOrder, type Overlap } from "./segments.js";

/** Steps of a joined axis. */
const MAX_STEPS = 2 << 20;

/**
 * @param files all files of the recipe, in its order
 * @param read reads a variable that all files share
 * @throws JoinRefused, TooLarge, and what `read` throws
 */
export async function planJoin(
  recipe: Recipe,
  files: readonly KnownFile[],
  read: ReadFixed,
): Promise<JoinPlan> {
  for (const { name, facts } of files) {
    const [refusal] = facts.refusals;
    if (refusal !== undefined) throw new JoinRefused(`${name} ${refusal}.`);
  }
  for (const own of groupBy(files, ({ place }) => place.group).values())
    requireOneDataset(globalOf(own));
  const axis = axisOf(files);
  const onAxis = await decode(files, axis);
  const { groups, overlaps, notes } = group(recipe, onAxis);
  const used = groups.flatMap(({ runs }) => runs.map(({ file }) => file));
  const gaps = gapTexts(groups, axis);
  if (recipe.isStrict && gaps.length + overlaps.length > 0) {
    throw new JoinRefused(`The join is strict: ${[...gaps, ...overlaps][0]}`);
  }
  const coordinates = coordinateNames(used);
  const arrays = new Map<string, PlannedArray>();
  const reports: ArrayReport[] = [];
  const leftOut: { name: string; reason: string }[] = [];
  const hasMembers = isEnsemble(recipe);
  if (hasMembers) {
    if (
      used.some(({ facts }) =>
        facts.forms.some(({ name, dimensions }) => name === MEMBER || dimensions.includes(MEMBER)),
      )
    ) {
      throw new JoinRefused(`The files have a ${MEMBER} of their own.`);
    }
    arrays.set(MEMBER, memberArray(groups.map(({ label }) => label)));
  }
  const add = ({ array, report }: PlannedVariable): void => {
    arrays.set(report.name, array);
    reports.push(report);
  };
  const slice = new TimeSlice();
  for (const name of new Set(used.flatMap(({ facts }) => facts.forms.map((form) => form.name)))) {
    if (slice.isOver) await slice.next();
    const having = groups.flatMap((one, index) =>
      one.runs.some(({ file }) => formIn(file, name) !== undefined) ? [index] : [],
    );
    const within = recipe.kind === "variables" ? having : [...groups.keys()];
    const own = within.flatMap((index) => groups[index]?.runs ?? []).map(({ file }) => file);
    const without = own.find((file) => formIn(file, name) === undefined);
    if (without !== undefined && !recipe.fillsMissing) {
      const other = own.find((file) => formIn(file, name) !== undefined);
      throw new JoinRefused(`${without.name} has no ${name}, which ${other?.name} has.`);
    }
    const with_ = own.filter((file) => formIn(file, name) !== undefined);
    const forms = with_.flatMap((file) => formIn(file, name) ?? []);
    const along = forms.filter(({ dimensions }) => dimensions.includes(axis));
    if (along.length === 0) {
      const { array, notes: more } = await planFixed(name, with_, coordinates, read);
      arrays.set(name, array);
      const chunks = elementCount(chunkGrid(array.plan.variable.shape, array.plan.chunks));
      reports.push({ name, mode: "shared", chunks, passed: chunks, reasons: more });
      continue;
    }
    if (along.length < forms.length)
      throw new JoinRefused(`${name} has the dimension ${axis} in some files only.`);
    const wanted: Along = { name, axis, groups, within, hasMembers };
    const [form] = along;
    const areTimes =
      used.some((file) => boundsOf(file, axis).includes(name)) ||
      (form !== undefined && hasTimeUnits(form));
    const isSmall = along.every((one) => isHeld(one, axis));
    if (isSmall && areTimes) add(planTimes(wanted));
    else if (recipe.kind === "variables" && within.length > 1) {
      throw new JoinRefused(
        `${name} is in several of the datasets: ${within.map((index) => groups[index]?.label).join(", ")}.`,
      );
    } else if (isSmall) add(planHeld(wanted, without !== undefined));
    else {
      const planned = planData(wanted, without !== undefined);
      if (planned !== undefined) add(planned);
      else
        leftOut.push({
          name,
          reason: "its values have no fixed length, and files do not end at the ends of chunks",
        });
    }
  }
  requireBounds(arrays);
  const { attributes, dropped } = uniteGlobal(globalOf(used));
  const unread = [...new Set(used.flatMap(({ facts }) => facts.leftOut))].slice(0, 20);
  return {
    ...{ recipe, arrays, attributes, leftOut },
    groups: groups.map((one) => ({ ...one, runs: one.runs.map(slim) })),
    report: {
      axis: { name: axis, steps: groups[0]?.steps ?? 0, ...axisTexts(used[0], axis) },
      members: recipe.kind === "dataset" ? [] : groups.map(({ label }) => label),
      files: fileReports(groups, axis),
      arrays: reports,
      ...{ gaps, overlaps },
      notes: [
        ...notes,
        ...(dropped.length === 0
          ? []
          : [`Global attributes that differ are left out: ${dropped.join(", ")}.`]),
        ...leftOut.map(({ name, reason }) => `${name} is left out: ${reason}.`),
        ...unread,
      ],
    },
  };
}

/** The global attributes of files. */
const globalOf = (files: readonly KnownFile[]): Attributed[] =>
  files.map(({ name, facts }) => ({ file: name, attributes: facts.attributes }));

const NO_TIMES = new Float64Array();
const NOTHING = { attributes: [], held: new Map(), digests: new Map(), refusals: [], leftOut: [] };

/** A run without what only planning needs, as a plan is kept for long. */
function slim({ file, ...run }: FileRun): FileRun {
  const facts = { ...file.facts, ...NOTHING };
  return { ...run, file: { ...file, facts, times: NO_TIMES } };
}

function axisOf(files: readonly KnownFile[]): string {
  const [first] = files;
  const name = first?.facts.axis?.name;
  if (first === undefined || name === undefined)
    throw new JoinRefused("There are no files to join.");
  const other = files.find(({ facts }) => facts.axis?.name !== name);
  if (other !== undefined) {
    throw new JoinRefused(
      `The time axes differ: ${name} in ${first.name}, ${other.facts.axis?.name} in ${other.name}.`,
    );
  }
  return name;
}

/** The times of all files. @throws JoinRefused if calendars differ */
async function decode(files: readonly KnownFile[], axis: string): Promise<FileOnAxis[]> {
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
    onAxis.push({ ...file, times: timesOf(values) });
    if (slice.isOver) await slice.next();
  }
  const firsts = onAxis.flatMap(({ times }) => (times.length > 0 ? [times[0] ?? 0] : []));
  const earliest =
    firsts.reduce((least, one) => Math.min(least, one), Number.POSITIVE_INFINITY) / DAY;
  const [first] = files;
  const own = first && timeValues(first, axis, axis);
  for (const file of files) {
    const theirs = timeValues(file, axis, axis);
    if (own === undefined || theirs === undefined) continue;
    if (!agreeFrom(unitsOf(own).calendar, unitsOf(theirs).calendar, earliest))
      throw calendarsDiffer(own, theirs);
  }
  return onAxis;
}

/** The files of each group in order. All groups must have the same times. @throws JoinRefused */
function group(recipe: Recipe, files: readonly FileOnAxis[]) {
  const byLabel = groupBy(files, ({ place }) => (recipe.kind === "dataset" ? "" : place.group));
  const overlaps: Overlap[] = [];
  const notes: string[] = [];
  const groups = [...byLabel.keys()].sort().map((label): FileGroup => {
    const ordered = inOrder(byLabel.get(label) ?? []);
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
  const [first] = groups;
  const expected = first === undefined ? new Float64Array() : timesIn(first);
  for (const other of groups) {
    const times = timesIn(other);
    const at = times.findIndex((time, i) => Math.abs(time - (expected[i] ?? Number.NaN)) > 0.5);
    if (at < 0 && times.length === expected.length) continue;
    throw new JoinRefused(
      `The times of ${first?.label} and ${other.label} differ: ${expected.length} and ${times.length} steps${at < 0 ? "" : `, from step ${at} on`}.`,
    );
  }
  return {
    groups,
    notes,
    overlaps: overlaps.map(({ kept, cut, steps, isWhole }) =>
      isWhole
        ? `${cut} is not used: all its ${steps} steps are in ${kept}.`
        : `${cut} and ${kept} share ${steps} ${steps === 1 ? "step" : "steps"}: those of ${kept} are used.`,
    ),
  };
}

/** @throws TooLarge */
function requireBounds(arrays: ReadonlyMap<string, PlannedArray>): void {
  let chunks = 0;
  let held = 0;
  for (const { plan, origin } of arrays.values()) {
    chunks += elementCount(chunkGrid(plan.variable.shape, plan.chunks));
    if (origin.kind === "held") held += origin.bytes.length;
  }
  if (chunks > MAX_CHUNKS) {
    throw new TooLarge(
      `The joined data have ${chunks} chunks, and at most ${MAX_CHUNKS} are served: join fewer files.`,
    );
  }
  if (held > MAX_HELD)
    throw new TooLarge("The joined data have more values along time than are held in memory.");
}
