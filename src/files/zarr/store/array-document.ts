/** Reads the metadata of one array in a store. */
import { isObject } from "../../../domain/text/json-object.js";
import type { AttributeValue } from "../../cf/header.js";
import { elementCount } from "../../netcdf/shape.js";
import { attributesOf } from "../metadata/header.js";
import { type Json, numbersIn } from "../metadata/json-object.js";
import { attributesWithFill, isNumberType } from "../slice/unpack.js";
import type { StoreFormat } from "./format.js";
import type { StoreFiles } from "./metadata.js";
import { describedNode } from "./nodes.js";

export interface StoredArrayDocument {
  readonly version: 2 | 3;
  /** `.zarray`, or `zarr.json` of an array. */
  readonly document: Json;
  /** In xarray's form. */
  readonly attributes: ReadonlyMap<string, AttributeValue>;
  readonly type: string;
  readonly shape: readonly number[];
  /** Shape of the unit of decoding: in a sharded array the inner chunk. */
  readonly chunks: readonly number[];
  /** Maximum bytes of a decoded chunk. */
  readonly chunkBytes: number;
  readonly hasNumbers: boolean;
}

/** Maximum bytes of an element. */
const ELEMENT = 8;

/** The metadata of the array at a path; undefined if there is none. */
export async function arrayDocument(
  files: StoreFiles,
  format: StoreFormat,
  path: string,
): Promise<StoredArrayDocument | undefined> {
  const found = await describedNode(files, format, path);
  if (found?.node.kind !== "array") return undefined;
  const { document } = found;
  const version = format === "zarr v3" ? 3 : 2;
  const type = String(version === 3 ? document.data_type : document.dtype);
  const attributes = attributesOf(await found.attributes());
  const chunks = version === 3 ? innerChunks(document) : numbersIn(document.chunks);
  return {
    version,
    document,
    type,
    attributes: attributesWithFill(attributes, document, version),
    shape: numbersIn(document.shape),
    chunks,
    chunkBytes: elementCount(chunks) * ELEMENT,
    hasNumbers: isNumberType(type),
  };
}

function innerChunks({ chunk_grid: grid, codecs }: Json): number[] {
  const [first] = Array.isArray(codecs) ? codecs : [];
  const sharding = isObject(first) && first.name === "sharding_indexed" ? first : undefined;
  const { configuration } = sharding ?? (isObject(grid) ? grid : {});
  return isObject(configuration) ? numbersIn(configuration.chunk_shape) : [];
}
