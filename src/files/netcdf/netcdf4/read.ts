/** Reads an HDF5 file as groups and variables of the netCDF-4 data model. */

import { DamagedFile, NotReadableFormat } from "../errors.js";
import type { FileReader } from "../file-reader.js";
import { checkEmpty } from "../hdf5/chunks/chunk-index.js";
import { type Hdf5File, openHdf5, UNDEFINED } from "../hdf5/file.js";
import { readFillValue, readFilters, readLayout } from "../hdf5/messages.js";
import { GlobalHeaps } from "../hdf5/structures/global-heap.js";
import type { Group, LeftOut, Storage, Variable } from "../model.js";
import { FILTER } from "../render/filter-ids.js";
import { elementCount } from "../shape.js";
import { visibleAttributes } from "./attributes.js";
import { defaultFill } from "./default-fill.js";
import { assignDimensions, type NamedDataset } from "./dimensions.js";
import { type Element, elementOf } from "./element-type.js";
import { type ObjectGroup, readObjects } from "./objects.js";

/** Maximum recorded places of metadata. */
const MAX_PLACES = 1000;

/** @param at position of the superblock */
export function readNetcdf4(reader: FileReader, at: number): Group {
  const file = openHdf5(reader, at);
  const heaps = new GlobalHeaps(file);
  const objects = readObjects(file);
  const dimensions = assignDimensions(file, heaps, objects);
  // Filled after everything is read.
  const taken: number[] = [];
  const convert = (group: ObjectGroup): Group => {
    const variables: Variable[] = [];
    const leftOut: LeftOut[] = [...group.leftOut];
    for (const named of dimensions.get(group) ?? []) {
      const element = elementOf(named.dataset.type);
      if (typeof element === "string") leftOut.push({ name: named.name, reason: element });
      else variables.push(readVariable(file, heaps, named, element, taken));
    }
    return {
      path: group.path,
      attributes: visibleAttributes(heaps, group.attributes),
      variables,
      groups: group.groups.map(convert),
      leftOut,
    };
  };
  const root = convert(objects);
  const places = file.space.finish();
  // The list is sent with each chunk request. For files with very many objects that costs too much.
  if (places.length <= MAX_PLACES) taken.push(...places);
  return root;
}

function readVariable(
  file: Hdf5File,
  heaps: GlobalHeaps,
  { name, dataset, dimensions }: NamedDataset,
  element: Element,
  taken: readonly number[],
): Variable {
  const { shape: storedShape } = dataset.space;
  const shape = storedShape.map((length, d) => {
    const dimension = dimensions[d];
    return dimension?.isUnlimited ? Math.max(length, dimension.length) : length;
  });
  if (!Number.isSafeInteger(elementCount(shape) * 16)) {
    throw new DamagedFile("A dataset of the file has more elements than can be counted.");
  }
  const storage = readStorage(file, dataset, element, taken);
  const fill = readFillValue(dataset.header);
  const value = fill.kind === "value" ? fill.bytes : undefined;
  if (value !== undefined && value.length !== dataset.type.size) {
    throw new DamagedFile("A fill value of the file is not of the size of its type.");
  }
  return {
    name,
    dimensions: dimensions.map((dimension) => dimension.name),
    shape,
    storedShape,
    attributes: visibleAttributes(heaps, dataset.attributes),
    type: element.type,
    stored: element.stored,
    storage,
    fill: value,
    // nc4_get_fill_value: the dataset's fill value, or else the default of its type.
    padding: value ?? defaultFill(element.type),
  };
}

function readStorage(
  file: Hdf5File,
  dataset: NamedDataset["dataset"],
  element: Element,
  taken: readonly number[],
): Storage {
  const { header, space } = dataset;
  if (space.isNull) return { kind: "absent" };
  try {
    const layout = readLayout(file, header);
    const bytes = elementCount(space.shape) * dataset.type.size;
    const filters = readFilters(header);
    if (layout.kind !== "chunked") {
      const size = layout.kind === "compact" ? layout.bytes.length : layout.size;
      if ((size ?? bytes) !== bytes) {
        throw new DamagedFile("A dataset of the file has not as many values as its shape says.");
      }
      if (layout.kind === "compact") return { kind: "compact", bytes: layout.bytes };
      if (layout.address === UNDEFINED) return { kind: "absent" };
      file.space.claim(layout.address, bytes, header.address);
      return { kind: "contiguous", offset: file.base + layout.address };
    }
    const { chunk, elementSize, address, index, plainEdges } = layout;
    if (chunk.length !== space.shape.length || elementSize !== dataset.type.size) {
      throw new DamagedFile("The chunks of a dataset have not the shape that it has.");
    }
    for (const { id, parameters } of filters) {
      if (id === FILTER.shuffle && (parameters.length !== 1 || parameters[0] !== elementSize)) {
        throw new DamagedFile("A filter of the file is for elements of another size.");
      }
    }
    if (address !== UNDEFINED) file.space.claim(address, 4, header.address);
    const chunks = {
      address,
      index,
      shape: space.shape,
      maxShape: space.maxShape,
      chunk,
      elementSize: element.stored.size,
      filterCount: filters.length,
      plainEdges,
      ...(index.kind === "b-tree-1" ? { taken } : {}),
    };
    checkEmpty(file, chunks);
    return { kind: "chunked", chunks, filters };
  } catch (error) {
    // A dataset stored in other files, possibly outside the roots, must not hide the others.
    if (error instanceof NotReadableFormat) return { kind: "elsewhere", reason: error.message };
    throw error;
  }
}
