/** Converts HDF5 attributes to the values that netCDF-C and netCDF4-python return. */

import { NotReadableFormat } from "../errors.js";
import type { Attribute as Hdf5Attribute } from "../hdf5/attributes.js";
import type { Datatype, FloatType, IntegerType } from "../hdf5/datatype.js";
import type { GlobalHeaps } from "../hdf5/structures/global-heap.js";
import type { Attribute, AttributeValue } from "../model.js";
import { decodeNumber } from "../numbers.js";
import { Cursor, upToNul, utf8 } from "../source/cursor.js";

/** Attributes of HDF5 and netCDF-C that callers do not see (netCDF-C, nc4internal.c, NC_reserved). */
const HIDDEN_ATTRIBUTES: ReadonlySet<string> = new Set([
  "CLASS",
  "NAME",
  "DIMENSION_LIST",
  "REFERENCE_LIST",
  "_Netcdf4Coordinates",
  "_Netcdf4Dimid",
  "_nc3_strict",
  "_NCProperties",
]);

/** The attributes that callers see, without those whose types JSON cannot represent. */
export function visibleAttributes(
  heaps: GlobalHeaps,
  attributes: readonly Hdf5Attribute[],
): Attribute[] {
  const visible = new Map<string, Attribute>();
  for (const attribute of attributes) {
    const { name } = attribute;
    // Of several attributes of one name, HDF5 finds the first.
    if (visible.has(name) || HIDDEN_ATTRIBUTES.has(name)) continue;
    const value = attributeValue(heaps, attribute);
    if (value !== undefined) visible.set(name, { name, value });
  }
  return [...visible.values()];
}

/** Attributes without which the values of a variable mean something else. */
const DECODING: ReadonlySet<string> = new Set([
  "_FillValue",
  "missing_value",
  "scale_factor",
  "add_offset",
]);

/** The attributes of a variable. @throws NotReadableFormat if one that its values need has a type that is not read */
export function variableAttributes(
  heaps: GlobalHeaps,
  attributes: readonly Hdf5Attribute[],
): Attribute[] {
  for (const { name, type } of attributes) {
    if (DECODING.has(name) && type.kind === "float" && !type.isIeee)
      throw new NotReadableFormat(`Its ${name} is not a number of IEEE 754.`);
  }
  return visibleAttributes(heaps, attributes);
}

/** The text of an attribute; undefined if it is missing or of another type. */
export function textOf(
  heaps: GlobalHeaps,
  attributes: readonly Hdf5Attribute[],
  name: string,
): string | undefined {
  const attribute = attributes.find((candidate) => candidate.name === name);
  const value = attribute && attributeValue(heaps, attribute);
  return value?.kind === "text" ? value.value : undefined;
}

function attributeValue(heaps: GlobalHeaps, attribute: Hdf5Attribute): AttributeValue | undefined {
  const { type, space, data } = attribute;
  if (type.kind === "string") {
    // A scalar is NC_CHAR text, from which netCDF4-python removes NULs; an array is NC_STRING.
    if (space.isNull) return { kind: "text", value: "" };
    if (space.shape.length === 0) {
      return { kind: "text", value: utf8(data).replaceAll("\0", "") };
    }
    return texts(split(data, type.size).map((bytes) => utf8(upToNul(bytes))));
  }
  if (type.kind === "vlen-text") {
    const references = split(data, type.size).map((bytes) => new Cursor(bytes));
    return texts(references.map((reference) => utf8(upToNul(heaps.resolve(reference, 1)))));
  }
  if (space.shape.length > 1) return undefined;
  const number = numberType(type);
  if (number === undefined) return undefined;
  const values = split(data, number.size).map((bytes) => numberOf(bytes, number));
  return { kind: "numbers", isFloat: number.kind === "float", values };
}

function texts(values: string[]): AttributeValue {
  const [first, ...others] = values;
  if (first === undefined) return { kind: "text", value: "" };
  return others.length === 0 ? { kind: "text", value: first } : { kind: "texts", values };
}

function split(data: Uint8Array, size: number): Uint8Array[] {
  const pieces: Uint8Array[] = [];
  for (let at = 0; size > 0 && at + size <= data.length; at += size) {
    pieces.push(data.subarray(at, at + size));
  }
  return pieces;
}

function numberType(type: Datatype): IntegerType | FloatType | undefined {
  if (type.kind === "enum") return type.base;
  if (type.kind === "integer" && type.size <= 8) return type;
  if (type.kind === "float" && type.isIeee) return type;
  return undefined;
}

/** One number; 64-bit integers stay exact. */
function numberOf(bytes: Uint8Array, type: IntegerType | FloatType): number | bigint {
  if (type.kind === "integer") return readInteger(bytes, type);
  return decodeNumber(`${type.bigEndian ? ">" : "<"}f${type.size}`, bytes);
}

/** An integer of 1 to 8 bytes that may use only some of its bits (specification, IV.A.2.d). */
export function readInteger(
  bytes: Uint8Array,
  type: Pick<IntegerType, "bigEndian" | "bitOffset" | "precision" | "signed">,
): number | bigint {
  let value = 0n;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[type.bigEndian ? i : bytes.length - 1 - i] ?? 0;
    value = (value << 8n) | BigInt(byte);
  }
  const bits = BigInt.asUintN(type.precision, value >> BigInt(type.bitOffset));
  const signed = type.signed ? BigInt.asIntN(type.precision, bits) : bits;
  return bytes.length > 6 ? signed : Number(signed);
}
