/** Reads datatype messages (specification, IV.A.2.d). */

import { DamagedFile, NotReadableFormat } from "../errors.js";
import { elementCount } from "../shape.js";
import type { Cursor } from "../source/cursor.js";
import type { Hdf5File } from "./file.js";

interface Sized {
  /** Bytes of one element in the file. */
  readonly size: number;
}

export interface IntegerType extends Sized {
  readonly kind: "integer";
  readonly signed: boolean;
  readonly bigEndian: boolean;
  /** Offset of the number in its bytes, in bits from the least significant one. */
  readonly bitOffset: number;
  readonly precision: number;
  /** A bit field, which netCDF-C does not read. */
  readonly isBitField?: true;
}

export interface FloatType extends Sized {
  readonly kind: "float";
  readonly bigEndian: boolean;
  /** Whether this is IEEE 754 binary16, 32 or 64. */
  readonly isIeee: boolean;
}

export interface CompoundType extends Sized {
  readonly kind: "compound";
  readonly members: readonly {
    readonly name: string;
    readonly offset: number;
    readonly type: Datatype;
  }[];
}

export interface EnumType extends Sized {
  readonly kind: "enum";
  readonly base: IntegerType;
  readonly names: readonly string[];
  /** The values, concatenated, each of the base's size. */
  readonly values: Uint8Array;
}

interface ArrayType extends Sized {
  readonly kind: "array";
  readonly shape: readonly number[];
  readonly base: Datatype;
}

export type Datatype =
  | IntegerType
  | FloatType
  | CompoundType
  | EnumType
  | ArrayType
  | (Sized & {
      readonly kind: "string";
      readonly padding: "nul-terminated" | "nul" | "space";
    })
  /** A sequence of elements of the base, which is unused for text. */
  | (Sized & { readonly kind: "vlen-text" | "vlen"; readonly base: Datatype })
  /** A reference that is an address begins with that of an object, as before HDF5 1.12. */
  | (Sized & { readonly kind: "reference"; readonly isAddress: boolean })
  | (Sized & { readonly kind: "opaque" | "time" | "unknown" });

/** The file determines the size of values of variable length: that of a reference to them. */
type References = Pick<Hdf5File, "referenceSize">;

const MAX_DEPTH = 16;
const MAX_MEMBERS = 4096;
const MAX_SIZE = 1 << 28;

const CLASS = {
  integer: 0,
  float: 1,
  time: 2,
  string: 3,
  bitfield: 4,
  opaque: 5,
  compound: 6,
  reference: 7,
  enum: 8,
  vlen: 9,
  array: 10,
  /** Since HDF5 2.0. */
  complex: 11,
} as const;

const notPossible = (): DamagedFile => new DamagedFile("A datatype of the file is not possible.");

export function readDatatype(cursor: Cursor, file: References, depth = 0): Datatype {
  if (depth > MAX_DEPTH) throw new DamagedFile("A datatype of the file is nested without end.");
  const head = cursor.u8();
  const version = head >> 4;
  const bits = cursor.uint(3);
  const size = cursor.u32();
  if (size > MAX_SIZE) throw new DamagedFile("A datatype of the file is too large.");
  if (version < 1 || version > 5) {
    throw new NotReadableFormat(`HDF5 datatypes of version ${version} are not read.`);
  }
  if (size === 0) throw notPossible();
  switch (head & 0x0f) {
    case CLASS.integer:
      return readInteger(cursor, bits, size, (bits & 8) !== 0);
    case CLASS.bitfield:
      return { ...readInteger(cursor, bits, size, false), isBitField: true };
    case CLASS.float:
      return readFloat(cursor, bits, size);
    case CLASS.time:
      cursor.skip(2);
      return { kind: "time", size };
    case CLASS.string: {
      const padding = (["nul-terminated", "nul", "space"] as const)[bits & 0x0f];
      if (padding === undefined) throw notPossible();
      return { kind: "string", size, padding };
    }
    case CLASS.opaque:
      cursor.skip(bits & 0xff);
      return { kind: "opaque", size };
    case CLASS.compound:
      return readCompound(cursor, file, { version, count: bits & 0xffff, size, depth });
    case CLASS.reference:
      return { kind: "reference", size, isAddress: (bits & 0x0f) === 0 };
    case CLASS.enum:
      return readEnum(cursor, file, { version, count: bits & 0xffff, size, depth });
    case CLASS.vlen: {
      const base = readDatatype(cursor, file, depth + 1);
      // HDF5 does not look at the size in the message (H5Tvlen.c, H5T__vlen_set_loc).
      const kind = (bits & 0x0f) === 1 ? "vlen-text" : "vlen";
      return { kind, size: file.referenceSize, base };
    }
    case CLASS.array:
      return readArray(cursor, file, { version, size, depth });
    case CLASS.complex:
      return { kind: "unknown", size };
    default:
      throw notPossible();
  }
}

