/** Reads the metadata of one array in a store. */
import { isObject } from "../../../domain/text/json-object.js";
import type { AttributeValue } from "../../cf/header.js";
import { elementCount } from "../../netcdf/shape.js";
import { attributesOf } from "../metadata/header.js";
import { type Json, numbersIn, parseDocument } from "../metadata/json-object.js";
import { joinKey } from "../metadata/keys.js";
import { attributesWithFill, isNumberType } from "../slice/unpack.js";
import type { StoreFormat } from "./format.js";
import type { StoreFiles } from "./metadata.js";
import { isReachable, nodeAt } from "./nodes.js";

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
  readonly hasNumbers: boolean;
}

/** Maximum bytes of an element. */
const ELEMENT = 8;

/** Maximum bytes of a decoded chunk. */
export const chunkBytesOf = ({ chunks }: Pick<StoredArrayDocument, "chunks">): number =>
  elementCount(chunks) * ELEMENT;

/** @returns undefined if there is no array @throws DamagedFile, and file errors */
export async function arrayDocument(
  files: StoreFiles,
  format: StoreFormat,
  path: string,
): Promise<StoredArrayDocument | undefined> {
  const node = await nodeAt(files, format, path);
  if (node?.kind !== "array") return undefined;
  const version = format === "zarr v3" ? 3 : 2;
  const own = (await isReachable(files, format, path))
    ? await ownText(files, version, path)
    : undefined;
  const documents = own ?? (await consolidatedMembers(files, version, path));
  const { array, attributes } = documents;
  const type = String(version === 3 ? array.data_type : array.dtype);
  return {
    ...{ version, document: array, type },
    attributes: attributesWithFill(attributesOf(attributes), array, version),
    shape: numbersIn(array.shape),
    chunks: version === 3 ? innerChunks(array) : numbersIn(array.chunks),
    hasNumbers: isNumberType(type),
  };
}

interface Found {
  readonly array: Json;
  readonly attributes: Json;
}

const objectIn = (value: unknown): Json => (isObject(value) ? value : {});

async function ownText(
  files: StoreFiles,
  version: 2 | 3,
  path: string,
): Promise<Found | undefined> {
  const text = await files.text(joinKey(path, version === 3 ? "zarr.json" : ".zarray"));
  if (text === undefined) return undefined;
  const array = parseDocument(text);
  if (version === 3) return { array, attributes: objectIn(array.attributes) };
  const attributes = await files.text(joinKey(path, ".zattrs"));
  return { array, attributes: attributes === undefined ? {} : parseDocument(attributes) };
}

async function consolidatedMembers(
  files: StoreFiles,
  version: 2 | 3,
  path: string,
): Promise<Found> {
  const root = parseDocument(
    (await files.text(version === 3 ? "zarr.json" : ".zmetadata")) ?? "{}",
  );
  const holder = objectIn(version === 3 ? root.consolidated_metadata : root);
  const members = objectIn(holder.metadata);
  const member = (name: string): Json =>
    objectIn(Object.hasOwn(members, name) ? members[name] : undefined);
  if (version === 2) {
    return {
      array: member(joinKey(path, ".zarray")),
      attributes: member(joinKey(path, ".zattrs")),
    };
  }
  const array = member(path);
  return { array, attributes: objectIn(array.attributes) };
}

function innerChunks({ chunk_grid: grid, codecs }: Json): number[] {
  const [first] = Array.isArray(codecs) ? codecs : [];
  const sharding = isObject(first) && first.name === "sharding_indexed" ? first : undefined;
  const configuration = objectIn((sharding ?? objectIn(grid)).configuration);
  return numbersIn(configuration.chunk_shape);
}
