/**
 * Decodes the times of joined files, each by its own units and calendar (CF, 4.4), and writes them in the units of the first
 * file.
 */
import { LRUCache } from "lru-cache";
import { DAY } from "../../../../domain/extent/durations.js";
import { eachInSlices } from "../../../../platform/concurrency/time-slices.js";
import { agreeFrom } from "../../../cf/calendar.js";
import { Unclear } from "../../../cf/header.js";
import { isTimeUnits, readTimeUnits, type TimeUnits } from "../../../cf/time-units.js";
import type { Attribute } from "../../../netcdf/model.js";
import { elementCount } from "../../../netcdf/shape.js";
import { JoinRefused } from "../../errors.js";
import type { VariableForm } from "../file-facts.js";
import { type Numbers, numbersIn, writeNumbers } from "./stored-numbers.js";

/** Microseconds by which a time in other units may differ from the stored one. */
const EXACT = 1000;

/** The text of an attribute, without surrounding space; "" if there is none. */
export function textOf(attributes: readonly Attribute[], name: string): string {
  const value = attributes.find((one) => one.name === name)?.value;
  return value?.kind === "text" ? value.value.trim() : "";
}

/** The values of a variable with times, in one file. */
export interface TimeValues {
  /** Name of the file. */
  readonly file: string;
  readonly form: VariableForm;
  /** Stored values of all steps. */
  readonly bytes: Uint8Array;
  /** Units and calendar as texts: the variable's own, or those of the coordinate whose bounds it has. */
  readonly units: string;
  readonly calendar: string;
}

/** Units that have been read: those of many files are the same. */
const READ = new LRUCache<string, TimeUnits>({ max: 1000 });

/** @throws JoinRefused if units or calendar are unknown */
export function unitsOf(values: TimeValues): TimeUnits {
  const { units, calendar } = values;
  const key = JSON.stringify([units, calendar]);
  const read = READ.get(key) ?? clear(values, () => readTimeUnits(units, calendar));
  READ.set(key, read);
  return read;
}

/** The result of work on times. @throws JoinRefused if they are unclear */
function clear<T>({ file, form }: TimeValues, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Unclear)) throw error;
    throw new JoinRefused(`${file} ${error.message} (${form.name}).`);
  }
}

/** Whether a variable has times of its own: units with a reference date. */
export const hasTimeUnits = ({ attributes }: Pick<VariableForm, "attributes">): boolean =>
  isTimeUnits(textOf(attributes, "units"));

/**
 * The times of the coordinate in one file, in milliseconds of its calendar.
 *
 * @throws JoinRefused if a value is missing, packed or no date
 */
export async function timesOf(values: TimeValues): Promise<Float64Array> {
  const { file, form } = values;
  const { name } = form;
  requireUnpacked(values);
  const units = unitsOf(values);
  const numbers = numbersIn(form, values.bytes);
  const missing = missingIn(form);
  const times = new Float64Array(numbers.length);
  await eachInSlices(times, (_, i) => {
    const number = numbers.at(i);
    const parts = missing.has(Number(number)) ? undefined : partsOf(units, number, values);
    if (parts === undefined)
      throw new JoinRefused(`The time of step ${i} of ${file} is missing (${name}).`);
    times[i] = parts[0] * DAY + parts[1] / 1000;
  });
  return times;
}

function missingIn({ attributes, type }: VariableForm): ReadonlySet<number> {
  const isSingle = type.kind === "plain" && type.dtype.slice(1) === "f4";
  const own = attributes.filter(({ name }) => name === "_FillValue" || name === "missing_value");
  const numbers = own.flatMap(({ value }) =>
    value.kind === "numbers" ? value.values.map(Number) : [],
  );
  return new Set(isSingle ? numbers.map(Math.fround) : numbers);
}

/**
 * Files may say different fill values, if no value is missing by any of them: their attributes can be left out.
 *
 * @param values of all files
 * @throws JoinRefused
 */
export async function requireSameMissing(
  forms: readonly VariableForm[],
  values: () => Promise<Numbers>,
): Promise<void> {
  const sets = new Map<string, ReadonlySet<number>>();
  for (const form of new Set(forms)) {
    const missing = missingIn(form);
    sets.set([...missing].sort().join(), missing);
  }
  if (sets.size < 2) return;
  const all = new Set([...sets.values()].flatMap((one) => [...one]));
  all.delete(Number.NaN);
  const numbers = await values();
  await eachInSlices({ length: numbers.length }, (_, i) => {
    if (!all.has(Number(numbers.at(i)))) return;
    throw new JoinRefused(
      `The fill values of ${forms[0]?.name} differ in the files, and some of its values are missing.`,
    );
  });
}

const partsOf = (
  units: TimeUnits,
  number: number | bigint,
  values: TimeValues,
): readonly [number, number] | undefined => clear(values, () => units.parts(Number(number)));

export const calendarsDiffer = (first: TimeValues, other: TimeValues): JoinRefused =>
  new JoinRefused(
    `The calendars differ: "${first.calendar || "standard"}" in ${first.file}, "${other.calendar || "standard"}" in ${other.file}.`,
  );

/** Values of a variable in all files, in one type. */
interface Written {
  readonly dtype: string;
  readonly bytes: Uint8Array;
  /** Files whose values were written in other units or another type. */
  readonly rewritten: readonly string[];
}

