/** Builds zarr chunks that are not stored chunks of the file. */
import { type ChunkTable, chunkGrid, chunkNumber, findChunk } from "../../netcdf/chunk-table.js";
import { withoutChecksum } from "../../netcdf/render/filters.js";
import type { Box } from "../../netcdf/render/region.js";
import { type RenderTools, readValues } from "../../netcdf/render/values.js";
import type { Source } from "../../netcdf/source/source.js";
import { type ArrayPlan, isWithinStored } from "../metadata/array-plan.js";
import { encode } from "./encode.js";

/** The box of elements that a zarr chunk covers. It may exceed the array. */
function chunkBox({ chunks }: ArrayPlan, place: readonly number[]): Box {
  return { start: place.map((index, d) => index * (chunks[d] ?? 1)), shape: chunks };
}

export function renderChunk(
  source: Source,
  plan: ArrayPlan,
  place: readonly number[],
  tools: RenderTools,
): Uint8Array {
  const checked = plan.isChecked ? checkedChunk(source, plan, place, tools.table) : undefined;
  if (checked !== undefined) return checked;
  return encode(readValues(source, plan.variable, chunkBox(plan, place), tools), plan.codecs);
}

/**
 * A stored chunk without its verified checksum; undefined if the zarr chunk is not one stored chunk with all its
 * filters.
 */
function checkedChunk(
  source: Source,
  plan: ArrayPlan,
  place: readonly number[],
  table: ChunkTable,
): Uint8Array | undefined {
  const { storage, storedShape } = plan.variable;
  if (storage.kind !== "chunked" || !isWithinStored(plan, place)) return undefined;
  const grid = chunkGrid(storedShape, storage.chunks.chunk);
  const found = findChunk(table, chunkNumber(place, grid));
  if (found === undefined || found.mask !== 0) return undefined;
  return withoutChecksum(source.reader.read(found.offset, found.size));
}
