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

export function readNetcdf3(reader: FileReader): Group {
  const header = readHeader(reader);
  const shapeOf = ({ dimensions }: HeaderVariable): number[] =>
    dimensions.map((id) => header.dimensions[id]?.length ?? 0);
  const isRecord = ({ dimensions: [first] }: HeaderVariable): boolean =>
    first !== undefined && header.dimensions[first]?.length === 0;
  const bytesOf = (variable: HeaderVariable): number => {
    const shape = shapeOf(variable);
    return elementCount(isRecord(variable) ? shape.slice(1) : shape) * variable.size;
  };
  const inRecords = header.variables.filter(isRecord);
  // A single record variable has no padding: its records are contiguous.
  const [only, ...others] = inRecords;
  const stride =
    only !== undefined && others.length === 0
      ? bytesOf(only)
      : inRecords.reduce((sum, variable) => sum + Math.ceil(bytesOf(variable) / 4) * 4, 0);
  const records = header.records ?? recordsThatFit(reader, inRecords, stride);
  checkPlaces(header, { bytesOf, isRecord, records, stride });
  const read = (variable: HeaderVariable): Variable => {
    const shape = shapeOf(variable);
    const hasRecords = isRecord(variable);
    if (hasRecords) shape[0] = records;
    if (!Number.isSafeInteger(elementCount(shape) * 8)) {
      throw new DamagedFile("It has more elements than can be counted.");
    }
    // netCDF-C takes values beyond the file's end for zeros.
    const before = hasRecords ? (records - 1) * stride : 0;
    if (!shape.includes(0)) {
      checkEnd(reader.size, variable.begin + before + bytesOf(variable));
    }
    const storage: Storage = hasRecords
      ? { kind: "records", offset: variable.begin, stride }
      : { kind: "contiguous", offset: variable.begin };
    return {
      name: variable.name,
      dimensions: variable.dimensions.map((id) => header.dimensions[id]?.name ?? ""),
      shape,
      storedShape: shape,
      attributes: variable.attributes,
      type: { kind: "plain", dtype: variable.dtype, size: variable.size },
      stored: { kind: "as-is", size: variable.size },
      storage,
      fill: undefined,
      padding: undefined,
    };
  };
  const leftOut: LeftOut[] = [];
  const variables = header.variables.flatMap(
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

/** Quantities derived from the header. */
interface Extent {
  /** Bytes of a variable, or of one record of it, without padding. */
  readonly bytesOf: (variable: HeaderVariable) => number;
  readonly isRecord: (variable: HeaderVariable) => boolean;
  readonly records: number;
  /** Bytes from one record to the next. */
  readonly stride: number;
}

/**
 * Checks that values overlap neither the header nor each other, and that only the first dimension of a variable has records: for
 * these reasons NC_check_voffs of netCDF-C (nc3internal.c) refuses files.
 */
function checkPlaces(header: Header, { bytesOf, isRecord, records, stride }: Extent): void {
  const byBegin = (a: HeaderVariable, b: HeaderVariable): number => a.begin - b.begin;
  const inOrder = [...header.variables].sort(byBegin);
  const fixed = inOrder.filter((each) => !isRecord(each));
  const inRecords = records === 0 ? [] : inOrder.filter(isRecord);
  for (const { name, dimensions } of inOrder) {
    if (dimensions.slice(1).some((id) => header.dimensions[id]?.length === 0)) {
      throw new DamagedFile(`The record dimension is not the first one of the variable ${name}.`);
    }
  }
  let end = header.size;
  for (const variable of [...fixed, ...inRecords]) {
    if (variable.begin < end) {
      throw new DamagedFile(`The variable ${variable.name} begins within other contents.`);
    }
    end = variable.begin + bytesOf(variable);
  }
  const [first] = inRecords;
  if (first !== undefined && end > first.begin + stride) {
    throw new DamagedFile("The records of the file are longer than the values of one.");
  }
}
