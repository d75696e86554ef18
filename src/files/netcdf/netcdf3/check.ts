/**
 * Checks where the values of a file lie.
 *
 * Source: NetCDF Users Guide, "The NetCDF Classic Format Specification"; NC_check_voffs of netCDF-C (nc3internal.c), which
 * refuses files for the same reasons.
 */
import { DamagedFile } from "../errors.js";
import type { Header, HeaderVariable } from "./header.js";

/** Quantities derived from the header. */
export interface Extent {
  /** Bytes of a variable, or of one record of it, without padding. */
  readonly bytesOf: (variable: HeaderVariable) => number;
  readonly isRecord: (variable: HeaderVariable) => boolean;
  readonly records: number;
  /** Bytes from one record to the next. */
  readonly stride: number;
}

/** @throws DamagedFile if values overlap the header or each other, or the record dimension is not the first of a variable */
export function checkPlaces(header: Header, extent: Extent): void {
  const { bytesOf, isRecord, records, stride } = extent;
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
