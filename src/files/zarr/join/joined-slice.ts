/** Reads a slice of a joined array, each part in the file that has it. */

import { TooLarge } from "../../netcdf/errors.js";
import { readNumber } from "../../netcdf/numbers.js";
import { elementCount } from "../../netcdf/shape.js";
import { keptSteps } from "../slice/file-slice.js";
import { copyPart, Parts, stepsOf } from "../slice/gather.js";
import { MAX_CHUNKS } from "../slice/limits.js";
import { makeNpy, readNpy } from "../slice/npy.js";
import { indexAt, type Selection, type Span, shapeOf, singleIndex } from "../slice/selection.js";
import { unpacking } from "../slice/unpack.js";
import type { ReadingClient } from "../worker/client.js";
import { cfAttributes } from "./convert.js";
import type { JoinAccess } from "./data-chunks.js";
import {
  type DataOrigin,
  type FileGroup,
  formIn,
  type JoinPlan,
  type KnownFile,
  type PlannedArray,
} from "./plan/planned.js";

/** @returns the bytes of an NPY file @throws as Dataset.slice */
export async function joinedSlice(
  plan: JoinPlan,
  array: PlannedArray,
  selection: Selection,
  access: JoinAccess,
  client?: ReadingClient,
  signal?: AbortSignal,
): Promise<Uint8Array> {
  const { origin } = array;
  const { path } = array.plan;
  if (origin.kind === "held") return heldSlice(array, origin.bytes, selection);
  if (origin.kind === "fixed") {
    const dataset = await access.open(origin.file, client);
    return (await dataset.slice(path, selection, client, signal)).data;
  }
  const pieces: Piece[] = [];
  let chunks = 0;
  for (const piece of piecesOf(plan, origin, selection)) {
    pieces.push(piece);
    const chunk = formIn(piece.file, path)?.chunk;
    chunks += chunk === undefined ? 1 : new Parts(piece.selection, chunk).count;
    if (chunks > MAX_CHUNKS) {
      throw new TooLarge(
        `The selection touches more than ${MAX_CHUNKS} chunks of the files. Select fewer steps or a smaller region.`,
      );
    }
  }
  const { bytes, values } = makeNpy(shapeOf(selection));
  values.fill(Number.NaN);
  const steps = keptSteps(selection);
  for (const { file, selection: own, at } of pieces) {
    const dataset = await access.open(file.index, client);
    if (formIn(file, path) === undefined) continue;
    const read = readNpy((await dataset.slice(path, own, client, signal)).data);
    place(read.values, own, origin, { values, selection, steps, at });
  }
  return bytes;
}

/** A part of a selection that lies in one file. */
interface Piece {
  readonly file: KnownFile;
  readonly selection: Selection;
  /** Sample of the result, along members and along the axis. */
  readonly at: { readonly member: number; readonly step: number };
}

function* piecesOf(
  { groups }: JoinPlan,
  origin: DataOrigin,
  selection: Selection,
): Generator<Piece> {
  const inner = origin.hasMembers ? selection.slice(1) : selection;
  const members = origin.hasMembers ? selection[0] : undefined;
  for (let m = 0; m < (members?.count ?? 1); m++) {
    const index = members === undefined ? 0 : indexAt(members, m);
    const group = groups[origin.groups[index] ?? 0];
    const span = inner[origin.axis];
    if (group === undefined || span === undefined) continue;
    for (const { file, own, step } of alongAxis(group, span)) {
      const within = inner.map((each, d) => (d === origin.axis ? own : each));
      yield { file, selection: within, at: { member: m, step } };
    }
  }
}

/** The samples of a span in each file: a range of all, or one by one. */
function* alongAxis(
  { runs }: FileGroup,
  span: Span,
): Generator<{ file: KnownFile; own: Span; step: number }> {
  const isWhole = span.count === span.length;
  let sample = 0;
  for (const { file, start, from, length } of runs) {
    if (isWhole) {
      const first = Math.max(start, span.from);
      const count = Math.min(start + length, span.from + span.length) - first;
      if (count <= 0) continue;
      const own: Span = { from: first - start + from, length: count, count, isKept: span.isKept };
      yield { file, own, step: first - span.from };
      continue;
    }
    // Samples ascend, so each is examined once.
    for (; sample < span.count && indexAt(span, sample) < start + length; sample++) {
      const index = indexAt(span, sample) - start + from;
      yield { file, own: { ...singleIndex(index), isKept: span.isKept }, step: sample };
    }
  }
}

interface Target {
  readonly values: Float32Array;
  readonly selection: Selection;
  /** One entry for each dimension of the selection. */
  readonly steps: readonly number[];
  readonly at: { readonly member: number; readonly step: number };
}

/** Copies the values of a part to their place in the result. */
function place(
  read: Float32Array,
  own: Selection,
  { axis, hasMembers }: DataOrigin,
  { values, selection, steps, at }: Target,
): void {
  const outer = hasMembers ? 1 : 0;
  const counts = own.map(({ count }) => count);
  const base =
    (hasMembers && selection[0]?.isKept ? at.member * (steps[0] ?? 0) : 0) +
    (selection[axis + outer]?.isKept ? at.step * (steps[axis + outer] ?? 0) : 0);
  const position = counts.map(() => 0);
  for (let i = 0; i < elementCount(counts); i++) {
    let to = base;
    for (let d = 0; d < counts.length; d++) {
      if (selection[d + outer]?.isKept) to += (position[d] ?? 0) * (steps[d + outer] ?? 0);
    }
    values[to] = read[i] ?? Number.NaN;
    for (let d = counts.length - 1; d >= 0; d--) {
      position[d] = (position[d] ?? 0) + 1;
      if ((position[d] ?? 0) < (counts[d] ?? 0)) break;
      position[d] = 0;
    }
  }
}

function heldSlice({ plan }: PlannedArray, held: Uint8Array, selection: Selection): Uint8Array {
  const { variable } = plan;
  const dtype = variable.type.kind === "plain" ? variable.type.dtype : "";
  const fill = plan.fill === undefined ? [] : [["_FillValue", [Number(plan.fill.text)]] as const];
  const attributes = new Map([...cfAttributes(variable.attributes), ...fill]);
  const unpack = unpacking({ type: dtype, attributes, isUntyped: false });
  const { bytes, values } = makeNpy(shapeOf(selection));
  const view = new DataView(held.buffer, held.byteOffset, held.byteLength);
  const size = Number(dtype.slice(2));
  const value = (at: number): number =>
    unpack(readNumber(view, at * size, dtype.slice(1), !dtype.startsWith(">")));
  const source = { value, start: variable.shape.map(() => 0), steps: stepsOf(variable.shape) };
  for (const part of new Parts(selection, variable.shape)) {
    copyPart(selection, part, source, values, keptSteps(selection));
  }
  return bytes;
}
