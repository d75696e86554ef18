/**
 * Reads the header of a NetCDF-3 file: classic (CDF-1), 64-bit offset (CDF-2) and 64-bit data (CDF-5).
 *
 * Source: NetCDF File Format Specifications, "The NetCDF Classic Format Specification" (NetCDF Users Guide, appendix),
 * with the CDF-5 extension; all numbers are big-endian.
 */

import { DamagedFile } from "../errors.js";
import type { FileReader } from "../file-reader.js";
import type { Attribute, AttributeValue } from "../model.js";
import { readNumber } from "../numbers.js";
import { type Cursor, upToNul, utf8 } from "../source/cursor.js";

/** External types: zarr types, by the number in the file. */
const TYPES: readonly (string | undefined)[] = [
  undefined,
  "|i1",
  "|S1",
  ">i2",
  ">i4",
  ">f4",
  ">f8",
  "|u1",
  ">u2",
  ">u4",
  ">i8",
  ">u8",
];

interface HeaderDimension {
  readonly name: string;
  /** 0 for the record dimension. */
  readonly length: number;
}

export interface HeaderVariable {
  readonly name: string;
  readonly dimensions: readonly number[];
  readonly attributes: readonly Attribute[];
  /** A zarr type. */
  readonly dtype: string;
  /** Bytes of an element. */
  readonly size: number;
  readonly begin: number;
}

export interface Header {
  /** Undefined if the writer streamed and did not know it. */
  readonly records: number | undefined;
  readonly dimensions: readonly HeaderDimension[];
  readonly attributes: readonly Attribute[];
  readonly variables: readonly HeaderVariable[];
  /** Bytes of the header itself. */
  readonly size: number;
}

const DIMENSION = 0x0a;
const VARIABLE = 0x0b;
const ATTRIBUTE = 0x0c;
const MAX_HEADER = 64 << 20;

/** Reads a header. Its length is not stored, so more is read when a piece ends. */
export function readHeader(reader: FileReader): Header {
  for (let size = 1 << 16; ; size *= 8) {
    const cursor = reader.cursorUpTo(0, Math.min(size, MAX_HEADER), false);
    try {
      return new HeaderParser(cursor).parse();
    } catch (error) {
      const isAll = size >= reader.size || size >= MAX_HEADER;
      if (isAll || !(error instanceof DamagedFile)) throw error;
    }
  }
}

class HeaderParser {
  #version = 1;

  constructor(readonly cursor: Cursor) {}

  parse(): Header {
    this.cursor.skip(3);
    this.#version = this.cursor.u8();
    const records = this.#number();
    const dimensions = this.#list(DIMENSION, () => ({ name: this.#name(), length: this.#count() }));
    const attributes = this.#attributes();
    const variables = this.#list(VARIABLE, () => this.#variable(dimensions.length));
    return { records, dimensions, attributes, variables, size: this.cursor.at };
  }

  /** A non-negative number of 4 bytes, 8 in CDF-5; undefined if its bits are all ones. */
  #number(): number | undefined {
    const size = this.#version === 5 ? 8 : 4;
    const from = this.cursor.at;
    if (this.cursor.take8(size).every((byte) => byte === 0xff)) return undefined;
    this.cursor.at = from;
    return this.cursor.uint(size);
  }

  #count(): number {
    return this.#number() ?? 0;
  }

  #list<T>(tag: number, read: () => T): T[] {
    const found = this.cursor.u32();
    const count = this.#count();
    // Only lists with members need a tag (v1hpg.c of netCDF-C).
    if (count === 0) return [];
    if (found !== tag) throw new DamagedFile("The NetCDF header has an unknown list.");
    const items: T[] = [];
    for (let i = 0; i < count; i++) items.push(read());
    return items;
  }

  /** Bytes with padding to a multiple of four. Writers pad with other bytes than zero, too (netcdf-c#657). */
  #padded(length: number): Uint8Array {
    const bytes = this.cursor.take8(length);
    this.cursor.skip((4 - (length % 4)) % 4);
    return bytes;
  }

  /** A name up to its first NUL, if there is one: netCDF-C gives names as strings of C. */
  #name(): string {
    return utf8(upToNul(this.#padded(this.#count())));
  }

  #type(): { readonly dtype: string; readonly size: number } {
    const dtype = TYPES[this.cursor.u32()];
    if (dtype === undefined) throw new DamagedFile("The NetCDF header has an unknown type.");
    return { dtype, size: Number(dtype.slice(2)) };
  }

  /** The attributes of an object. Of several ones of one name, netCDF-C finds the first; one without a name is left out. */
  #attributes(): Attribute[] {
    const found = new Map<string, Attribute>();
    for (const attribute of this.#list(ATTRIBUTE, () => this.#attribute())) {
      const { name } = attribute;
      if (name !== "" && !found.has(name)) found.set(name, attribute);
    }
    return [...found.values()];
  }

  #attribute(): Attribute {
    const name = this.#name();
    const { dtype, size } = this.#type();
    const count = this.#count();
    return { name, value: attributeValue(dtype, size, this.#padded(count * size)) };
  }

  #variable(dimensionCount: number): HeaderVariable {
    const name = this.#name();
    const rank = this.#count();
    const dimensions: number[] = [];
    for (let d = 0; d < rank; d++) {
      const id = this.#count();
      if (id >= dimensionCount) throw new DamagedFile("A variable has an unknown dimension.");
      dimensions.push(id);
    }
    if (rank > 1024) throw new DamagedFile("A variable has too many dimensions.");
    const attributes = this.#attributes();
    const { dtype, size } = this.#type();
    // vsize "is redundant": it follows from the shape.
    this.cursor.skip(this.#version === 5 ? 8 : 4);
    const begin = this.#version === 1 ? this.cursor.u32() : this.cursor.u64();
    return { name, dimensions, attributes, dtype, size, begin };
  }
}

function attributeValue(dtype: string, size: number, bytes: Uint8Array): AttributeValue {
  if (dtype === "|S1") return { kind: "text", value: utf8(bytes).replaceAll("\0", "") };
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const values: (number | bigint)[] = [];
  for (let at = 0; at + size <= bytes.length; at += size) {
    values.push(readNumber(view, at, dtype.slice(1), false));
  }
  return { kind: "numbers", isFloat: dtype[1] === "f", values };
}
