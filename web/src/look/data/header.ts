/** zarr metadata documents -> the header of a dataset, as a tree. */

import { isObject } from "../../../../src/domain/text/json-object.js";
import { isCoordinateVariable, namesIn } from "../../../../src/files/cf/header.js";
import { type Roles, rolesOf } from "../../../../src/files/cf/roles.js";
import { elementCount } from "../../../../src/files/netcdf/shape.js";
import { attributesOf } from "../../../../src/files/zarr/metadata/header.js";
import { numbersIn, parseDocument } from "../../../../src/files/zarr/metadata/json-object.js";
import { nameOf, parentOf } from "../../../../src/files/zarr/metadata/keys.js";
import { readGroups, type StoredArray } from "../../../../src/files/zarr/metadata/stored-groups.js";
import { dimensionsOf } from "../../../../src/files/zarr/metadata/summary.js";
import { asVersion2 } from "../../../../src/files/zarr/metadata/version-2.js";
import { attributesWithFill } from "../../../../src/files/zarr/slice/unpack.js";
import type { Dataset, Group, Variable } from "./types.js";

export interface Documents {
  readonly version: 2 | 3;
  /** Documents of the arrays and groups, by store key. */
  readonly texts: ReadonlyMap<string, string>;
}

/** The documents in consolidated metadata: `.zmetadata` in v2, the root's `zarr.json` in v3. */
export function consolidatedDocuments(text: string, version: 2 | 3): Documents {
  const root = parseDocument(text);
  const currentUser = version === 3 ? root.consolidated_metadata : root;
  const members =
    isObject(currentUser) && isObject(currentUser.metadata) ? currentUser.metadata : {};
  const key = (name: string): string => (version === 3 ? `${name}/zarr.json` : name);
  const texts = Object.entries(members).map(
    ([name, value]) => [key(name), JSON.stringify(value, infinityAsText)] as const,
  );
  const { consolidated_metadata: _, ...own } = root;
  return {
    version,
    texts: new Map([
      ...(version === 3 ? ([["zarr.json", JSON.stringify(own)]] as const) : []),
      ...texts,
    ]),
  };
}

const infinityAsText = (_name: string, value: unknown): unknown =>
  value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY ? String(value) : value;

/** @throws SyntaxError if a document is not JSON */
export function headerOf(id: string, { version, texts }: Documents): Dataset {
  const groups = readGroups(version === 3 ? asVersion2(texts) : texts);
  const arrays = groups.flatMap((group) => group.arrays);
  const variables = arrays.map(
    (array): Variable => ({ ...variableOf(array, version), role: "other" }),
  );
  const root = groups.find(({ path }) => path === "");
  const attributes = attributesOf(root?.attributes ?? {});
  const roles = rolesOf({ attributes, variables });
  const listed = new Set(roles.data.flatMap((variable) => namesIn(variable, "coordinates")));
  const told = variables.map((one): Variable => ({ ...one, role: roleOf(one, roles, listed) }));
  // Intermediate groups may have no document.
  const paths = new Set([""]);
  for (const { path } of groups) for (let at = path; at !== ""; at = parentOf(at)) paths.add(at);
  const groupAt = (path: string, above: ReadonlySet<string>): Group => {
    const own = told.filter((one) => one.path !== "" && parentOf(one.path) === path);
    const dimensions = dimensionsOf(own).filter(
      ({ name, length }) => !above.has(`${name}/${length}`),
    );
    const known = new Set([...above, ...dimensions.map(({ name, length }) => `${name}/${length}`)]);
    return {
      path,
      name: nameOf(path),
      attributes: attributesOf(groups.find((group) => group.path === path)?.attributes ?? {}),
      dimensions,
      variables: own,
      groups: [...paths]
        .filter((each) => each !== "" && parentOf(each) === path)
        .map((each) => groupAt(each, known)),
    };
  };
  return { id, ...groupAt("", new Set()) };
}

function variableOf(
  { path, name, dimensions, array, attributes }: StoredArray,
  version: 2 | 3,
): Omit<Variable, "role"> {
  const shape = numbersIn(array.shape);
  const chunks = numbersIn(array.chunks);
  const type = typeof array.dtype === "string" ? array.dtype : JSON.stringify(array.dtype);
  return {
    path,
    name,
    type,
    // The store may name no dimensions.
    dimensions: shape.map((_, d) => dimensions[d] ?? `dimension ${d}`),
    shape,
    chunks,
    chunkBytes: elementCount(chunks) * sizeOf(type),
    attributes: attributesWithFill(attributesOf(attributes), array, version),
  };
}

/** Bytes per element; a guess for strings, whose length is unknown. */
export function sizeOf(type: string): number {
  const [, kind, digits] = /^[<>|]?([a-zA-Z]+)(\d+)$/.exec(type) ?? [];
  const size = Number(digits);
  if (Number.isNaN(size)) return type === "bool" ? 1 : 16;
  if (kind === "U") return 4 * size;
  return (kind?.length ?? 0) > 1 ? size / 8 : size;
}

function roleOf(variable: Variable, roles: Roles, listed: ReadonlySet<string>): Variable["role"] {
  const among = (list: readonly { readonly path: string }[]): boolean =>
    list.some(({ path }) => path === variable.path);
  if (among(roles.data)) return "data";
  if (roles.bounds.has(variable.name)) return "bounds";
  const isCoordinate =
    isCoordinateVariable(variable) ||
    listed.has(variable.name) ||
    among([...roles.times, ...roles.latitudes, ...roles.longitudes]);
  return isCoordinate ? "coordinate" : "other";
}

/** The variable that a name in another variable refers to: in its group, in a parent, or else anywhere (CF, 2.7.1). */
export function referredTo(
  all: readonly Variable[],
  from: Variable,
  name: string,
): Variable | undefined {
  const absolute = name.startsWith("/") ? name.slice(1) : undefined;
  if (absolute !== undefined) return all.find(({ path }) => path === absolute);
  for (let at = parentOf(from.path); ; at = parentOf(at)) {
    const path = at === "" ? name : `${at}/${name}`;
    const found = all.find((one) => one.path === path);
    if (found !== undefined) return found;
    if (at === "") return all.find((one) => one.name === name);
  }
}
