/** Finds the place of a zarr chunk in a file. */
import { type ChunkTable, chunkGrid, chunkNumber, findChunk } from "../netcdf/chunk-table.js";
import { elementCount } from "../netcdf/shape.js";
import { type ArrayPlan, isWithinStored, sameElement } from "./metadata/array-plan.js";
import { isUnbroken } from "./metadata/chunk-shape.js";
import { nameOf, parentOf } from "./metadata/keys.js";

/** Bytes of a file. */
export interface ByteRange {
  readonly offset: number;
  readonly length: number;
}

/** Bytes of a checksum at the end of a stored chunk. */
const CHECKSUM_BYTES = 4;

/** The array and the position of a chunk key such as `path/0.0.0`. */
export function chunkOf(
  key: string,
  arrays: { get(path: string): ArrayPlan | undefined },
): { readonly plan: ArrayPlan; readonly place: readonly number[] } | undefined {
  const plan = arrays.get(parentOf(key));
  const name = nameOf(key);
  if (plan === undefined || !/^(0|[1-9]\d{0,15})(\.(0|[1-9]\d{0,15}))*$/.test(name)) {
    return undefined;
  }
  const { shape } = plan.variable;
  const place = name.split(".").map(Number);
  // An array without dimensions has one chunk, 0.
  if (shape.length === 0) return name === "0" ? { plan, place: [] } : undefined;
  const grid = chunkGrid(shape, plan.chunks);
  if (place.length !== grid.length) return undefined;
  return place.every((index, d) => index < (grid[d] ?? 0)) ? { plan, place } : undefined;
}

/** The range of a chunk that lies in one piece in the file; undefined if it does not, or is cut off. */
export function contiguousRange(
  { variable, chunks, codecs }: ArrayPlan,
  place: readonly number[],
): ByteRange | undefined {
  const { storage, stored, storedShape, type } = variable;
  if (codecs.length > 0) return undefined;
  if (stored.kind !== "as-is" || type.kind === "text") return undefined;
  const isWhole = place.every(
    (index, d) => (index + 1) * (chunks[d] ?? 1) <= (storedShape[d] ?? 0),
  );
  if (!isWhole || !isUnbroken(chunks, storedShape)) return undefined;
  const bytes = elementCount(chunks) * stored.size;
  const linear = (shape: readonly number[], from: number): number =>
    shape.reduce(
      (sum, length, d) => sum * length + (place[d + from] ?? 0) * (chunks[d + from] ?? 1),
      0,
    );
  if (storage.kind === "contiguous") {
    return { offset: storage.offset + linear(storedShape, 0) * stored.size, length: bytes };
  }
  if (storage.kind !== "records") return undefined;
  const inner = storedShape.slice(1);
  const hasGaps = storage.stride !== elementCount(inner) * stored.size;
  if (chunks[0] !== 1 && hasGaps) return undefined;
  const record = (place[0] ?? 0) * (chunks[0] ?? 1);
  const at = storage.offset + record * storage.stride + linear(inner, 1) * stored.size;
  return { offset: at, length: bytes };
}

/**
 * The range of a chunk that is a chunk of the file too. A checksum at its end is no part of the range.
 *
 * @returns `decoded` if the stored bytes are not those of the zarr chunk
 */
export async function storedChunk(
  plan: ArrayPlan,
  place: readonly number[],
  readTable: () => Promise<ChunkTable>,
): Promise<ByteRange | "unwritten" | "decoded"> {
  const { storedShape, storage, padding, type } = plan.variable;
  if (storage.kind !== "chunked") return "decoded";
  const chunk = storage.chunks.chunk;
  const isInside = place.every((index, d) => index * (chunk[d] ?? 1) < (storedShape[d] ?? 0));
  // A stored chunk at the edge needs padding if the array is longer than what is stored.
  const isClean = isWithinStored(plan, place);
  const { fill } = plan;
  const fillsAlike =
    fill?.isCommon === true &&
    (isClean ||
      (padding !== undefined &&
        type.kind === "plain" &&
        sameElement(type.dtype, padding, fill.bytes)));
  if (!isInside) return fillsAlike ? "unwritten" : "decoded";
  const grid = chunkGrid(storedShape, chunk);
  const found = findChunk(await readTable(), chunkNumber(place, grid));
  if (found === undefined) return fillsAlike ? "unwritten" : "decoded";
  const size = found.size - (plan.isChecked ? CHECKSUM_BYTES : 0);
  if (!isClean || found.mask !== 0 || size < 0) return "decoded";
  return { offset: found.offset, length: size };
}
