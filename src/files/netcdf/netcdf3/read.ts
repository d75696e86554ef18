/** Reads a NetCDF-3 file as variables with their locations. */
import { checkEnd, DamagedFile } from "../errors.js";
import type { FileReader } from "../file-reader.js";
import { type Group, type LeftOut, leavingOut, type Storage, type Variable } from "../model.js";
import { elementCount } from "../shape.js";
import { type Header, type HeaderVariable, readHeader } from "./header.js";

/** Whether the file begins with the signature of CDF-1, CDF-2 or CDF-5. */
export function isNetcdf3(head: Uint8Array): boolean {
  const [c, d, f, version = 0] = head;
  return c === 0x43 && d === 0x44 && f === 0x46 && [1, 2, 5].includes(version);
}

/** A variable with what follows from its dimensions. */
interface Placed extends HeaderVariable {
  /** 0 along the record dimension. */
  readonly shape: readonly number[];
  readonly isRecord: boolean;
  /** Bytes of the variable, or of one record of it, without padding. */
  readonly bytes: number;
}

function placed(variable: HeaderVariable, header: Header): Placed {
  const shape = variable.dimensions.map((id) => header.dimensions[id]?.length ?? 0);
  const isRecord = shape[0] === 0;
  const bytes = elementCount(isRecord ? shape.slice(1) : shape) * variable.size;
  return { ...variable, shape, isRecord, bytes };
}

export function readNetcdf3(reader: FileReader): Group {
  const header = readHeader(reader);
  const all = header.variables.map((variable) => placed(variable, header));
  const inRecords = all.filter(({ isRecord }) => isRecord);
  // A single record variable has no padding: its records are contiguous.
  const [only, ...others] = inRecords;
  const stride =
    only !== undefined && others.length === 0
      ? only.bytes
      : inRecords.reduce((sum, { bytes }) => sum + Math.ceil(bytes / 4) * 4, 0);
  const records = header.records ?? recordsThatFit(reader, inRecords, stride);
  checkPlaces(header, all, records, stride);
  const read = ({ name, dimensions, attributes, dtype, size, begin, ...own }: Placed): Variable => {
    const { isRecord, bytes } = own;
    const shape = isRecord ? [records, ...own.shape.slice(1)] : own.shape;
    if (!Number.isSafeInteger(elementCount(shape) * 8)) {
      throw new DamagedFile("It has more elements than can be counted.");
    }
    // netCDF-C takes values beyond the file's end for zeros.
    const before = isRecord ? (records - 1) * stride : 0;
    if (!shape.includes(0)) checkEnd(reader.size, begin + before + bytes);
    const storage: Storage = isRecord
      ? { kind: "records", offset: begin, stride }
      : { kind: "contiguous", offset: begin };
    return {
      name,
      dimensions: dimensions.map((id) => header.dimensions[id]?.name ?? ""),
      shape,
      storedShape: shape,
      attributes,
      type: { kind: "plain", dtype, size },
      stored: { kind: "as-is", size },
      storage,
      fill: undefined,
      padding: undefined,
    };
  };
  const leftOut: LeftOut[] = [];
  const variables = all.flatMap(
    (variable) => leavingOut(leftOut, variable.name, () => read(variable)) ?? [],
  );
  return { path: "", attributes: header.attributes, variables, groups: [], leftOut };
}

function recordsThatFit(
  reader: FileReader,
  variables: readonly HeaderVariable[],
  stride: number,
): number {
  if (variables.length === 0 || stride === 0) return 0;
  const begin = variables.reduce((least, one) => Math.min(least, one.begin), reader.size);
  return Math.max(0, Math.floor((reader.size - begin) / stride));
}

/**
 * Checks that values overlap neither the header nor each other, and that only the first dimension of a variable has records: for
 * these reasons NC_check_voffs of netCDF-C (nc3internal.c) refuses files.
 */
function checkPlaces(header: Header, all: readonly Placed[], records: number, stride: number) {
  const inOrder = [...all].sort((a, b) => a.begin - b.begin);
  const fixed = inOrder.filter(({ isRecord }) => !isRecord);
  const inRecords = records === 0 ? [] : inOrder.filter(({ isRecord }) => isRecord);
  for (const { name, shape } of inOrder) {
    if (shape.slice(1).includes(0)) {
      throw new DamagedFile(`The record dimension is not the first one of the variable ${name}.`);
    }
  }
  let end = header.size;
  for (const variable of [...fixed, ...inRecords]) {
    if (variable.begin < end) {
      throw new DamagedFile(`The variable ${variable.name} begins within other contents.`);
    }
    end = variable.begin + variable.bytes;
  }
  const [first] = inRecords;
  if (first !== undefined && end > first.begin + stride) {
    throw new DamagedFile("The records of the file are longer than the values of one.");
  }
}