function readInteger(cursor: Cursor, bits: number, size: number, signed: boolean): IntegerType {
  const bitOffset = cursor.u16();
  const precision = cursor.u16();
  if (precision < 1 || bitOffset + precision > size * 8) {
    throw new DamagedFile("An integer type of the file has more bits than its bytes.");
  }
  return { kind: "integer", size, signed, bigEndian: (bits & 1) !== 0, bitOffset, precision };
}

/** IEEE 754 formats by size: position and width of sign, exponent and fraction, and the bias. */
const IEEE = new Map([
  [2, "15:10:5:0:10:15"],
  [4, "31:23:8:0:23:127"],
  [8, "63:52:11:0:52:1023"],
]);

function readFloat(cursor: Cursor, bits: number, size: number): FloatType {
  const bitOffset = cursor.u16();
  const precision = cursor.u16();
  const sign = (bits >> 8) & 0xff;
  const parts = [sign, ...cursor.take8(4), cursor.u32()].join(":");
  const isWhole = bitOffset === 0 && precision === size * 8;
  // Bits 0 and 6 together mean VAX order. Bits 4 and 5 give the normalisation; 2 is an implied first bit.
  const isIeee =
    isWhole && IEEE.get(size) === parts && (bits & 0x40) === 0 && ((bits >> 4) & 3) === 2;
  return { kind: "float", size, bigEndian: (bits & 1) !== 0, isIeee };
}

/** A name, padded to a multiple of eight bytes in versions 1 and 2. */
function readName(cursor: Cursor, version: number): string {
  const from = cursor.at;
  const name = cursor.textToNul();
  if (version < 3) cursor.skip((8 - ((cursor.at - from) % 8)) % 8);
  return name;
}

/** The head of a type of `count` members. */
interface Head {
  readonly version: number;
  readonly count: number;
  readonly size: number;
  readonly depth: number;
}

function readCompound(
  cursor: Cursor,
  file: References,
  { version, count, size, depth }: Head,
): CompoundType {
  if (count > MAX_MEMBERS) throw new DamagedFile("A compound type of the file is too large.");
  const members: CompoundType["members"][number][] = [];
  const offsetSize = size < 0x100 ? 1 : size < 0x10000 ? 2 : size < 0x1000000 ? 3 : 4;
  for (let i = 0; i < count; i++) {
    const name = readName(cursor, version);
    const offset = version < 3 ? cursor.u32() : cursor.uint(offsetSize);
    const shape: number[] = [];
    if (version === 1) {
      const rank = cursor.u8();
      cursor.skip(3 + 4 + 4);
      for (let d = 0; d < 4; d++) {
        const length = cursor.u32();
        if (d < rank) shape.push(length);
      }
    }
    let type = readDatatype(cursor, file, depth + 1);
    if (shape.length > 0) type = arrayOf(shape, type);
    if (offset + type.size > size) {
      throw new DamagedFile("A compound type of the file is smaller than its members.");
    }
    members.push({ name, offset, type });
  }
  return { kind: "compound", size, members };
}

function arrayOf(shape: readonly number[], base: Datatype): ArrayType {
  const size = elementCount(shape) * base.size;
  if (size > MAX_SIZE) throw new DamagedFile("An array type of the file is too large.");
  return { kind: "array", size, shape, base };
}

function readEnum(
  cursor: Cursor,
  file: References,
  { version, count, size, depth }: Head,
): EnumType {
  const base = readDatatype(cursor, file, depth + 1);
  if (base.kind !== "integer" || base.size !== size) {
    throw new DamagedFile("An enumeration type of the file is not made of integers.");
  }
  const names: string[] = [];
  for (let i = 0; i < count; i++) names.push(readName(cursor, version));
  return { kind: "enum", size, base, names, values: cursor.take8(count * base.size) };
}

function readArray(
  cursor: Cursor,
  file: References,
  { version, size, depth }: Omit<Head, "count">,
): ArrayType {
  const rank = cursor.u8();
  if (version < 3) cursor.skip(3);
  const shape: number[] = [];
  for (let d = 0; d < rank; d++) shape.push(cursor.u32());
  if (version < 3) cursor.skip(4 * rank);
  const type = arrayOf(shape, readDatatype(cursor, file, depth + 1));
  if (type.size !== size) throw new DamagedFile("An array type of the file has another size.");
  return type;
}
