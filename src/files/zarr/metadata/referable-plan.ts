/** Chunks for references to a file: wherever possible each is one range of it. */
import { elementCount } from "../../netcdf/shape.js";
import { type ArrayPlan, storedChunking } from "./array-plan.js";
import { blockShape, largestDivisor, PIECE_BYTES, SMALL } from "./chunk-shape.js";

/** Shorter pieces are not referenced one by one: each takes a hundred bytes of references. */
const MIN_PIECE_BYTES = 1 << 10;

/** The plan for references, which only Python reads: it has integers of any length. */
export function referablePlan(plan: ArrayPlan): ArrayPlan {
  const fill = plan.fill && { ...plan.fill, isCommon: true };
  const { chunks } = plan;
  const referable = { ...plan, ...(plan.isStoredChunk ? {} : rangesOf(plan)), fill };
  const bytes = elementCount(referable.chunks) * plan.variable.stored.size;
  const isSame = referable.chunks.every((length, d) => length === chunks[d]);
  return isSame || bytes >= MIN_PIECE_BYTES ? referable : { ...plan, fill };
}

/** Chunks that are ranges of the file; the same if there are none in any shape, or the array is small and not chunked. */
function rangesOf({ variable }: ArrayPlan): Partial<ArrayPlan> {
  const { shape, storedShape, storage, stored, type } = variable;
  if (storage.kind === "chunked") return storedChunking(variable, storage) ?? {};
  const bytes = elementCount(shape) * stored.size;
  const isWhole = shape.every((length, d) => length === storedShape[d]);
  if (stored.kind !== "as-is" || type.kind === "text" || bytes <= SMALL || !isWhole) return {};
  if (storage.kind !== "contiguous" && storage.kind !== "records") return {};
  const wanted = Math.floor(PIECE_BYTES / stored.size);
  const inner = shape.slice(1);
  const isUnbroken =
    storage.kind === "contiguous" || storage.stride === elementCount(inner) * stored.size;
  return {
    chunks: isUnbroken
      ? blockShape(shape, wanted, largestDivisor)
      : [1, ...blockShape(inner, wanted, largestDivisor)],
  };
}
