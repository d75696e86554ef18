/** Reads a slice of a variable in a file, decoding one stored chunk at a time. */
import type { AttributeValue as CfValue } from "../../cf/header.js";
import type { Attribute, Variable } from "../../netcdf/model.js";
import { readNumber } from "../../netcdf/numbers.js";
import { type RenderTools, readValues } from "../../netcdf/render/values.js";
import type { Source } from "../../netcdf/source/source.js";
import type { ArrayPlan } from "../metadata/array-plan.js";
import { copyPart, Parts, stepsOf } from "./gather.js";
import { makeNpy } from "./npy.js";
import { type Selection, shapeOf } from "./selection.js";
import { isNumberType, unpacking } from "./unpack.js";

export const hasNumbers = ({ type }: Variable): boolean =>
  type.kind === "plain" && isNumberType(type.dtype);

/**
 * The shape of the pieces in which a variable is read: its stored chunks, or runs of contiguous storage. Rows without
 * samples are skipped.
 */
export function piecesOf({ variable, chunks }: ArrayPlan, selection: Selection): readonly number[] {
  const { storage } = variable;
  if (storage.kind === "chunked") return storage.chunks.chunk;
  return chunks.map((length, d) => {
    const { count = 0, length: all = 0 } = selection[d] ?? {};
    return d < chunks.length - 1 && 2 * count < all ? 1 : length;
  });
}

export function readFileSlice(
  source: Source,
  plan: ArrayPlan,
  selection: Selection,
  tools: RenderTools,
): Uint8Array {
  const { variable } = plan;
  const dtype = variable.type.kind === "plain" ? variable.type.dtype : "";
  const attributes = new Map(variable.attributes.map(cfAttribute));
  const unpack = unpacking({ type: dtype, attributes, isUntyped: false });
  const { bytes, values } = makeNpy(shapeOf(selection));
  const steps = keptSteps(selection);
  const size = Number(dtype.slice(2));
  const kind = dtype.slice(1);
  const isLittle = !dtype.startsWith(">");
  for (const part of new Parts(selection, piecesOf(plan, selection))) {
    source.reader.tick();
    const { start, shape } = part;
    const read = readValues(source, variable, { start, shape }, tools);
    const view = new DataView(read.buffer, read.byteOffset, read.byteLength);
    const value = (at: number): number => unpack(readNumber(view, at * size, kind, isLittle));
    copyPart(selection, part, { value, start, steps: stepsOf(shape) }, values, steps);
  }
  return bytes;
}

export const keptSteps = (selection: Selection): number[] =>
  stepsOf(selection.map(({ count }) => count));

function cfAttribute({ name, value }: Attribute): readonly [string, CfValue] {
  if (value.kind === "text") return [name, value.value];
  return [name, value.kind === "texts" ? value.values : value.values.map(Number)];
}
