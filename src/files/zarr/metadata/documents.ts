/** Writes the zarr v2 documents of a group and everything below. */

import { TooLarge } from "../../netcdf/errors.js";
import type { Group, LeftOut } from "../../netcdf/model.js";
import type { FileIdentity } from "../../netcdf/source/file-identity.js";
import { type ArrayPlan, planArray } from "./array-plan.js";
import { codecMembers } from "./codecs.js";
import { attributeText, fillText, objectText } from "./json-text.js";
import { DIMENSIONS, joinKey, LEFT_OUT } from "./keys.js";

export interface Documents {
  /** Key -> JSON text, without `.zmetadata`, which is built from these. */
  readonly texts: Map<string, string>;
  /** By path. */
  readonly arrays: Map<string, ArrayPlan>;
}

/** The metadata of a file: everything but its values. */
export interface FileIndex extends Documents {
  readonly identity: FileIdentity;
  readonly format: "NetCDF-3" | "NetCDF-4/HDF5";
}

const sentence = ({ name, reason }: LeftOut): string => `${name}: ${reason}`;

/**
 * Names that change meaning in a URL or in a zarr store. Clients put names into URLs unescaped: text after `#` or `?`
 * leaves the key, `\` becomes `/`, and `%41` becomes `A`. The chunks of such a variable would be missing, and read as
 * fill values.
 */
const isAmbiguous = (name: string): boolean =>
  name === "" ||
  name === "." ||
  name === ".." ||
  name.startsWith(".z") ||
  /[/\\#?\p{Cc}]|%[\da-f]{2}|^zarr\.json$/iu.test(name);

const MAX_LENGTH = 64 << 20;

/** @param plan of an array; that of a variable of one file if left out */
export function makeDocuments(root: Group, plan = planArray): Documents {
  const documents: Documents = { texts: new Map(), arrays: new Map() };
  const { texts, arrays } = documents;
  let length = 0;
  const put = (key: string, text: string): void => {
    length += key.length + text.length;
    if (length > MAX_LENGTH) throw new TooLarge("The metadata of this file is too long.");
    texts.set(key, text);
  };
  const addGroup = (group: Group): void => {
    put(joinKey(group.path, ".zgroup"), '{"zarr_format":2}');
    const prefix = group.path === "" ? 0 : group.path.length + 1;
    const children = group.groups.map((child) => ({ child, name: child.path.slice(prefix) }));
    const leftOut = [...group.leftOut];
    const taken = new Set<string>();
    /** Whether a member is served. If not, it is added to the list of omissions. */
    const isServed = (name: string): boolean => {
      const reason = isAmbiguous(name)
        ? "its name cannot be part of an address"
        : taken.has(name)
          ? "another one reads the same"
          : undefined;
      if (reason !== undefined) leftOut.push({ name, reason });
      taken.add(name);
      return reason === undefined;
    };
    const variables = group.variables.filter(({ name }) => isServed(name));
    const below = children.filter(({ name }) => isServed(name));
    const omissions =
      leftOut.length === 0 ? [] : ([[LEFT_OUT, JSON.stringify(leftOut.map(sentence))]] as const);
    put(joinKey(group.path, ".zattrs"), attributesText(group.attributes, ...omissions));
    for (const variable of variables) {
      const planned = plan(joinKey(group.path, variable.name), variable);
      arrays.set(planned.path, planned);
      put(joinKey(planned.path, ".zarray"), arrayText(planned));
      const { attributes } = variable;
      const own =
        planned.fill === undefined
          ? attributes
          : attributes.filter(({ name }) => name !== "_FillValue");
      const dimensions = [DIMENSIONS, JSON.stringify(variable.dimensions)] as const;
      put(joinKey(planned.path, ".zattrs"), attributesText(own, dimensions));
    }
    for (const { child } of below) addGroup(child);
  };
  addGroup(root);
  return documents;
}

/** `.zmetadata` of a group. zarr 2 reads only the root's, zarr 3 that of each group it opens. */
export function consolidated(texts: ReadonlyMap<string, string>, group: string): string {
  const prefix = group === "" ? "" : `${group}/`;
  const members: [string, string][] = [];
  for (const [key, text] of texts) {
    if (key.startsWith(prefix)) members.push([key.slice(prefix.length), text]);
  }
  return `{"metadata":${objectText(members)},"zarr_consolidated_format":1}`;
}

function attributesText(
  attributes: Group["attributes"],
  ...more: (readonly [string, string])[]
): string {
  const members = new Map<string, string>();
  for (const { name, value } of attributes) members.set(name, attributeText(value));
  for (const [name, text] of more) members.set(name, text);
  return objectText(members);
}

/** `.zarray`. */
export function arrayText(plan: ArrayPlan): string {
  const { variable, chunks, codecs } = plan;
  const { type, shape } = variable;
  const { filters, compressor } = codecMembers(codecs);
  const dtype =
    type.kind === "text"
      ? '"|O"'
      : JSON.stringify(type.kind === "plain" ? type.dtype : type.fields);
  return objectText([
    ["zarr_format", "2"],
    ["shape", JSON.stringify(shape)],
    ["chunks", JSON.stringify(chunks)],
    ["dtype", dtype],
    ["fill_value", fillValueText(plan)],
    ["order", '"C"'],
    ["filters", type.kind === "text" ? '[{"id":"vlen-utf8"}]' : filters],
    ["compressor", compressor],
    ["dimension_separator", '"."'],
  ]);
}

function fillValueText({ fill, variable: { type } }: ArrayPlan): string {
  if (fill === undefined) return "null";
  if (typeof fill.text === "string") return JSON.stringify(fill.text);
  return fillText(fill.text, type.kind === "plain" && type.dtype[1] === "f");
}
