/** Reads an object's attributes, from its header or from dense storage (specification, IV.A.2.m and v). */

import { DamagedFile, NotReadableFormat } from "../errors.js";
import { elementCount } from "../shape.js";
import { Cursor, utf8 } from "../source/cursor.js";
import { type Datatype, readDatatype } from "./datatype.js";
import { type Hdf5File, UNDEFINED } from "./file.js";
import { MESSAGE, type ObjectHeader } from "./header-message.js";
import { type Dataspace, readDataspace } from "./messages.js";
import { inSharedHeap, sharedMessage } from "./object-header.js";
import { readBTree2 } from "./structures/b-tree-2.js";
import { FractalHeap } from "./structures/fractal-heap.js";

export interface Attribute {
  readonly name: string;
  readonly type: Datatype;
  readonly space: Dataspace;
  /** The stored values. */
  readonly data: Uint8Array;
}

const MAX_ATTRIBUTES = 200_000;

/** The attributes whose types are read, by order of creation. */
export function readAttributes(file: Hdf5File, header: ObjectHeader): Attribute[] {
  const found: { readonly order: number; readonly attribute: Attribute }[] = [];
  const add = (data: Uint8Array, order: number): void => {
    if (found.length >= MAX_ATTRIBUTES) throw new DamagedFile("An object has too many attributes.");
    const attribute = readAttribute(file, new Cursor(data));
    if (attribute !== undefined) found.push({ order, attribute });
  };
  for (const message of header.messages) {
    if (message.type === MESSAGE.attribute) add(message.data, message.creationOrder);
    if (message.type === MESSAGE.attributeInfo) dense(file, new Cursor(message.data), add);
  }
  return found.sort((a, b) => a.order - b.order).map(({ attribute }) => attribute);
}

function dense(file: Hdf5File, info: Cursor, add: (data: Uint8Array, order: number) => void): void {
  info.skip(1);
  if ((info.u8() & 1) !== 0) info.skip(2);
  const heapAddress = file.address(info);
  const names = file.address(info);
  if (heapAddress === UNDEFINED || names === UNDEFINED) return;
  const heap = new FractalHeap(file, heapAddress);
  readBTree2(file, names, (record, type) => {
    if (type !== 8) throw new DamagedFile("An object has an index of another kind.");
    const id = record.take8(8);
    const flags = record.u8();
    const order = record.u32();
    const isShared = (flags & 2) !== 0;
    add(isShared ? inSharedHeap(file, MESSAGE.attribute, id) : heap.get(id), order);
  });
}

/** @returns undefined for a type that is not read, as netCDF-C passes over it */
function readAttribute(file: Hdf5File, cursor: Cursor): Attribute | undefined {
  const version = cursor.u8();
  if (version < 1 || version > 3) throw new DamagedFile("An attribute has no known version.");
  const flags = cursor.u8();
  // In version 1 this byte is reserved. HDF5 refuses unknown flags too (H5Oattr.c).
  if (version > 1 && flags > 3) throw notPossible();
  const nameSize = cursor.u16();
  const typeSize = cursor.u16();
  const spaceSize = cursor.u16();
  if (version === 3) cursor.skip(1);
  // Version 1 pads each part to a multiple of eight bytes.
  const part = (size: number): Uint8Array => {
    const bytes = cursor.take8(size);
    if (version === 1) cursor.skip(Math.min(cursor.left, (8 - (size % 8)) % 8));
    return bytes;
  };
  const name = nameOf(part(nameSize));
  let typeBytes = part(typeSize);
  let spaceBytes = part(spaceSize);
  if (version > 1 && (flags & 1) !== 0) {
    typeBytes = sharedMessage(file, MESSAGE.datatype, typeBytes);
  }
  if (version > 1 && (flags & 2) !== 0) {
    spaceBytes = sharedMessage(file, MESSAGE.dataspace, spaceBytes);
  }
  const type = readableType(file, typeBytes);
  if (type === undefined) return undefined;
  const space = readDataspace(file, new Cursor(spaceBytes));
  const count = space.isNull ? 0 : elementCount(space.shape);
  return { name, type, space, data: cursor.take8(count * type.size) };
}

function readableType(file: Hdf5File, bytes: Uint8Array): Datatype | undefined {
  try {
    return readDatatype(new Cursor(bytes), file);
  } catch (error) {
    if (error instanceof NotReadableFormat) return undefined;
    throw error;
  }
}

const notPossible = (): DamagedFile => new DamagedFile("An attribute of the file is not possible.");

/** A name up to its NUL. Only padding may follow: HDF5 refuses a name shorter than its size (H5Oattr.c). */
function nameOf(bytes: Uint8Array): string {
  const end = bytes.indexOf(0);
  if (end < 0 || bytes.subarray(end).some((byte) => byte !== 0)) throw notPossible();
  return utf8(bytes.subarray(0, end));
}
