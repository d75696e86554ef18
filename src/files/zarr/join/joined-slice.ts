/** Reads a slice of a joined array, each part in the file that has it. */

import { TooLarge } from "../../netcdf/errors.js";
import { keptSteps, sliceOf } from "../slice/file-slice.js";
import { copyPart, MAX_CHUNKS, Parts, stepsOf } from "../slice/gather.js";
import { makeNpy, readNpy } from "../slice/npy.js";
import {
  indexAt,
  type Selection,
  type Span,
  sampledRange,
  shapeOf,
  singleIndex,
} from "../slice/selection.js";
import type { ReadingClient } from "../worker/client.js";
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
  const steps = keptSteps(selection);
  const pieces: Piece[] = [];
  let chunks = 0;
  for (const piece of piecesOf(plan, origin, selection, steps)) {
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
  const inner = origin.hasMembers ? steps.slice(1) : steps;
  for (const { file, selection: own, at } of pieces) {
    const dataset = await access.open(file.index, client);
    if (formIn(file, path) === undefined) continue;
    const read = readNpy((await dataset.slice(path, own, client, signal)).data);
    place(read.values, own, values.subarray(at), inner);
  }
  return bytes;
}

/** A part of a selection that lies in one file. */
interface Piece {
  readonly file: KnownFile;
  readonly selection: Selection;
  /** Index of its first value in the result. */
  readonly at: number;
}

/** @param steps of the result, along each dimension of the selection */
function* piecesOf(
  { groups }: JoinPlan,
  origin: DataOrigin,
  selection: Selection,
  steps: readonly number[],
): Generator<Piece> {
  const outer = origin.hasMembers ? 1 : 0;
  const inner = selection.slice(outer);
  const members = origin.hasMembers ? selection[0] : undefined;
  for (let m = 0; m < (members?.count ?? 1); m++) {
    const index = members === undefined ? 0 : indexAt(members, m);
    const group = groups[origin.groups[index] ?? 0];
    const span = inner[origin.axis];
    if (group === undefined || span === undefined) continue;
    for (const { file, own, step } of alongAxis(group, span)) {
      const within = inner.map((each, d) => (d === origin.axis ? own : each));
      const at = m * outer * (steps[0] ?? 0) + step * (steps[origin.axis + outer] ?? 0);
      yield { file, selection: within, at };
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

/** Copies the values of a part to their place in the result. @param steps of the result, along each dimension of the part */
function place(
  read: Float32Array,
  own: Selection,
  target: Float32Array,
  steps: readonly number[],
): void {
  const counts = own.map(({ count }) => count);
  const whole = counts.map((count) => sampledRange(0, count));
  const value = (at: number): number => read[at] ?? Number.NaN;
  for (const part of new Parts(whole, counts))
    copyPart(whole, part, { value, start: part.start, steps: stepsOf(counts) }, target, steps);
}

function heldSlice({ plan }: PlannedArray, bytes: Uint8Array, selection: Selection): Uint8Array {
  const { fill, variable } = plan;
  const { type, shape } = variable;
  const attributes = [...variable.attributes];
  if (fill !== undefined) {
    const values = [Number(fill.text)];
    attributes.push({ name: "_FillValue", value: { kind: "numbers", isFloat: true, values } });
  }
  const box = { start: shape.map(() => 0), shape };
  return sliceOf({ type, attributes }, selection, shape, () => ({ bytes, box }));
}
