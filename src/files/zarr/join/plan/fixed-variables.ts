/** Variables without the joining axis: all files must agree on them. */
import { chunkGrid } from "../../../netcdf/chunk-table.js";
import type { Variable } from "../../../netcdf/model.js";
import { elementCount } from "../../../netcdf/shape.js";
import { JoinRefused } from "../../errors.js";
import { planArray } from "../../metadata/array-plan.js";
import type { VariableForm } from "../file-facts.js";
import { uniteVariable } from "./attributes.js";
import { numbersIn, requireSameMissing } from "./axis-values.js";
import { attributed, formIn, type KnownFile, type PlannedVariable } from "./planned.js";

/** The part of the spacing of coordinates by which they may differ. */
const TOLERANCE = 1e-6;
/** Values of coordinates that are compared one by one. */
const MAX_COMPARED = 16 << 20;

/** A variable of a file: how it is stored, and its plain values. */
export interface FixedValues {
  readonly variable: Variable;
  readonly bytes: Uint8Array;
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
  const { variable, bytes } = await read(first, name);
  if (dropped.some((attribute) => attribute === "_FillValue" || attribute === "missing_value")) {
    const forms = files.flatMap((file) => formIn(file, name) ?? []);
    requireSameMissing(forms, () => numbersIn(form, bytes));
  }
  for (const file of different.values()) {
    const theirs = formIn(file, name);
    if (theirs !== undefined && shapeOf(form) !== shapeOf(theirs)) {
      throw new JoinRefused(
        `The grids differ: ${name}${shapeOf(form)} in ${first.name}, ${name}${shapeOf(theirs)} in ${file.name}.`,
      );
    }
    const isSame =
      theirs !== undefined &&
      coordinates.has(name) &&
      isNear(form, bytes, theirs, (await read(file, name)).bytes);
    if (!isSame) {
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

function isNear(
  form: VariableForm,
  bytes: Uint8Array,
  other: VariableForm,
  theirs: Uint8Array,
): boolean {
  const areNumbers = [form, other].every(
    ({ type }) => type.kind === "plain" && NUMBER.test(type.dtype),
  );
  if (!areNumbers || elementCount(form.shape) > MAX_COMPARED) return false;
  const a = numbersIn(form, bytes).map(Number);
  const b = numbersIn(other, theirs).map(Number);
  if (a.length !== b.length) return false;
  const largest = spacing(a, form.shape.at(-1) ?? 1) * TOLERANCE;
  return a.every((value, i) => {
    const its = b[i] ?? Number.NaN;
    return (
      value === its ||
      (Number.isNaN(value) && Number.isNaN(its)) ||
      Math.abs(value - its) <= largest
    );
  });
}

/** The smallest distance of neighbours along the last dimension; 0 if there are none. */
function spacing(values: readonly number[], length: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (let i = 1; i < values.length; i++) {
    if (i % length === 0) continue;
    const distance = Math.abs((values[i] ?? 0) - (values[i - 1] ?? 0));
    if (distance > 0 && distance < least) least = distance;
  }
  return Number.isFinite(least) ? least : 0;
}