/**
 * The values of a variable with times in all files, in the units of the first.
 *
 * @param parts the files in order, with the steps that are used of each
 * @throws JoinRefused if calendars differ, or a time cannot be written exactly to a millisecond
 */
export async function writeTimes(
  parts: readonly { readonly values: TimeValues; readonly from: number; readonly to: number }[],
  axis: string,
): Promise<Written> {
  const [first] = parts;
  if (first === undefined) throw new JoinRefused("There are no times.");
  const target = unitsOf(first.values);
  const rewritten = new Set<string>();
  const numbers: (number | bigint)[] = [];
  const types = new Set<string>();
  const { outer, inner } = aroundAxis(first.values.form, axis);
  for (let o = 0; o < outer; o++) {
    for (const { values, from, to } of parts) {
      const own = unitsOf(values);
      requireUnpacked(values);
      const all = numbersIn(values.form, values.bytes);
      const start = (o * all.length) / outer + from * inner;
      const missing = missingIn(values.form);
      const isSame =
        own.calendar === target.calendar && spaced(values.units) === spaced(first.values.units);
      types.add(typeOf(values.form));
      if (!isSame) rewritten.add(values.file);
      await eachInSlices({ length: (to - from) * inner }, (_, i) => {
        const number = all.at(start + i);
        numbers.push(isSame ? number : inUnits(number, own, target, values, first.values, missing));
      });
    }
  }
  const forms = parts.map(({ values }) => values.form);
  const at = (index: number): number | bigint => numbers[index] ?? Number.NaN;
  await requireSameMissing(forms, async () => ({ length: numbers.length, at }));
  const dtype = commonType(types, numbers, rewritten.size > 0);
  return { dtype, bytes: await writeNumbers(numbers, dtype), rewritten: [...rewritten] };
}

/** The numbers of elements of a small variable before and after the axis, at one step of it. */
export function aroundAxis(
  { dimensions, shape }: VariableForm,
  axis: string,
): { readonly outer: number; readonly inner: number } {
  const at = dimensions.indexOf(axis);
  return { outer: elementCount(shape.slice(0, at)), inner: elementCount(shape.slice(at + 1)) };
}

/** Whether two groups of files have the same times, to a millisecond. @param first by whose units both are written */
export async function sameTimes(a: Written, b: Written, first: TimeValues): Promise<boolean> {
  const units = unitsOf(first);
  const read = ({ dtype, bytes }: Written): Numbers => {
    const type = { kind: "plain", dtype, size: Number(dtype.slice(2)) } as const;
    return numbersIn({ type, name: first.form.name }, bytes);
  };
  const [own, theirs] = [read(a), read(b)];
  if (own.length !== theirs.length) return false;
  let areSame = true;
  await eachInSlices({ length: own.length }, (_, i) => {
    const [number, other] = [Number(own.at(i)), Number(theirs.at(i))];
    if (!areSame || Object.is(number, other)) return;
    const [one, two] = [number, other].map((each) => partsOf(units, each, first));
    areSame =
      one !== undefined &&
      two !== undefined &&
      Math.abs((one[0] - two[0]) * DAY * 1000 + one[1] - two[1]) <= EXACT;
  });
  return areSame;
}

const typeOf = ({ type }: VariableForm): string =>
  type.kind === "plain" ? type.dtype.slice(1) : "";

const spaced = (units: string): string => units.replaceAll(/\s+/g, " ");

function requireUnpacked({ form, file }: TimeValues): void {
  if (!form.attributes.some(({ name }) => name === "scale_factor" || name === "add_offset")) return;
  throw new JoinRefused(`The values of ${form.name} are packed in ${file}.`);
}

/** @throws JoinRefused */
function inUnits(
  number: number | bigint,
  own: TimeUnits,
  target: TimeUnits,
  values: TimeValues,
  first: TimeValues,
  missing: ReadonlySet<number>,
): number {
  const { file, form } = values;
  const refused = (): never => {
    throw new JoinRefused(
      `The value ${number} of ${form.name} in ${file} cannot be written exactly in "${first.units}", the units of ${first.file}.`,
    );
  };
  if (typeof number === "bigint" && !Number.isSafeInteger(Number(number))) refused();
  if (missing.has(Number(number))) refused();
  const parts = partsOf(own, number, values);
  if (parts === undefined) return refused();
  if (!agreeFrom(own.calendar, target.calendar, parts[0])) throw calendarsDiffer(first, values);
  const value = target.value(...parts);
  const back = value === undefined ? undefined : target.parts(value);
  if (value === undefined || back === undefined) return refused();
  const error = (back[0] - parts[0]) * DAY * 1000 + back[1] - parts[1];
  return Math.abs(error) <= EXACT ? value : refused();
}

/** Values that are only copied keep their type. */
function commonType(
  types: ReadonlySet<string>,
  numbers: readonly (number | bigint)[],
  isRewritten: boolean,
): string {
  const [only = "f8", ...others] = types;
  if (others.length === 0 && !isRewritten) return only.endsWith("1") ? `|${only}` : `<${only}`;
  const areWhole =
    [...types].every((type) => !type.startsWith("f")) &&
    numbers.every((number) => typeof number === "bigint" || Number.isSafeInteger(number));
  if (areWhole) return "<i8";
  const isInexact = numbers.some(
    (number) => typeof number === "bigint" && !Number.isSafeInteger(Number(number)),
  );
  if (isInexact) throw new JoinRefused("Some times are integers that no common type holds.");
  return "<f8";
}
