/** Reads a NetCDF-3 file as variables with their locations. */
import { checkEnd, DamagedFile } from "../errors.js";
import type { FileReader } from "../file-reader.js";
import { type Group, type LeftOut, leavingOut, type Storage, type Variable } from "../model.js";
import { elementCount } from "../shape.js";
import { checkPlaces } from "./check.js";
import { type HeaderVariable, readHeader } from "./header.js";

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
  /** Bytes of the variable, or of one record of it, without padding. */
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
  const begin = Math.min(...variables.map((variable) => variable.begin));
  return Math.max(0, Math.floor((reader.size - begin) / stride));
}
