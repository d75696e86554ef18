/** Converts HDF5 datatypes to element types of zarr v2 (zarr specification version 2, "Data type encoding"). */

import { chunkPlace } from "../chunk-table.js";
import type { CompoundType, Datatype, EnumType, IntegerType } from "../hdf5/datatype.js";
import type { ElementType, StoredElement, StructField } from "../model.js";
import { encodeNumber } from "../numbers.js";
import { elementCount } from "../shape.js";

export interface Element {
  readonly type: ElementType;
  readonly stored: StoredElement;
}

const order = (bigEndian: boolean, size: number): string =>
  size === 1 ? "|" : bigEndian ? ">" : "<";

const plain = (dtype: string, size: number): Element => ({
  type: { kind: "plain", dtype, size },
  stored: { kind: "as-is", size },
});

/** @returns the reason for types that zarr v2 lacks. Their variables are omitted */
export function elementOf(type: Datatype): Element | string {
  switch (type.kind) {
    case "integer":
      return integer(type);
    case "float":
      if (!type.isIeee) return "floating-point numbers that are not those of IEEE 754";
      return plain(`${order(type.bigEndian, type.size)}f${type.size}`, type.size);
    case "enum":
      return isBoolean(type) ? plain("|b1", 1) : integer(type.base);
    case "string":
      if (type.size === 1) return plain("|S1", 1);
      return {
        type: { kind: "text" },
        stored: { kind: "fixed-text", size: type.size, padding: type.padding },
      };
    case "vlen-text":
      return { type: { kind: "text" }, stored: { kind: "vlen-text", size: type.size } };
    case "opaque":
      return plain(`|V${type.size}`, type.size);
    case "compound":
      return complex(type) ?? structured(type);
    default:
      return UNREADABLE[type.kind];
  }
}

const UNREADABLE = {
  vlen: "sequences of variable length",
  array: "elements that are arrays themselves",
  reference: "references to other objects",
  time: "times of HDF5's own type",
  unknown: "a type that is not known",
} as const;

/** Integers of unusual width become the next wider type, as in H5Tget_native_type. */
function integer(type: IntegerType): Element | string {
  const { size, precision, bitOffset, signed, bigEndian } = type;
  const letter = signed ? "i" : "u";
  const isWhole = bitOffset === 0 && precision === size * 8 && [1, 2, 4, 8].includes(size);
  if (isWhole) return plain(`${order(bigEndian, size)}${letter}${size}`, size);
  const wider = [1, 2, 4, 8].find((bytes) => bytes * 8 >= precision);
  if (wider === undefined || size > 8) return "integers of more than 64 bits";
  return {
    type: { kind: "plain", dtype: `${order(false, wider)}${letter}${wider}`, size: wider },
    stored: type,
  };
}

/** h5py's booleans: an enumeration of FALSE and TRUE in one byte. */
function isBoolean({ base, names, values }: EnumType): boolean {
  const place = (name: string): number | undefined => values[names.indexOf(name)];
  return base.size === 1 && names.length === 2 && place("FALSE") === 0 && place("TRUE") === 1;
}

/** h5py's complex numbers: a compound of r and i, two floats of the same type. */
function complex({ members, size }: CompoundType): Element | undefined {
  const [r, i, ...others] = members;
  if (r?.name !== "r" || i?.name !== "i" || others.length > 0) return undefined;
  if (r.type.kind !== "float" || i.type.kind !== "float" || !r.type.isIeee || !i.type.isIeee) {
    return undefined;
  }
  const half = r.type.size;
  const isPair = i.type.size === half && i.offset === half && r.offset === 0 && size === 2 * half;
  if (!isPair || half < 4 || r.type.bigEndian !== i.type.bigEndian) return undefined;
  return plain(`${order(r.type.bigEndian, half)}c${size}`, size);
}

const MAX_FIELDS = 1024;

/**
 * Flattens a structure, because zarr-python 3 rejects a whole group if one array has nested fields. An array `a`
 * becomes `a[0]`, `a[1]` ..., and a structure `a` becomes `a.b`. The bytes stay the same.
 */
function structured(type: CompoundType): Element | string {
  const fields: StructField[] = [];
  const pieces: { from: number; length: number }[] = [];
  let size = 0;
  let isPacked = true;
  for (const member of type.members) {
    const inner = fieldsOf(member.name, member.type);
    if (typeof inner === "string") return inner;
    fields.push(...inner);
    if (fields.length > MAX_FIELDS) return "a structure of too many fields";
    pieces.push({ from: member.offset, length: member.type.size });
    isPacked &&= member.offset === size;
    size += member.type.size;
  }
  if (fields.length === 0) return "a structure of nothing";
  if (new Set(fields.map(([name]) => name)).size !== fields.length) {
    return "a structure with two fields of one name";
  }
  const asIs = isPacked && size === type.size;
  return {
    type: { kind: "struct", fields, size },
    stored: asIs ? { kind: "as-is", size } : { kind: "packed", size: type.size, pieces },
  };
}

/** A member as consecutive fields, or the reason why that is impossible. */
function fieldsOf(name: string, type: Datatype): StructField[] | string {
  if (type.kind === "string") return [[name, `|S${type.size}`]];
  if (type.kind === "array") {
    const count = elementCount(type.shape);
    if (count > MAX_FIELDS) return "a structure of too many fields";
    const fields: StructField[] = [];
    for (let i = 0; i < count; i++) {
      const inner = fieldsOf(`${name}[${chunkPlace(i, type.shape).join(",")}]`, type.base);
      if (typeof inner === "string") return inner;
      fields.push(...inner);
      if (fields.length > MAX_FIELDS) return "a structure of too many fields";
    }
    return fields;
  }
  const element = elementOf(type);
  if (typeof element === "string") return `a structure with ${element}`;
  if (element.stored.kind !== "as-is") return "a structure with members that must be converted";
  if (element.type.kind === "plain") return [[name, element.type.dtype]];
  if (element.type.kind === "text") return "a structure with texts of variable length";
  return element.type.fields.map(([inner, dtype]) => [`${name}.${inner}`, dtype]);
}

/** Default values of netCDF for unwritten elements (netcdf.h, NC_FILL_*), by zarr type. */
const DEFAULTS: Readonly<Record<string, number | bigint>> = {
  i1: -127,
  u1: 255,
  i2: -32767,
  u2: 65535,
  i4: -2147483647,
  u4: 4294967295,
  i8: -9223372036854775806n,
  u8: 18446744073709551614n,
  f4: 9.969209968386869e36,
  f8: 9.969209968386869e36,
};

/** The default fill value in the bytes of a type; undefined if it is zero. */
export function defaultFill(type: ElementType): Uint8Array | undefined {
  if (type.kind !== "plain") return undefined;
  const value = DEFAULTS[type.dtype.slice(1)];
  return value === undefined ? undefined : encodeNumber(type.dtype, value);
}
