/** Reads the time of a file: its range and its frequency. */

import { SECOND } from "../../domain/extent/durations.js";
import {
  frequencyOf,
  frequencyOfDuration,
  isFrequencyLabel,
  stepText,
} from "../../domain/extent/frequency.js";
import { CONSTANT } from "../../domain/extent/period.js";
import { elementCount } from "../netcdf/shape.js";
import {
  type Finding,
  type Header,
  isCoordinateVariable,
  isNumeric,
  namesIn,
  standardName,
  textOf,
  Unclear,
  type Variable,
} from "./header.js";
import { isTimeName, type Roles } from "./roles.js";
import { isoDate, isTimeUnits, readTimeUnits, type TimeUnits } from "./time-units.js";
import { unpack, type ValueSource } from "./values.js";

export interface TimeAxis {
  /** `[A TO B]`, ISO 8601, UTC, to the second; `fx` for constant fields. */
  readonly time: Finding<string>;
  readonly frequency: Finding<string>;
}

export async function readTimeAxis(
  header: Header,
  roles: Roles,
  source: ValueSource,
): Promise<TimeAxis> {
  const label = frequencyAttribute(header);
  try {
    if (roles.times.length === 0) return withoutTimes(header, roles, label);
    const extents: Extent[] = [];
    for (const coordinate of roles.times)
      extents.push(await readExtent(header, coordinate, source));
    const [longest] = [...extents].sort((a, b) => b.count - a.count);
    const time = rangeOf(extents);
    const frequency = longest?.frequency ?? time;
    const stated = label ?? ("reason" in frequency ? statedResolution(header) : undefined);
    return { time, frequency: stated === undefined ? frequency : { value: stated } };
  } catch (error) {
    if (!(error instanceof Unclear)) throw error;
    const reason = { reason: error.message };
    const stated = label ?? statedResolution(header);
    return { time: reason, frequency: stated === undefined ? reason : { value: stated } };
  }
}

function frequencyAttribute(header: Header): string | undefined {
  const text = textOf(header, "frequency");
  return isFrequencyLabel(text) ? text : undefined;
}

/** ACDD 1.3's `time_coverage_resolution`, for files with a single time. */
function statedResolution(header: Header): string | undefined {
  return frequencyOfDuration(textOf(header, "time_coverage_resolution"));
}

/** The time of a file without time coordinates: constant, unless something indicates that a time is missing. */
function withoutTimes(header: Header, roles: Roles, label: string | undefined): TimeAxis {
  if (label !== undefined && !label.startsWith(CONSTANT)) {
    const reason = `has no time coordinate, though its frequency is ${label}`;
    return { time: { reason }, frequency: { value: label } };
  }
  const reason = label === undefined ? unreadableTime(header, roles) : undefined;
  if (reason !== undefined) return { time: { reason }, frequency: { reason } };
  return { time: { value: CONSTANT }, frequency: { value: label ?? CONSTANT } };
}

/** Why a file has a time that cannot be read; undefined if nothing indicates a time. */
function unreadableTime(header: Header, { data, bounds }: Roles): string | undefined {
  const marked = header.variables.find(
    (variable) =>
      !bounds.has(variable.name) &&
      (standardName(variable) === "time" ||
        standardName(variable) === "forecast_reference_time" ||
        textOf(variable, "axis") === "T" ||
        (isCoordinateVariable(variable) && isTimeName(variable.name))),
  );
  if (marked !== undefined) {
    const units = textOf(marked, "units");
    const stated = units === "" ? "no units" : `the units "${units}"`;
    return standardName(marked) === "forecast_reference_time"
      ? `has the start of a forecast (${marked.name}), but not the times that it is for`
      : `has a ${marked.name} with ${stated}, which define no dates`;
  }
  const dimension = data.flatMap(({ dimensions }) => dimensions).find(isTimeName);
  return dimension === undefined ? undefined : `has a dimension ${dimension} without times`;
}

interface Extent {
  readonly units: TimeUnits;
  /** Instants of `units`. */
  readonly start: number;
  readonly end: number;
  /** Number of times. */
  readonly count: number;
  readonly frequency: Finding<string>;
}

function rangeOf(extents: readonly Extent[]): Finding<string> {
  const dates = extents.map(({ units, start, end }) => {
    const from = isoDate(start, units.calendar);
    const to = isoDate(end, units.calendar);
    // Two instants of a day that the ISO calendar lacks may be in reverse order.
    return { from, to: compare(from, to) > 0 ? from : to };
  });
  const [first] = [...dates].sort((a, b) => compare(a.from, b.from));
  const [last] = [...dates].sort((a, b) => compare(b.to, a.to));
  return { value: `[${first?.from} TO ${last?.to}]` };
}

const year = (date: string): number => Number(/^[+-]?\d+/.exec(date)?.[0]);
const compare = (a: string, b: string): number => year(a) - year(b) || (a < b ? -1 : 1);

