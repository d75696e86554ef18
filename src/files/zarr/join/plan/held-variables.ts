/** Small variables along the joining axis, whose values are held in memory: the times, their bounds, and others. */

import { chunkGrid } from "../../../netcdf/chunk-table.js";
import { vlenUtf8 } from "../../../netcdf/render/convert.js";
import { fillWith } from "../../../netcdf/render/region.js";
import { elementCount } from "../../../netcdf/shape.js";
import { JoinRefused } from "../../errors.js";
import { SMALL } from "../../metadata/chunk-shape.js";
import { converted } from "../convert.js";
import {
  aroundAxis,
  hasTimeUnits,
  sameTimes,
  type TimeValues,
  textOf,
  writeTimes,
} from "./axis-values.js";
import { type Along, type JoinedType, joinedType, unitedAttributes } from "./joined-type.js";
import {
  type Described,
  type FileRun,
  formIn,
  joinedPlan,
  type KnownFile,
  MEMBER,
  type PlannedArray,
  type PlannedVariable,
  sizeOf,
} from "./planned.js";

/** Bytes of all values held for one store. */
export const MAX_HELD = 128 << 20;

/** The names of the time coordinate's bounds. */
export function boundsOf(file: KnownFile, axis: string): string[] {
  const attributes = formIn(file, axis)?.attributes ?? [];
  return ["bounds", "climatology"]
    .map((name) => textOf(attributes, name))
    .filter((name) => name !== "");
}

/** The values of a variable with times in one file; undefined if it has none. */
export function timeValues(file: KnownFile, name: string, axis: string): TimeValues | undefined {
  const form = formIn(file, name);
  const bytes = file.facts.held.get(name);
  if (form === undefined || bytes === undefined) return undefined;
  const own = hasTimeUnits(form) || name === axis;
  const coordinate = formIn(file, axis)?.attributes ?? [];
  const units = own ? textOf(form.attributes, "units") : textOf(coordinate, "units");
  const calendar = textOf(form.attributes, "calendar") || textOf(coordinate, "calendar");
  return { file: file.name, form, bytes, units, calendar };
}

const IGNORED: ReadonlySet<string> = new Set(["units", "calendar"]);

/**
 * Plans a variable with times: it is shared by all groups, which must agree on it.
 *
 * @throws JoinRefused
 */
export async function planTimes(along: Along): Promise<PlannedVariable> {
  const { name, axis, groups, within } = along;
  const [first, ...others] = within.map((index) => groups[index]?.runs ?? []);
  if (first === undefined) throw new JoinRefused(`No file has ${name}.`);
  const partsOf = (runs: readonly FileRun[]) =>
    runs.map(({ file, from, length }) => {
      const values = timeValues(file, name, axis);
      if (values === undefined)
        throw new JoinRefused(`${file.name} has no ${name}, which other files have.`);
      return { values, from, to: from + length };
    });
  const parts = partsOf(first);
  const written = await writeTimes(parts, axis);
  for (const runs of others) {
    // In the units of the first file: a part of it without steps stands before those of the group.
    const target = parts.slice(0, 1).map((part) => ({ ...part, to: part.from }));
    const theirs = await writeTimes([...target, ...partsOf(runs)], axis);
    const [part] = parts;
    if (part !== undefined && (await sameTimes(written, theirs, part.values))) continue;
    throw new JoinRefused(
      `The values of ${name} differ in ${first[0]?.file.name} and ${runs[0]?.file.name}.`,
    );
  }
  const { attributes, reasons } = unitedAttributes(along, IGNORED);
  if (written.rewritten.length > 0) {
    reasons.push(
      `The times of other files are in other units, such as ${written.rewritten[0]}: they are written in those of the first file.`,
    );
  }
  const size = Number(written.dtype.slice(2));
  const type = { kind: "plain", dtype: written.dtype, size } as const;
  const times = { ...along, hasMembers: false };
  return held(times, { type, attributes, fill: undefined }, written.bytes, reasons);
}

/** Plans any other small variable along the axis. @throws JoinRefused */
export function planHeld(along: Along): PlannedVariable {
  const { name, axis, groups, within } = along;
  const joined = joinedType(along);
  const { outer, inner } = aroundAxis(along.form, axis);
  const stepBytes = sizeOf(joined.type) * inner;
  const pieces: Uint8Array[] = [];
  for (const { runs } of within.flatMap((index) => groups[index] ?? [])) {
    const parts = runs.map((run) => ({ ...run, bytes: valuesIn(run.file, name, joined) }));
    for (let o = 0; o < outer; o++) {
      for (const { bytes, from, length } of parts) {
        const start = ((bytes?.length ?? 0) / outer) * o + from * stepBytes;
        pieces.push(
          bytes?.subarray(start, start + length * stepBytes) ??
            filled(length * stepBytes, joined.fill?.bytes),
        );
      }
    }
  }
  return held(along, joined, Buffer.concat(pieces), joined.reasons);
}

/** The values of a small variable in a file, in the type of all; undefined if it has none. */
function valuesIn(file: KnownFile, name: string, joined: JoinedType): Uint8Array | undefined {
  const form = formIn(file, name);
  const bytes = file.facts.held.get(name);
  const conversion = form && joined.conversionOf(form);
  if (form === undefined || bytes === undefined || conversion === undefined) return bytes;
  return converted(bytes, form, conversion);
}

/** Bytes of copies of an element; zeros without one. */
export function filled(length: number, element: Uint8Array | undefined): Uint8Array {
  const bytes = new Uint8Array(length);
  fillWith(bytes, element);
  return bytes;
}

function held(
  { name, within, form, hasMembers, ...along }: Along,
  joined: Described,
  bytes: Uint8Array,
  reasons: readonly string[],
): PlannedVariable {
  const shape = hasMembers ? [within.length, ...along.shape] : along.shape;
  const dimensions = hasMembers ? [MEMBER, ...form.dimensions] : form.dimensions;
  const stepBytes = Math.max(1, bytes.length / Math.max(1, shape[0] ?? 1));
  const length = Math.max(1, Math.min(shape[0] ?? 1, Math.floor(SMALL / stepBytes)));
  const chunks = shape.map((each, d) => (d === 0 ? length : Math.max(1, each)));
  const plan = joinedPlan({ name, dimensions, shape }, joined, chunks);
  const count = elementCount(chunkGrid(shape, chunks));
  return {
    array: { plan, origin: { kind: "held", bytes } },
    report: { name, mode: "computed", chunks: count, passed: 0, reasons },
  };
}

/** The coordinate of the axis along which members are joined. */
export function memberArray(labels: readonly string[]): PlannedArray {
  const shape = [labels.length];
  const attribute = {
    name: "standard_name",
    value: { kind: "text", value: "realization" },
  } as const;
  const described = { type: { kind: "text" }, attributes: [attribute], fill: undefined } as const;
  return {
    plan: joinedPlan({ name: MEMBER, dimensions: [MEMBER], shape }, described, shape),
    origin: { kind: "held", bytes: vlenUtf8(labels.map((label) => Buffer.from(label))) },
  };
}
