/**
 * Finds the dimensions of a NetCDF-4 file by the rules of netCDF-C 4.9 (hdf5open.c).
 *
 * Dimensions are HDF5 dimension scales, attached to variables by `DIMENSION_LIST`. Without it, `_Netcdf4Coordinates`
 * has the dimensions' numbers, or else phony dimensions are created.
 */

import { DamagedFile } from "../errors.js";
import type { Datatype } from "../hdf5/datatype.js";
import type { Hdf5File } from "../hdf5/file.js";
import type { GlobalHeaps } from "../hdf5/structures/global-heap.js";
import { Cursor } from "../source/cursor.js";
import { textOf } from "./attributes.js";
import type { Dataset, ObjectGroup } from "./objects.js";
import { DIMENSION_ATTRIBUTES } from "./reserved-attributes.js";

export interface Dimension {
  readonly name: string;
  readonly id: number;
  readonly isUnlimited: boolean;
  /** Grows with the variables that use an unlimited dimension. */
  length: number;
}

/** NAME of a scale that is a dimension without a variable. */
const NO_VARIABLE = "This is a netCDF dimension but not a netCDF variable";
const NON_COORDINATE = "_nc4_non_coord_";

interface Scope {
  readonly group: ObjectGroup;
  readonly parent: Scope | undefined;
  readonly children: Scope[];
  readonly dimensions: Dimension[];
  /** By address of the scale's object header. */
  readonly byAddress: Map<number, Dimension>;
}

export interface NamedDataset {
  readonly name: string;
  readonly dataset: Dataset;
  readonly dimensions: readonly Dimension[];
}

/** The datasets that are variables, with their dimensions, by group. */
export function assignDimensions(
  file: Hdf5File,
  heaps: GlobalHeaps,
  root: ObjectGroup,
): Map<ObjectGroup, NamedDataset[]> {
  const ids = new Map<number, Dimension>();
  let nextId = 0;
  const addDimension = (
    scope: Scope,
    dimension: Omit<Dimension, "id">,
    wanted: number | undefined,
  ): Dimension => {
    const id = wanted ?? nextId;
    nextId = Math.max(nextId, id + 1);
    const added = { ...dimension, id };
    scope.dimensions.push(added);
    if (!ids.has(id)) ids.set(id, added);
    return added;
  };
  /** Addresses of all scales of the file. */
  const scales = new Set<number>();
  /** Attachments that scales list: a dataset's address, and the number of its dimension. */
  const attached = new Set<string>();
  const findScales = (group: ObjectGroup, parent: Scope | undefined): Scope => {
    const scope: Scope = { group, parent, children: [], dimensions: [], byAddress: new Map() };
    for (const dataset of group.datasets) {
      checkReserved(dataset);
      if (!isScale(dataset)) continue;
      const [length = 1] = dataset.space.shape;
      const isUnlimited = dataset.space.maxShape[0] === Number.POSITIVE_INFINITY;
      const wanted = integers(dataset, "_Netcdf4Dimid")[0];
      const name = variableName(dataset);
      const dimension = addDimension(scope, { name, length, isUnlimited }, wanted);
      scope.byAddress.set(dataset.header.address, dimension);
      scales.add(dataset.header.address);
      for (const place of attachments(file, dataset)) attached.add(place);
    }
    for (const child of group.groups) scope.children.push(findScales(child, scope));
    return scope;
  };
  const result = new Map<ObjectGroup, NamedDataset[]>();
  const match = (scope: Scope): void => {
    // Inner groups come first, because this order determines the numbers of phony dimensions.
    for (const child of scope.children) match(child);
    const variables: NamedDataset[] = [];
    for (const dataset of scope.group.datasets) {
      if (isScale(dataset) && textOf(dataset.attributes, "NAME")?.startsWith(NO_VARIABLE)) continue;
      const name = variableName(dataset);
      const dimensions = dimensionsOf(dataset, scope);
      variables.push({ name, dataset, dimensions });
    }
    result.set(scope.group, variables);
  };
  const dimensionsOf = (dataset: Dataset, scope: Scope): Dimension[] => {
    const { shape, maxShape } = dataset.space;
    const numbers = integers(dataset, "_Netcdf4Coordinates");
    const byIds = numbers.map((id) => ids.get(id));
    if (numbers.length > 0 && (numbers.length !== shape.length || byIds.includes(undefined))) {
      throw new DamagedFile("A variable of the file has dimensions that are not there.");
    }
    const own = isScale(dataset) ? scope.byAddress.get(dataset.header.address) : undefined;
    const byScales = own === undefined ? attachedScales(file, heaps, dataset) : [];
    if (byScales.some((address) => address !== undefined && address > 0 && !scales.has(address))) {
      throw new DamagedFile("A variable of the file has a dimension that leads nowhere.");
    }
    for (const [d, address] of byScales.entries()) {
      if (
        !(address !== undefined && address > 0) &&
        attached.has(`${dataset.header.address}:${d}`)
      ) {
        throw new DamagedFile("A variable of the file has lost a dimension that says to be its.");
      }
    }
    const used: Dimension[] = [];
    const phony = (length: number, isUnlimited: boolean): Dimension =>
      scope.dimensions.find(
        (known) =>
          known.length === length && known.isUnlimited === isUnlimited && !used.includes(known),
      ) ?? addDimension(scope, { name: `phony_dim_${nextId}`, length, isUnlimited }, undefined);
    for (const [d, length] of shape.entries()) {
      const address = byScales[d];
      const dimension =
        (byIds.length === shape.length ? byIds[d] : undefined) ??
        (d === 0 ? own : undefined) ??
        (address === undefined ? undefined : findUpwards(scope, address)) ??
        phony(length, maxShape[d] === Number.POSITIVE_INFINITY);
      // A resizable variable may be shorter than its scale.
      if (!dimension.isUnlimited && dimension.length !== length && maxShape[d] === length) {
        throw new DamagedFile("A variable of the file is not as long as its dimension.");
      }
      used.push(dimension);
    }
    return used;
  };
  match(findScales(root, undefined));
  growUnlimited(result);
  return result;
}

