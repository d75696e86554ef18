/**
 * Finds the dimensions of a NetCDF-4 file by the rules of netCDF-C 4.9 (hdf5open.c).
 *
 * Dimensions are HDF5 dimension scales, attached to variables by `DIMENSION_LIST`. Without it, `_Netcdf4Coordinates`
 * has the dimensions' numbers, or else phony dimensions are created.
 */

import { DamagedFile } from "../errors.js";
import type { Datatype } from "../hdf5/datatype.js";
import { type Hdf5File, UNDEFINED } from "../hdf5/file.js";
import type { GlobalHeaps } from "../hdf5/structures/global-heap.js";
import { type LeftOut, leavingOut } from "../model.js";
import { Cursor } from "../source/cursor.js";
import { readInteger, textOf } from "./attributes.js";
import type { Dataset, ObjectGroup } from "./objects.js";

interface Dimension {
  readonly name: string;
  readonly id: number;
  readonly isUnlimited: boolean;
  /** Grows with the variables that use an unlimited dimension. */
  length: number;
}

/** NAME of a scale that is a dimension without a variable. */
const NO_VARIABLE = "This is a netCDF dimension but not a netCDF variable";
/** The value of CLASS that marks a scale. */
const SCALE = "DIMENSION_SCALE";
const NON_COORDINATE = "_nc4_non_coord_";

interface Scope {
  readonly group: ObjectGroup;
  readonly parent: Scope | undefined;
  readonly children: Scope[];
  readonly dimensions: Dimension[];
  /** By address of the scale's object header. Of several links to a scale, the first one counts. */
  readonly byAddress: Map<number, Dimension>;
  /** By name of the scale's dataset. */
  readonly byName: Map<string, Dimension>;
}

export interface NamedDataset {
  readonly name: string;
  readonly dataset: Dataset;
  readonly dimensions: readonly Dimension[];
}

/** The variables of a group, and those whose dimensions cannot be found. */
interface NamedDatasets {
  readonly variables: readonly NamedDataset[];
  readonly leftOut: readonly LeftOut[];
}

/** The datasets that are variables, with their dimensions, by group. */
export function assignDimensions(
  file: Hdf5File,
  heaps: GlobalHeaps,
  root: ObjectGroup,
): Map<ObjectGroup, NamedDatasets> {
  const groups = new Dimensions(file, heaps).assign(root);
  growUnlimited(groups);
  return groups;
}

/** The dimensions of a file: those of its scales, and phony ones that are created in netCDF-C's order. */
class Dimensions {
  /** Of several dimensions with one number, the first one counts. */
  readonly #byId = new Map<number, Dimension>();
  #nextId = 0;
  /** Addresses of all scales. */
  readonly #scales = new Set<number>();
  readonly #groups = new Map<ObjectGroup, NamedDatasets>();
  /** Adds datasets of types that netCDF-C passes over. */
  readonly #passedOver: (() => void)[] = [];

  constructor(
    readonly file: Hdf5File,
    readonly heaps: GlobalHeaps,
  ) {}

