/** Reads an HDF5 file as groups and variables of the netCDF-4 data model. */

import { checkEnd, DamagedFile } from "../errors.js";
import type { FileReader } from "../file-reader.js";
import type { ChunkedStorage } from "../hdf5/chunks/chunked-storage.js";
import { type Hdf5File, UNDEFINED } from "../hdf5/file.js";
import { readFillValue, readFilters, readLayout } from "../hdf5/messages.js";
import { openHdf5 } from "../hdf5/object-header.js";
import { GlobalHeaps } from "../hdf5/structures/global-heap.js";
import { type Group, type LeftOut, leavingOut, type Storage, type Variable } from "../model.js";
import { FILTER } from "../render/filter-ids.js";
import { elementCount } from "../shape.js";
import { variableAttributes, visibleAttributes } from "./attributes.js";
import { assignDimensions, type NamedDataset } from "./dimensions.js";
import { defaultFill, type Element, elementOf } from "./element-type.js";
import { ATTRIBUTES, type ObjectGroup, readObjects } from "./objects.js";

const MAX_PLACES = 1000;

export function readNetcdf4(reader: FileReader, at: number): Group {
  const file = openHdf5(reader, at);
  const heaps = new GlobalHeaps(file);
  const objects = readObjects(file);
  const dimensions = assignDimensions(file, heaps, objects);
  // Filled after everything is read.
  const taken: number[] = [];
  /** The variables by the addresses of their datasets, to be left out if they share bytes. */
  const addresses = new Map<Variable, number>();
  const convert = (group: ObjectGroup): Group => {
    const variables: Variable[] = [];
    const named = dimensions.get(group);
    const leftOut: LeftOut[] = [...group.leftOut, ...(named?.leftOut ?? [])];
    for (const one of named?.variables ?? []) {
      const element = elementOf(one.dataset.type);
      if (typeof element === "string") {
        leftOut.push({ name: one.name, reason: element });
        continue;
      }
      const read = (): Variable => readVariable(file, heaps, one, element, taken);
      const variable = leavingOut(leftOut, one.name, read);
      if (variable === undefined) continue;
      variables.push(variable);
      addresses.set(variable, one.dataset.header.address);
    }
    return {
      path: group.path,
      attributes:
        leavingOut(leftOut, ATTRIBUTES, () => visibleAttributes(heaps, group.attributes)) ?? [],
      variables,
      groups: group.groups.map(convert),
      leftOut,
    };
  };
  const root = convert(objects);
  const space = file.space.finish();
  // The list is sent with each chunk request. For files with very many objects that costs too much.
  if (space.taken.length <= MAX_PLACES) taken.push(...space.taken);
  return withoutOverlaps(root, (variable) => space.overlapping.has(addresses.get(variable) ?? -1));
}

function withoutOverlaps(group: Group, overlaps: (variable: Variable) => boolean): Group {
  const reason = "It shares bytes of the file with something else.";
  const shared = group.variables.filter(overlaps).map(({ name }) => ({ name, reason }));
  return {
    ...group,
    variables: group.variables.filter((variable) => !overlaps(variable)),
    groups: group.groups.map((child) => withoutOverlaps(child, overlaps)),
    leftOut: [...group.leftOut, ...shared],
  };
}

function readVariable(
  file: Hdf5File,
  heaps: GlobalHeaps,
  { name, dataset, dimensions }: NamedDataset,
  element: Element,
  taken: readonly number[],
): Variable {
  const { shape: storedShape } = dataset.space;
  const shape = storedShape.map((length, d) => Math.max(length, dimensions[d]?.length ?? 0));
  if (!Number.isSafeInteger(elementCount(shape) * 16)) {
    throw new DamagedFile("It has more elements than can be counted.");
  }
  const storage = readStorage(file, dataset, taken);
  const fill = readFillValue(dataset.header);
  if (fill !== undefined && fill.length !== dataset.type.size) {
    throw new DamagedFile("Its fill value is not of the size of its type.");
  }
  return {
    name,
    dimensions: dimensions.map((dimension) => dimension.name),
    shape,
    storedShape,
    attributes: variableAttributes(heaps, dataset.attributes),
    type: element.type,
    stored: element.stored,
    storage,
    fill,
    // nc4_get_fill_value: the dataset's fill value, or else the default of its type.
    padding: fill ?? defaultFill(element.type),
  };
}

function readStorage(
  file: Hdf5File,
  dataset: NamedDataset["dataset"],
  taken: readonly number[],
): Storage {
  const { header, space } = dataset;
  if (space.isNull) return { kind: "absent" };
  const layout = readLayout(file, header);
  const bytes = elementCount(space.shape) * dataset.type.size;
  const filters = readFilters(header);
  if (layout.kind !== "chunked") {
    const size = layout.kind === "compact" ? layout.bytes.length : layout.size;
    if ((size ?? bytes) < bytes) {
      throw new DamagedFile(`It has ${size} bytes of the ${bytes} that its shape and type take.`);
    }
    if (layout.kind === "compact") {
      return { kind: "compact", bytes: layout.bytes.subarray(0, bytes) };
    }
    if (layout.address === UNDEFINED) return { kind: "absent" };
    checkEnd(file.reader.size, file.base + layout.address + bytes);
    file.space.claim(layout.address, bytes, header.address);
    return { kind: "contiguous", offset: file.base + layout.address };
  }
  const { chunk, elementSize, address, index } = layout.chunks;
  if (chunk.length !== space.shape.length || elementSize !== dataset.type.size) {
    throw new DamagedFile("Its chunks are of another number of dimensions or type than itself.");
  }
  for (const { id, parameters } of filters) {
    // H5Zshuffle.c
    if (id === FILTER.shuffle && (parameters.length !== 1 || parameters[0] === 0)) {
      throw new DamagedFile("Its shuffle filter has no element size.");
    }
  }
  if (address !== UNDEFINED) file.space.claim(address, 4, header.address);
  const chunks: ChunkedStorage = {
    ...layout.chunks,
    shape: space.shape,
    maxShape: space.maxShape,
    filterCount: filters.length,
    ...(index.kind === "b-tree-1" ? { taken } : {}),
  };
  return { kind: "chunked", chunks, filters };
}