function isScale(dataset: Dataset): boolean {
  return (
    dataset.space.shape.length > 0 && textOf(dataset.attributes, "CLASS") === "DIMENSION_SCALE"
  );
}

/** The name of a variable. One that is named like a foreign dimension is stored under another name. */
function variableName({ name }: Dataset): string {
  return name.startsWith(NON_COORDINATE) ? name.slice(NON_COORDINATE.length) : name;
}

function integers({ attributes }: Dataset, name: string): number[] {
  const attribute = attributes.find((candidate) => candidate.name === name);
  if (attribute?.type.kind !== "integer" || attribute.type.size !== 4) return [];
  const { data, type } = attribute;
  const cursor = new Cursor(data, !type.bigEndian);
  const values: number[] = [];
  while (cursor.left >= 4) values.push(cursor.u32());
  return values;
}

/** Addresses of the first scale of each dimension, from `DIMENSION_LIST`. */
function attachedScales(
  file: Hdf5File,
  heaps: GlobalHeaps,
  dataset: Dataset,
): (number | undefined)[] {
  const list = dataset.attributes.find(({ name }) => name === "DIMENSION_LIST");
  if (list === undefined || list.type.kind !== "vlen" || list.type.base.kind !== "reference") {
    return [];
  }
  const { size } = list.type.base;
  const cursor = new Cursor(list.data);
  const addresses: (number | undefined)[] = [];
  while (cursor.left >= heaps.referenceSize) {
    const reference = new Cursor(cursor.take8(heaps.referenceSize));
    const scales = new Cursor(heaps.resolve(reference, size));
    addresses.push(scales.left >= file.offsetSize ? file.address(scales) : undefined);
  }
  if (addresses.length !== dataset.space.shape.length) {
    throw new DamagedFile("A variable of the file has not as many dimensions as it says.");
  }
  return addresses;
}

