import { isObject } from "../../../domain/text/json-object.js";
import { parseDocument } from "./json-object.js";
import { DIMENSIONS } from "./keys.js";

/** Converts zarr v3 documents to v2, as far as headers and summaries need them. */
export function asVersion2(documents: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const result = new Map<string, string>();
  for (const [key, text] of documents) {
    if (!key.endsWith("zarr.json")) {
      result.set(key, text);
      continue;
    }
    const base = key.slice(0, -"zarr.json".length);
    const node = parseDocument(text);
    const attributes = isObject(node.attributes) ? node.attributes : {};
    if (node.node_type !== "array") {
      result.set(`${base}.zgroup`, "{}");
      result.set(`${base}.zattrs`, JSON.stringify(attributes));
      continue;
    }
    const grid = isObject(node.chunk_grid) ? node.chunk_grid.configuration : undefined;
    const codecs = Array.isArray(node.codecs) ? node.codecs : [];
    const filters = codecs.flatMap((codec) => (isObject(codec) ? [{ id: codec.name }] : []));
    const array = {
      shape: node.shape,
      chunks: isObject(grid) ? grid.chunk_shape : [],
      dtype: node.data_type,
      filters,
    };
    result.set(`${base}.zarray`, JSON.stringify(array));
    const dimensions = { [DIMENSIONS]: node.dimension_names ?? [] };
    result.set(`${base}.zattrs`, JSON.stringify({ ...attributes, ...dimensions }));
  }
  return result;
}
