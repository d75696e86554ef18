/** HDF5 datatypes -> element types of zarr v2 (zarr specification version 2, "Data type encoding"). */
import type { CompoundType, Datatype, EnumType, IntegerType } from "../hdf5/datatype.js";
import type { ElementType, StoredElement, StructField } from "../model.js";

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

/** @returns undefined for types that zarr v2 has no place for: such variables are left out */
export function elementOf(type: Datatype): Element | undefined {
  switch (type.kind) {
    case "integer":
      return integer(type);
    case "float":
      if (!type.isIeee) return undefined;
      return plain(`${order(type.bigEndian, type.size)}f${type.size}`, type.size);
    case "enum":
      return isBoolean(type) ? plain("|b1", 1) : integer(type.base);
    case "string":
      if (type.size === 1) return plain("|S1", 1);
      if (type.size === 0) return undefined;
      return {
        type: { kind: "text" },
        stored: { kind: "fixed-text", size: type.size, padding: type.padding },
      };
    case "vlen-text":
      return { type: { kind: "text" }, stored: { kind: "vlen-text", size: type.size } };
    case "opaque":
      return type.size === 0 ? undefined : plain(`|V${type.size}`, type.size);
    case "compound":
      return complex(type) ?? structured(type);
    default:
      return undefined;
  }
}

/** Integers of an odd number of bits become the next wider type, as in H5Tget_native_type. */
function integer(type: IntegerType): Element | undefined {
  const { size, precision, bitOffset, signed, bigEndian } = type;
  const letter = signed ? "i" : "u";
  const isWhole = bitOffset === 0 && precision === size * 8 && [1, 2, 4, 8].includes(size);
  if (isWhole) return plain(`${order(bigEndian, size)}${letter}${size}`, size);
  const wider = [1, 2, 4, 8].find((bytes) => bytes * 8 >= precision);
  if (wider === undefined || size > 8) return undefined;
  return {
    type: { kind: "plain", dtype: `${order(false, wider)}${letter}${wider}`, size: wider },
    stored: { kind: "integer", size, precision, bitOffset, signed, bigEndian },
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

function structured(type: CompoundType): Element | undefined {
  const fields: StructField[] = [];
  const pieces: { from: number; length: number }[] = [];
  for (const member of type.members) {
    const shape = member.type.kind === "array" ? member.type.shape : undefined;
    const base = member.type.kind === "array" ? member.type.base : member.type;
    const element = elementOf(base);
    const isText = base.kind === "string" && base.size > 1;
    const inner = isText ? undefined : element;
    if (!isText && (inner === undefined || inner.stored.kind !== "as-is")) return undefined;
    const dtype = isText ? `|S${base.size}` : dtypeOf(inner?.type);
    if (dtype === undefined) return undefined;
    fields.push(shape === undefined ? [member.name, dtype] : [member.name, dtype, shape]);
    pieces.push({ from: member.offset, length: member.type.size });
  }
  if (fields.length === 0) return undefined;
  const size = pieces.reduce((sum, { length }) => sum + length, 0);
  let end = 0;
  const isPacked = pieces.every(({ from, length }) => {
    const follows = from === end;
    end += length;
    return follows;
  });
  const asIs = isPacked && size === type.size;
  return {
    type: { kind: "struct", fields, size },
    stored: asIs ? { kind: "as-is", size } : { kind: "packed", size: type.size, pieces },
  };
}

function dtypeOf(type: ElementType | undefined): string | readonly StructField[] | undefined {
  if (type?.kind === "plain") return type.dtype;
  return type?.kind === "struct" ? type.fields : undefined;
}