  assign(root: ObjectGroup): Map<ObjectGroup, NamedDatasets> {
    this.#assignIn(this.#findScales(root, undefined));
    for (const add of this.#passedOver) add();
    return this.#groups;
  }

  #findScales(group: ObjectGroup, parent: Scope | undefined): Scope {
    const scope: Scope = {
      group,
      parent,
      children: [],
      dimensions: [],
      byAddress: new Map(),
      byName: new Map(),
    };
    for (const dataset of group.datasets) {
      if (!isScale(this.heaps, dataset)) continue;
      const [length = 1] = dataset.space.shape;
      const isUnlimited = dataset.space.maxShape[0] === Number.POSITIVE_INFINITY;
      const [id] = integers(dataset, "_Netcdf4Dimid");
      const dimension = this.#add(scope, variableName(dataset), length, isUnlimited, id);
      const { address } = dataset.header;
      this.#scales.add(address);
      scope.byName.set(dataset.name, dimension);
      if (!scope.byAddress.has(address)) scope.byAddress.set(address, dimension);
    }
    for (const child of group.groups) scope.children.push(this.#findScales(child, scope));
    return scope;
  }

  #add(
    scope: Scope,
    name: string,
    length: number,
    isUnlimited: boolean,
    id = this.#nextId,
  ): Dimension {
    this.#nextId = Math.max(this.#nextId, id + 1);
    // To netCDF-C, the length 0 means unlimited (NC_UNLIMITED).
    const added = { name, id, isUnlimited: isUnlimited || length === 0, length };
    scope.dimensions.push(added);
    if (!this.#byId.has(id)) this.#byId.set(id, added);
    return added;
  }

  #assignIn(scope: Scope): void {
    // Inner groups come first, because this order determines the numbers of phony dimensions.
    for (const child of scope.children) this.#assignIn(child);
    const named = { variables: [] as NamedDataset[], leftOut: [] as LeftOut[] };
    for (const dataset of scope.group.datasets) {
      if (isDimensionOnly(this.heaps, dataset)) continue;
      const add = (): void => {
        const name = variableName(dataset);
        const dimensions = leavingOut(named.leftOut, name, () => this.#of(dataset, scope));
        if (dimensions !== undefined) named.variables.push({ name, dataset, dimensions });
      };
      if (isPassedOver(dataset.type)) this.#passedOver.push(add);
      else add();
    }
    this.#groups.set(scope.group, named);
  }

  /** The dimensions of a dataset. */
  #of(dataset: Dataset, scope: Scope): Dimension[] {
    const { shape, maxShape } = dataset.space;
    const byIds = integers(dataset, "_Netcdf4Coordinates").map((id) => this.#byId.get(id));
    const own = scope.byName.get(dataset.name);
    const byScales = own === undefined ? attachedScales(this.file, this.heaps, dataset) : [];
    if (byScales.some((address) => address !== undefined && !this.#scales.has(address))) {
      throw new DamagedFile("One of its dimensions is not in the file, or cannot be read.");
    }
    const used: Dimension[] = [];
    for (const [d, length] of shape.entries()) {
      const address = byScales[d];
      const dimension =
        (byIds.length === shape.length ? byIds[d] : undefined) ??
        (d === 0 ? own : undefined) ??
        (address === undefined ? undefined : findUpwards(scope, address)) ??
        this.#phony(scope, length, maxShape[d] === Number.POSITIVE_INFINITY, used);
      used.push(dimension);
    }
    // A file may give one number to two dimensions. netCDF-C then finds the first; one of another length is another dimension.
    const found = used.map((own) => {
      const first = this.#byId.get(own.id) ?? own;
      return first.isUnlimited || first.length === own.length ? first : own;
    });
    for (const [d, { name, length, isUnlimited }] of found.entries()) {
      const stored = shape[d] ?? 0;
      // A resizable variable may be shorter than its scale: it is padded.
      const isPadded = stored < length && maxShape[d] !== stored;
      if (isUnlimited || stored === length || isPadded) continue;
      throw new DamagedFile(
        `It has ${stored} values along the dimension ${name}, which has ${length}.`,
      );
    }
    return found;
  }

  /** A dimension of the group that fits and is not used yet, or else a new one. */
  #phony(
    scope: Scope,
    length: number,
    isUnlimited: boolean,
    used: readonly Dimension[],
  ): Dimension {
    const known = scope.dimensions.find(
      (one) => one.length === length && one.isUnlimited === isUnlimited && !used.includes(one),
    );
    return known ?? this.#add(scope, `phony_dim_${this.#nextId}`, length, isUnlimited);
  }
}

/** Whether a dataset is the scale of a dimension that has no variable. */
const isDimensionOnly = (heaps: GlobalHeaps, dataset: Dataset): boolean =>
  isScale(heaps, dataset) &&
  textOf(heaps, dataset.attributes, "NAME")?.startsWith(NO_VARIABLE) === true;

/**
 * Whether netCDF-C has no variable of this type (get_type_info2), so that it creates no phony dimension for it: the numbers of
 * the others depend on that.
 */
function isPassedOver(type: Datatype): boolean {
  if (type.kind === "compound") {
    return type.members.some(({ type: member }) =>
      isPassedOver(member.kind === "array" ? member.base : member),
    );
  }
  if (type.kind === "vlen") return isPassedOver(type.base);
  return (
    type.kind === "reference" ||
    type.kind === "array" ||
    (type.kind === "integer" && type.isBitField === true)
  );
}

/** H5DSis_scale: text that is exactly as long as it is, or of variable length. */
function isScale(heaps: GlobalHeaps, { space, attributes }: Dataset): boolean {
  const type = attributes.find(({ name }) => name === "CLASS")?.type;
  const isForm =
    type?.kind === "vlen-text" ||
    (type?.kind === "string" &&
      type.padding === "nul-terminated" &&
      type.size === SCALE.length + 1);
  return isForm && space.shape.length > 0 && textOf(heaps, attributes, "CLASS") === SCALE;
}

/** The name of a variable. One that is named like a foreign dimension is stored under another name. */
function variableName({ name }: Dataset): string {
  return name.startsWith(NON_COORDINATE) ? name.slice(NON_COORDINATE.length) : name;
}

function integers({ attributes }: Dataset, name: string): number[] {
  const attribute = attributes.find((candidate) => candidate.name === name);
  if (attribute?.type.kind !== "integer") return [];
  const { data, type } = attribute;
  const cursor = new Cursor(data);
  const values: number[] = [];
  while (cursor.left >= type.size) values.push(Number(readInteger(cursor.take8(type.size), type)));
  return values.every((value) => value >= 0) ? values : [];
}

/**
 * Addresses of the scales of a dataset's dimensions, from `DIMENSION_LIST`. Of several scales on one dimension the last one
 * counts; without one on the first dimension there are none (get_attached_info).
 */
function attachedScales(
  file: Hdf5File,
  heaps: GlobalHeaps,
  { attributes, space }: Dataset,
): (number | undefined)[] {
  const list = attributes.find(({ name }) => name === "DIMENSION_LIST");
  if (list?.type.kind !== "vlen") return [];
  const { base, size: referenceSize } = list.type;
  const { size } = base;
  // HDF5 takes other values of an address's size for addresses (H5DSiterate_scales).
  const isAddress = base.kind === "reference" ? base.isAddress : size === file.offsetSize;
  if (base.kind !== "reference" && !isAddress) return [];
  const cursor = new Cursor(list.data);
  const addresses: (number | undefined)[] = [];
  while (cursor.left >= referenceSize) {
    const reference = new Cursor(cursor.take8(referenceSize));
    const scales = heaps.resolve(reference, size);
    const last = scales.subarray(Math.max(0, scales.length - size));
    addresses.push(last.length < size ? undefined : referenced(file, new Cursor(last), isAddress));
  }
  const isOfAll = addresses.length === space.shape.length && addresses[0] !== undefined;
  return isOfAll ? addresses : [];
}

/** The address in a reference to an object (IV.B, reference types); UNDEFINED in one to something else. */
function referenced(file: Hdf5File, reference: Cursor, isAddress: boolean): number {
  if (isAddress) return file.address(reference);
  // Since HDF5 1.12: the kind, flags, and the address with its size before it (H5Rint.c, H5R__encode).
  const [kind, flags, size] = [reference.u8(), reference.u8(), reference.u8()];
  return kind === 2 && flags === 0 && size >= file.offsetSize ? file.address(reference) : UNDEFINED;
}

function findUpwards(scope: Scope, address: number): Dimension | undefined {
  for (let at: Scope | undefined = scope; at !== undefined; at = at.parent) {
    const found = at.byAddress.get(address);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** An unlimited dimension is as long as the longest variable that uses it (nc4_find_dim_len). */
function growUnlimited(groups: ReadonlyMap<ObjectGroup, NamedDatasets>): void {
  const lengths = new Map<Dimension, number>();
  for (const { variables } of groups.values()) {
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
