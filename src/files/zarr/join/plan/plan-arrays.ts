/** Plans the arrays of a joined store: for each variable of the files, the way its values are joined. */
import { TimeSlice } from "../../../../platform/concurrency/time-slices.js";
import { chunkGrid } from "../../../netcdf/chunk-table.js";
import { TooLarge } from "../../../netcdf/errors.js";
import type { LeftOut } from "../../../netcdf/model.js";
import { elementCount } from "../../../netcdf/shape.js";
import { JoinRefused } from "../../errors.js";
import { isHeld, type VariableForm } from "../file-facts.js";
import { isEnsemble, MAX_CHUNKS, type Recipe } from "../recipe.js";
import { hasTimeUnits } from "./axis-values.js";
import { planData } from "./data-variables.js";
import { coordinateNames, planFixed, type ReadFixed } from "./fixed-variables.js";
import { boundsOf, MAX_HELD, memberArray, planHeld, planTimes } from "./held-variables.js";
import type { Along } from "./joined-type.js";
import {
  type ArrayReport,
  type FileGroup,
  formIn,
  type JoinPlan,
  type KnownFile,
  MEMBER,
  type PlannedArray,
  type PlannedVariable,
  usedFiles,
} from "./planned.js";

interface PlannedArrays extends Pick<JoinPlan, "arrays" | "leftOut"> {
  readonly reports: readonly ArrayReport[];
}

/** @throws JoinRefused, TooLarge, and what `read` throws */
export async function planArrays(
  recipe: Recipe,
  axis: string,
  groups: readonly FileGroup[],
  read: ReadFixed,
): Promise<PlannedArrays> {
  const used = usedFiles(groups);
  const coordinates = coordinateNames(used);
  const bounds = new Set(used.flatMap((file) => boundsOf(file, axis)));
  const arrays = new Map<string, PlannedArray>();
  const reports: ArrayReport[] = [];
  const leftOut: LeftOut[] = [];
  if (isEnsemble(recipe)) arrays.set(MEMBER, membersOf(groups));
  const slice = new TimeSlice();
  for (const name of new Set(used.flatMap(({ facts }) => facts.forms.map((form) => form.name)))) {
    if (slice.isOver) await slice.next();
    const found = findVariable(recipe, axis, groups, name);
    const planned =
      found.along === undefined
        ? await planFixed(name, found.files, coordinates, read)
        : await planAlong(recipe, found.along, bounds);
    if (planned === undefined) {
      const reason = "its values have no fixed length, and files do not end at the ends of chunks";
      leftOut.push({ name, reason });
      continue;
    }
    arrays.set(name, planned.array);
    reports.push(planned.report);
  }
  requireBounds(arrays);
  return { arrays, reports, leftOut };
}

/** The coordinate of members. @throws JoinRefused if files use its name */
function membersOf(groups: readonly FileGroup[]): PlannedArray {
  const isTaken = usedFiles(groups).some(({ facts }) =>
    facts.forms.some(({ name, dimensions }) => name === MEMBER || dimensions.includes(MEMBER)),
  );
  if (isTaken) throw new JoinRefused(`The files have a ${MEMBER} of their own.`);
  return memberArray(groups.map(({ label }) => label));
}

/** The files that have a variable. `along` is undefined if it does not have the axis. */
function findVariable(
  recipe: Recipe,
  axis: string,
  groups: readonly FileGroup[],
  name: string,
): { readonly files: readonly KnownFile[]; readonly along: Along | undefined } {
  const having = groups.flatMap((one, index) =>
    one.runs.some(({ file }) => formIn(file, name) !== undefined) ? [index] : [],
  );
  const within = recipe.kind === "variables" ? having : [...groups.keys()];
  const runs = within.flatMap((index) => groups[index]?.runs ?? []);
  const without = runs.find(({ file }) => formIn(file, name) === undefined)?.file;
  const files: KnownFile[] = [];
  const forms = new Map<VariableForm, KnownFile>();
  for (const { file } of runs) {
    const form = formIn(file, name);
    if (form === undefined) continue;
    files.push(file);
    if (!forms.has(form)) forms.set(form, file);
  }
  if (without !== undefined && !recipe.fillsMissing) {
    throw new JoinRefused(`${without.name} has no ${name}, which ${files[0]?.name} has.`);
  }
  const [form, ...others] = [...forms.keys()];
  const isAlong = ({ dimensions }: VariableForm): boolean => dimensions.includes(axis);
  if (form === undefined || ![form, ...others].some(isAlong)) return { files, along: undefined };
  if (![form, ...others].every(isAlong))
    throw new JoinRefused(`${name} has the dimension ${axis} in some files only.`);
  const at = form.dimensions.indexOf(axis);
  const shape = form.shape.with(at, groups[within[0] ?? 0]?.steps ?? 0);
  const place = { name, axis, groups, within, runs, forms, form, at, shape };
  const lacks = without !== undefined;
  return { files, along: { ...place, hasMembers: isEnsemble(recipe), lacks } };
}

/**
 * Plans a variable along the axis.
 *
 * @param bounds names of the bounds of the axis
 * @returns undefined if its values cannot be joined, such as texts across files
 */
async function planAlong(
  recipe: Recipe,
  along: Along,
  bounds: ReadonlySet<string>,
): Promise<PlannedVariable | undefined> {
  const { name, axis, groups, within, forms, form } = along;
  const isSmall = [...forms.keys()].every((one) => isHeld(one, axis));
  if (isSmall && (bounds.has(name) || hasTimeUnits(form))) return planTimes(along);
  if (recipe.kind === "variables" && within.length > 1) {
    const labels = within.map((index) => groups[index]?.label);
    throw new JoinRefused(`${name} is in several of the datasets: ${labels.join(", ")}.`);
  }
  return isSmall ? planHeld(along) : planData(along);
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
