/** Digests of values as zarrita reads them, for comparison with other clients. */
import { createHash } from "node:crypto";
import * as zarr from "zarrita";

/** A digest of zarrita's reading of an array, from an index on along its first dimension. */
export async function digestOf(array: zarr.Array<zarr.DataType>, from = 0): Promise<string> {
  const { shape } = array;
  const selection = shape.map((_, d) => (d === 0 && from > 0 ? zarr.slice(from, null) : null));
  const { data } = shape.length === 0 ? await array.getChunk([]) : await zarr.get(array, selection);
  const hash = createHash("sha256");
  if (Array.isArray(data)) return hash.update(data.join("\0")).digest("hex");
  return hash.update(new Uint8Array(data.buffer, data.byteOffset, data.byteLength)).digest("hex");
}