/** @throws Unclear, and what the source throws */
async function readExtent(
  header: Header,
  coordinate: Variable,
  source: ValueSource,
): Promise<Extent> {
  const { name } = coordinate;
  if (elementCount(coordinate.shape) === 0) throw new Unclear(`has no times: ${name} is empty`);
  const units = readTimeUnits(textOf(coordinate, "units"), textOf(coordinate, "calendar"));
  const runs = (await source.runs(coordinate)).map((run) => instantsOf(run, coordinate, units));
  const [first, last] = await extremesOf(coordinate, coordinate, runs, units, source);
  if (first === undefined || last === undefined) {
    throw new Unclear(`has no times: all values of ${name} are missing`);
  }
  const isClimatology = textOf(coordinate, "climatology") !== "";
  const cells = await readBounds(header, coordinate, units, source);
  const fits =
    cells !== undefined &&
    (isClimatology || (cells.start <= first + SLACK && cells.end >= last - SLACK));
  const covered = fits ? cells : undefined;
  const count = elementCount(coordinate.shape);
  const isSampled = runs.length > 1 && !isCoordinateVariable(coordinate);
  const span = isClimatology || covered === undefined ? 0 : covered.end - covered.start;
  const frequency = isSampled
    ? { reason: `has no known frequency: the values of ${name} may be in any order` }
    : labelOf(usualStep(runs) ?? span, isClimatology, name);
  if (covered === undefined) return { units, start: first, end: last, count, frequency };
  // Bounds of zero length mark instants.
  const isInstant = covered.start === first && covered.end === last;
  const end = isInstant ? covered.end : Math.max(covered.end - SECOND, covered.start);
  return { units, start: covered.start, end, count, frequency };
}

/** How far a time may lie outside its bounds: both are rounded. */
const SLACK = 60 * SECOND;

function instantsOf(run: Float64Array, variable: Variable, units: TimeUnits): Float64Array {
  const values = unpack(run, variable);
  const instants = values.filter((value) => Number.isFinite(value));
  for (const [i, value] of instants.entries()) instants[i] = units.instant(value);
  return instants;
}

/**
 * The earliest and the latest instant. Values along a coordinate variable are in order (CF, 1.2), so its two ends suffice; all
 * other variables are read completely.
 */
async function extremesOf(
  variable: Variable,
  coordinate: Variable,
  runs: readonly Float64Array[],
  units: TimeUnits,
  source: ValueSource,
): Promise<[number | undefined, number | undefined]> {
  const isWhole = runs.length === 1;
  if (isWhole || isCoordinateVariable(coordinate)) return extremes(runs);
  let both = extremes(runs);
  await source.each(variable, (values) => {
    const found = both.filter((one) => one !== undefined);
    both = extremes([instantsOf(values, variable, units), Float64Array.from(found)]);
  });
  return both;
}

function extremes(runs: readonly Float64Array[]): [number | undefined, number | undefined] {
  let earliest: number | undefined;
  let latest: number | undefined;
  for (const run of runs) {
    for (const value of run) {
      if (earliest === undefined || value < earliest) earliest = value;
      if (latest === undefined || value > latest) latest = value;
    }
  }
  return [earliest, latest];
}

/** The outermost bounds, which may have units of their own; undefined if there are none. */
async function readBounds(
  header: Header,
  coordinate: Variable,
  units: TimeUnits,
  source: ValueSource,
): Promise<{ readonly start: number; readonly end: number } | undefined> {
  const names = [...namesIn(coordinate, "climatology"), ...namesIn(coordinate, "bounds")];
  const bounds = header.variables.find((variable) => names.includes(variable.name));
  if (bounds === undefined || !isNumeric(bounds) || elementCount(bounds.shape) === 0)
    return undefined;
  const own = textOf(bounds, "units");
  const calendar = textOf(bounds, "calendar") || textOf(coordinate, "calendar");
  const boundsUnits = isTimeUnits(own) ? readTimeUnits(own, calendar) : units;
  const runs = (await source.runs(bounds)).map((run) => instantsOf(run, bounds, boundsUnits));
  const [start, end] = await extremesOf(bounds, coordinate, runs, boundsUnits, source);
  return start === undefined || end === undefined ? undefined : { start, end };
}

/**
 * The usual step between distinct times, in milliseconds: the mean of all steps similar to the median, as times in single
 * precision jump by minutes.
 */
function usualStep(runs: readonly Float64Array[]): number | undefined {
  const steps: number[] = [];
  for (const run of runs) {
    const sorted = run.slice().sort();
    for (let i = 1; i < sorted.length; i++) {
      const step = (sorted[i] ?? 0) - (sorted[i - 1] ?? 0);
      if (step > 0) steps.push(step);
    }
  }
  steps.sort((a, b) => a - b);
  const median = steps[Math.floor(steps.length / 2)];
  if (median === undefined) return undefined;
  const alike = steps.filter((step) => Math.abs(step - median) < median / 4);
  return alike.reduce((sum, step) => sum + step, 0) / alike.length;
}

const CLIMATOLOGY: Readonly<Record<string, string>> = { mon: "monC", "1hr": "1hrCM" };

function labelOf(step: number, isClimatology: boolean, name: string): Finding<string> {
  if (step === 0) {
    return { reason: `has no known frequency: ${name} has one value and no bounds` };
  }
  const label = frequencyOf(step);
  if (label !== undefined) return { value: (isClimatology && CLIMATOLOGY[label]) || label };
  return { reason: `has no standard frequency: its times are ${stepText(step)} apart` };
}
