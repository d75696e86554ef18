/** Variables without the joining axis: all files must agree on them. */
import { eachInSlices } from "../../../../platform/concurrency/time-slices.js";
import { chunkGrid } from "../../../netcdf/chunk-table.js";
import type { Variable } from "../../../netcdf/model.js";
import { elementCount } from "../../../netcdf/shape.js";
import { JoinRefused } from "../../errors.js";
import { planArray } from "../../metadata/array-plan.js";
import type { VariableForm } from "../file-facts.js";
import { uniteVariable } from "./attributes.js";
import { requireSameMissing } from "./axis-values.js";
import { attributed, formIn, type KnownFile, type PlannedVariable } from "./planned.js";
import { numbersIn } from "./stored-numbers.js";

/** The part of the spacing of coordinates by which they may differ. */
const TOLERANCE = 1e-6;
/** Values of coordinates that are compared one by one. */
const MAX_COMPARED = 16 << 20;

/** A variable of a file: how it is stored, and what reads its plain values. */
export interface FixedValues {
  readonly variable: Variable;
  bytes(): Promise<Uint8Array>;
}
export type ReadFixed = (file: KnownFile, name: string) => Promise<FixedValues>;

/** Names of variables that others name as their coordinates or bounds, and coordinate variables. */
export function coordinateNames(files: readonly KnownFile[]): ReadonlySet<string> {
  const names = new Set<string>();
  const seen = new Set<VariableForm>();
  for (const { facts } of files) {
    for (const form of facts.forms) {
      if (seen.has(form)) continue;
      seen.add(form);
      if (form.dimensions.length === 1 && form.dimensions[0] === form.name) names.add(form.name);
      for (const { name, value } of form.attributes) {
        if (!["coordinates", "bounds"].includes(name) || value.kind !== "text") continue;
        for (const one of value.value.split(/\s+/)) names.add(one);
      }
    }
  }
  return names;
}

/**
 * @param files that have the variable
 * @param coordinates names of variables that may differ by rounding
 * @throws JoinRefused if they differ
 */
export async function planFixed(
  name: string,
  files: readonly KnownFile[],
  coordinates: ReadonlySet<string>,
  read: ReadFixed,
): Promise<PlannedVariable> {
  const [first, ...others] = files;
  const form = first && formIn(first, name);
  if (first === undefined || form === undefined) throw new JoinRefused(`No file has ${name}.`);
  const { attributes, dropped } = uniteVariable(name, attributed(files, name));
  if (dropped.length > 0 && form.attributes.some((one) => one.name === "grid_mapping_name")) {
    throw new JoinRefused(
      `The grid mappings differ: ${dropped.join(", ")} of ${name} is not the same in all files.`,
    );
  }
  const notes =
    dropped.length === 0
      ? []
      : [`Attributes of ${name} that differ are left out: ${dropped.join(", ")}.`];
  const own = first.facts.digests.get(name);
  const different = new Map(others.map((file) => [file.facts.digests.get(name), file]));
  different.delete(own);
  const values = await read(first, name);
  const { variable } = values;
  if (dropped.some((attribute) => attribute === "_FillValue" || attribute === "missing_value")) {
    const forms = files.flatMap((file) => formIn(file, name) ?? []);
    await requireSameMissing(forms, async () => numbersIn(form, await values.bytes()));
  }
  // Values that do not differ are not read: those of a large grid may be more than are held in memory.
  const mayBeNear = different.size > 0 && coordinates.has(name);
  const numbers = mayBeNear ? await coordinateValues(form, values) : undefined;
  const largest = numbers && (await spacing(numbers, form.shape.at(-1) ?? 1)) * TOLERANCE;
  for (const file of different.values()) {
    const theirs = formIn(file, name);
    if (theirs !== undefined && shapeOf(form) !== shapeOf(theirs)) {
      throw new JoinRefused(
        `The grids differ: ${name}${shapeOf(form)} in ${first.name}, ${name}${shapeOf(theirs)} in ${file.name}.`,
      );
    }
    const its = theirs && numbers && (await coordinateValues(theirs, await read(file, name)));
    if (!(await areNear(numbers, its, largest))) {
      throw new JoinRefused(`The values of ${name} differ in ${first.name} and ${file.name}.`);
    }
    notes.push(
      `${name} differs by rounding in ${file.name}: the values of ${first.name} are used.`,
    );
  }
  const plan = { ...planArray(name, variable), variable: { ...variable, attributes } };
  const chunks = elementCount(chunkGrid(variable.shape, plan.chunks));
  const reasons =
    notes.length > 4 ? [...notes.slice(0, 3), `${notes.length - 3} more files differ so.`] : notes;
  return {
    array: { plan, origin: { kind: "fixed", file: first.index } },
    report: { name, mode: "shared", chunks, passed: chunks, reasons },
  };
}

/** The shape of a variable as error messages show it, for example `(lat: 96, lon: 192)`. */
export const shapeOf = ({ dimensions, shape }: VariableForm): string =>
  `(${dimensions.map((name, d) => (shape[d] === 0 ? name : `${name}: ${shape[d]}`)).join(", ")})`;

const NUMBER = /^[<>|][fiu][1248]$/;

/** The values of a coordinate; undefined if they are no numbers, or too many to be compared. */
async function coordinateValues(
  form: VariableForm,
  values: FixedValues,
): Promise<Float64Array | undefined> {
  const { type, shape } = form;
  if (type.kind !== "plain" || !NUMBER.test(type.dtype)) return undefined;
  if (elementCount(shape) > MAX_COMPARED) return undefined;
  const stored = numbersIn(form, await values.bytes());
  const numbers = new Float64Array(stored.length);
  await eachInSlices(numbers, (_, i) => {
    numbers[i] = Number(stored.at(i));
  });
  return numbers;
}

async function areNear(
  numbers: Float64Array | undefined,
  others: Float64Array | undefined,
  largest = 0,
): Promise<boolean> {
  if (numbers === undefined || others?.length !== numbers.length) return false;
  let isNear = true;
  await eachInSlices(numbers, (value, i) => {
    const its = others[i] ?? Number.NaN;
    isNear &&=
      value === its ||
      (Number.isNaN(value) && Number.isNaN(its)) ||
      Math.abs(value - its) <= largest;
  });
  return isNear;
}

/** The smallest distance of neighbours along the last dimension; 0 if there are none. */
async function spacing(values: Float64Array, length: number): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  await eachInSlices(values, (value, i) => {
    if (i % length === 0) return;
    const distance = Math.abs(value - (values[i - 1] ?? 0));
    if (distance > 0 && distance < least) least = distance;
  });
  return Number.isFinite(least) ? least : 0;
}
