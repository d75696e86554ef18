import { chunkBytes } from "../../netcdf/hdf5/chunked-storage.js";
import { elementCount } from "../../netcdf/shape.js";
import { needsDecoder } from "./operations.js";
import type { Task } from "./protocol.js";

/** Bytes for what cannot be told before. */
const UNKNOWN = 16 << 20;

/** Bytes that an order may take in a reading process: a guess, by which orders wait for each other. */
export function costOf(task: Task): number {
  if (task.kind === "strict") return UNKNOWN + 4 * (task.text?.length ?? task.range?.length ?? 0);
  if (task.kind !== "render") return UNKNOWN;
  const { chunks, variable } = task.plan;
  const values = elementCount(chunks) * variable.stored.size;
  const { storage } = variable;
  const stored = storage.kind === "chunked" ? chunkBytes(storage.chunks) : 0;
  // A library's copies: the file it is given, its own buffers, and what it hands out.
  return UNKNOWN + 2 * values + (needsDecoder(task.plan) ? 5 : 2) * stored;
}