/** The entries of a scale's `REFERENCE_LIST`: each attached dataset's address, and the dimension's number. */
function attachments(file: Hdf5File, { attributes }: Dataset): string[] {
  const list = attributes.find(({ name }) => name === "REFERENCE_LIST");
  if (list === undefined || nameOfForm(list.type) !== "REFERENCE_LIST") return [];
  if (list.type.kind !== "compound" || list.type.size === 0) return [];
  const [dataset, dimension] = list.type.members;
  if (dataset?.type.size !== file.offsetSize || dimension?.type.size !== 4) return [];
  const found: string[] = [];
  for (let at = 0; at + list.type.size <= list.data.length; at += list.type.size) {
    const element = list.data.subarray(at, at + list.type.size);
    const address = file.address(new Cursor(element.subarray(dataset.offset)));
    found.push(`${address}:${new Cursor(element.subarray(dimension.offset)).u32()}`);
  }
  return found;
}

/**
 * Rejects misspelt reserved names on attributes of their type: without them the variable would get other dimensions.
 * (The value that marks a scale is checked the same way.)
 */
function checkReserved({ attributes }: Dataset): void {
  const names = new Set(attributes.map(({ name }) => name));
  for (const { name, type } of attributes) {
    const meant = DIMENSION_ATTRIBUTES.find(
      (reserved) => name !== reserved && isNearly(name, reserved),
    );
    if (meant === undefined || names.has(meant)) continue;
    const isForm = meant === "CLASS" || meant === "NAME" ? type.kind === "string" : true;
    if (isForm) throw lostName();
  }
  for (const { name, type } of attributes) {
    const meant = nameOfForm(type);
    if (meant !== undefined && meant !== name && !names.has(meant)) throw lostName();
  }
  const list = attributes.find(({ name }) => name === "REFERENCE_LIST");
  if (list?.type.kind === "compound" && textOf(attributes, "CLASS") !== "DIMENSION_SCALE") {
    throw new DamagedFile("A dimension of the file is none any more.");
  }
}

const lostName = (): DamagedFile => new DamagedFile("An attribute of the file has lost its name.");

/** The reserved name that belongs to a type, if the type is unique to it. */
function nameOfForm(type: Datatype): string | undefined {
  if (type.kind === "vlen" && type.base.kind === "reference") return "DIMENSION_LIST";
  if (type.kind !== "compound") return undefined;
  const members = type.members.map((member) => member.name).join();
  return members === "dataset,dimension" ? "REFERENCE_LIST" : undefined;
}

/** Whether two texts of equal length differ in one or two letters. */
function isNearly(text: string, other: string): boolean {
  if (text.length !== other.length) return false;
  let differing = 0;
  for (let i = 0; i < text.length; i++) if (text[i] !== other[i]) differing += 1;
  return differing > 0 && differing <= 2;
}

function findUpwards(scope: Scope, address: number): Dimension | undefined {
  for (let at: Scope | undefined = scope; at !== undefined; at = at.parent) {
    const found = at.byAddress.get(address);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** An unlimited dimension is as long as the longest variable that uses it (nc4_find_dim_len). */
function growUnlimited(groups: ReadonlyMap<ObjectGroup, readonly NamedDataset[]>): void {
  const lengths = new Map<Dimension, number>();
  for (const variables of groups.values()) {
    for (const { dataset, dimensions } of variables) {
      for (const [d, dimension] of dimensions.entries()) {
        const length = dataset.space.shape[d] ?? 0;
        lengths.set(dimension, Math.max(lengths.get(dimension) ?? 0, length));
      }
    }
  }
  for (const [dimension, length] of lengths) {
    if (dimension.isUnlimited) dimension.length = length;
  }
}
