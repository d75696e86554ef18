/** Reads a slice of a variable in a file, decoding one stored chunk at a time. */
import type { Variable } from "../../netcdf/model.js";
import type { Box } from "../../netcdf/render/region.js";
import { type RenderTools, readValues } from "../../netcdf/render/values.js";
import type { Source } from "../../netcdf/source/source.js";
import type { ArrayPlan } from "../metadata/array-plan.js";
import { copyPart, Parts, stepsOf } from "./gather.js";
import { makeNpy } from "./npy.js";
import { type Selection, shapeOf } from "./selection.js";
import { cfAttributes, elementsIn, isNumberType, unpacking } from "./unpack.js";

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
  return sliceOf(variable, selection, piecesOf(plan, selection), (box) => {
    source.reader.tick();
    return { bytes: readValues(source, variable, box, tools), box };
  });
}

/** An NPY file with unpacked values. @param read the stored values of a box of at least the wanted one */
export function sliceOf(
  { type, attributes }: Pick<Variable, "type" | "attributes">,
  selection: Selection,
  pieces: readonly number[],
  read: (wanted: Box) => { readonly bytes: Uint8Array; readonly box: Box },
): Uint8Array {
  const dtype = type.kind === "plain" ? type.dtype : "";
  const unpack = unpacking({ type: dtype, attributes: cfAttributes(attributes), isUntyped: false });
  const { bytes, values } = makeNpy(shapeOf(selection));
  const steps = keptSteps(selection);
  for (const part of new Parts(selection, pieces)) {
    const found = read(part);
    const { start, shape } = found.box;
    const stored = elementsIn(found.bytes, dtype);
    const value = (at: number): number => unpack(stored(at));
    copyPart(selection, part, { value, start, steps: stepsOf(shape) }, values, steps);
  }
  return bytes;
}

export const keptSteps = (selection: Selection): number[] =>
  stepsOf(selection.map(({ count }) => count));
