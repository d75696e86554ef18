/**
 * Converts documents of zarr v2 to `zarr.json` of v3. The chunks keep their keys and bytes (chunk key encoding `v2`), so
 * that every store of v2 can be read as v3, whatever it is made from.
 *
 * Sources: zarr v3 core specification, "Array metadata"; zarr-python 3, consolidated metadata.
 */
import { type Json, numbersIn, textsIn } from "../metadata/json-object.js";
import { memberTexts, objectText, withLeftOut } from "../metadata/json-text.js";
import { DIMENSIONS, nameOf, parentOf } from "../metadata/keys.js";
import { inline, parseObject } from "../store/metadata.js";
import { codecs3, objectType } from "./codecs.js";
import { type DataType, dataType, fillTexts, fillValue } from "./data-type.js";

const FILL = "_FillValue";
const MISSING = "missing_value";

/** Types whose values JSON expresses. */
const CAN_BE_MISSING: ReadonlySet<DataType["kind"]> = new Set(["text", "float", "integer"]);

const EMPTY = "{}";
const REASON = "zarr v3 has no data type or codec for it";

/** The documents of a group or an array of v2, by the ends of their keys. */
interface Node {
  array?: string;
  attributes?: string;
}

/**
 * `zarr.json` of a group or an array.
 *
 * @param document `.zmetadata` of a group, `.zarray` of an array
 * @param attributes `.zattrs` of an array
 * @returns undefined if v3 cannot express the array
 */
export const version3Text = (
  kind: "group" | "array",
  document: string,
  attributes?: string,
): string | undefined =>
  kind === "group" ? groupDocument(document) : arrayDocument(document, attributes);

/**
 * `zarr.json` of a group, with the consolidated metadata of everything below.
 *
 * Arrays that v3 cannot express are left out, and named in the attributes of their group.
 */
export function groupDocument(consolidated: string): string {
  parseObject(".zmetadata", consolidated);
  const members = new Map(memberTexts(consolidated)).get("metadata") ?? EMPTY;
  const nodes = nodesOf(members.startsWith("{") ? members : EMPTY);
  const arrays = new Map<string, string>();
  const leftOut = new Map<string, string[]>();
  for (const [path, { array, attributes }] of nodes) {
    if (array === undefined) continue;
    const text = arrayDocument(array, attributes);
    if (text !== undefined) arrays.set(path, text);
    else {
      const group = parentOf(path);
      leftOut.set(group, [...(leftOut.get(group) ?? []), `${nameOf(path)}: ${REASON}`]);
    }
  }
  const groupAttributes = (path: string): string => {
    const text = nodes.get(path)?.attributes ?? EMPTY;
    const omitted = leftOut.get(path);
    return omitted === undefined ? text : withLeftOut(text, omitted);
  };
  const group = (path: string, metadata: readonly (readonly [string, string])[]): string =>
    objectText([
      ["zarr_format", "3"],
      ["node_type", '"group"'],
      ["attributes", groupAttributes(path)],
      ["consolidated_metadata", inline(metadata)],
    ]);
  const below: [string, string][] = [];
  for (const [path, { array }] of nodes) {
    const text = array === undefined ? group(path, []) : arrays.get(path);
    if (path !== "" && text !== undefined) below.push([path, text]);
  }
  return group("", below);
}

/** Groups and arrays by path. The groups above an array are there, and stand before it. */
function nodesOf(members: string): Map<string, Node> {
  const nodes = new Map<string, Node>([["", {}]]);
  const at = (path: string): Node => {
    const known = nodes.get(path);
    if (known !== undefined) return known;
    at(parentOf(path));
    const node = {};
    nodes.set(path, node);
    return node;
  };
  for (const [key, text] of memberTexts(members)) {
    const name = nameOf(key);
    if (name === ".zgroup") at(parentOf(key));
    else if (name === ".zarray") at(parentOf(key)).array = text;
    else if (name === ".zattrs") at(parentOf(key)).attributes = text;
  }
  return nodes;
}

/** `zarr.json` of an array, from `.zarray` and `.zattrs`; undefined if v3 cannot express it. */
export function arrayDocument(array: string, attributes = EMPTY): string | undefined {
  const document = parseObject(".zarray", array);
  const attribute = parseObject(".zattrs", attributes);
  const type = document.dtype === "|O" ? objectType(document.filters) : dataType(document.dtype);
  const codecs = type && codecs3(document, type);
  if (type === undefined || codecs === undefined) return undefined;
  const members = new Map(memberTexts(attributes));
  const fill = new Map(memberTexts(array)).get("fill_value") ?? "null";
  const missing = fill === "null" ? members.get(FILL) : fill;
  const encoded =
    missing === undefined
      ? undefined
      : fillTexts(missing, type, String(document.dtype), attribute._Unsigned);
  const dimensions = textsIn(attribute[DIMENSIONS]);
  const shape = numbersIn(document.shape);
  const separator = document.dimension_separator === "/" ? "/" : ".";
  return objectText([
    ["zarr_format", "3"],
    ["node_type", '"array"'],
    ["shape", JSON.stringify(shape)],
    ["data_type", type.name],
    ["chunk_grid", chunkGrid(document)],
    ["chunk_key_encoding", JSON.stringify({ name: "v2", configuration: { separator } })],
    // Clients without xarray take it for what is missing. No unwritten chunk relies on it if v2 has none.
    ["fill_value", encoded?.value ?? fillValue(fill, type)],
    ["codecs", JSON.stringify(codecs)],
    ["attributes", arrayAttributes(members, missing, encoded?.attribute, type)],
    ...(dimensions.length === shape.length
      ? [["dimension_names", JSON.stringify(dimensions)] as const]
      : []),
    ["storage_transformers", "[]"],
  ]);
}

function chunkGrid({ chunks }: Json): string {
  // v3 has no chunks of length 0, which v2 has for dimensions without elements.
  const shape = numbersIn(chunks).map((length) => Math.max(1, length));
  return JSON.stringify({ name: "regular", configuration: { chunk_shape: shape } });
}

/**
 * Attributes for v3. The fill value of v2 means a missing value, that of v3 does not: it becomes `_FillValue`. xarray
 * reads no `_FillValue` of texts, nor a list; `missing_value` masks the same. It has no form for bytes and times.
 */
function arrayAttributes(
  attributes: ReadonlyMap<string, string>,
  missing: string | undefined,
  encoded: string | undefined,
  type: DataType,
): string {
  const members = new Map(attributes);
  members.delete(DIMENSIONS);
  members.delete(FILL);
  if (encoded !== undefined) members.set(FILL, encoded);
  else if (missing !== undefined && CAN_BE_MISSING.has(type.kind) && /^["[]/.test(missing)) {
    members.set(MISSING, members.get(MISSING) ?? missing);
  }
  return objectText(members);
}
