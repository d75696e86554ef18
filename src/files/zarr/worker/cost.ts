import { chunkBytes } from "../../netcdf/hdf5/chunks/chunked-storage.js";
import { elementCount } from "../../netcdf/shape.js";
import { type Selection, shapeOf } from "../slice/selection.js";
import { needsDecoder } from "./operations.js";
import type { Task } from "./protocol.js";

/** Bytes beyond those that are known in advance. */
const UNKNOWN = 16 << 20;

/** An estimate of the bytes that an order takes in a reading process. Orders wait for each other by it. */
export function costOf(task: Task): number {
  if (task.kind === "strict") return UNKNOWN + 4 * (task.text?.length ?? task.range?.length ?? 0);
  if (task.kind === "version-3") {
    const lengths = [task.document, task.attributes].map(
      (part) => part?.text?.length ?? part?.range?.length ?? 0,
    );
    return UNKNOWN + 8 * lengths.reduce((sum, length) => sum + length, 0);
  }
  if (task.kind === "store-slice")
    return UNKNOWN + sliceBytes(task.selection) + 3 * task.chunkBytes;
  if (task.kind !== "render" && task.kind !== "slice" && task.kind !== "box") return UNKNOWN;
  const { chunks, variable } = task.plan;
  const isSlice = task.kind === "slice";
  // Values may become doubles.
  const size = task.kind === "box" ? Math.max(variable.stored.size, 8) : variable.stored.size;
  const shape = task.kind === "box" ? task.box.shape : chunks;
  const values = isSlice ? sliceBytes(task.selection) : elementCount(shape) * size;
  const { storage } = variable;
  const stored = storage.kind === "chunked" ? chunkBytes(storage.chunks) : 0;
  // A decoder's copies: its input file, its buffers and its output.
  return UNKNOWN + 2 * values + (needsDecoder(task.plan) ? 5 : isSlice ? 3 : 2) * stored;
}

const sliceBytes = (selection: Selection): number => 4 * elementCount(shapeOf(selection));
