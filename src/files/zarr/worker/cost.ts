import { chunkBytes } from "../../netcdf/hdf5/chunks/chunked-storage.js";
import { elementCount } from "../../netcdf/shape.js";
import { type Selection, shapeOf } from "../slice/selection.js";
import { needsDecoder } from "./operations.js";
import type { Task } from "./protocol.js";

/** Bytes for what cannot be told before. */
const UNKNOWN = 16 << 20;

/** Bytes that an order may take in a reading process: a guess, by which orders wait for each other. */
export function costOf(task: Task): number {
  if (task.kind === "strict") return UNKNOWN + 4 * (task.text?.length ?? task.range?.length ?? 0);
  if (task.kind === "store-slice")
    return UNKNOWN + sliceBytes(task.selection) + 3 * task.chunkBytes;
  if (task.kind !== "render" && task.kind !== "slice") return UNKNOWN;
  const { chunks, variable } = task.plan;
  const isSlice = task.kind === "slice";
  const values = isSlice ? sliceBytes(task.selection) : elementCount(chunks) * variable.stored.size;
  const { storage } = variable;
  const stored = storage.kind === "chunked" ? chunkBytes(storage.chunks) : 0;
  // A library's copies: the file it is given, its own buffers, and what it hands out.
  return UNKNOWN + 2 * values + (needsDecoder(task.plan) ? 5 : isSlice ? 3 : 2) * stored;
}

const sliceBytes = (selection: Selection): number => 4 * elementCount(shapeOf(selection));
