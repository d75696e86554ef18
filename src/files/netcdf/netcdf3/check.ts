/**
 * Checks a header for consistency with itself and the file. It has no checksum, but repeats much.
 *
 * Source: NetCDF Users Guide, "The NetCDF Classic Format Specification", with its notes on vsize and on padding.
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
  /** Bytes of the file. */
  readonly size: number;
}

const padded = (bytes: number): number => Math.ceil(bytes / 4) * 4;

/** @throws DamagedFile */
export function checkHeader(header: Header, extent: Extent): void {
  checkNames(header);
  const { dimensions, variables } = header;
  if (variables.length === 0 && extent.size >= header.size + 4) {
    throw new DamagedFile("The file has values, but its header has no variables.");
  }
  const unlimited = dimensions.filter(({ length }) => length === 0).length;
  if (unlimited > 1 || (unlimited === 0 && (header.records ?? 0) > 0)) throw contradiction();
  for (const variable of variables) {
    const later = variable.dimensions.slice(1);
    if (later.some((id) => dimensions[id]?.length === 0)) throw contradiction();
    if (!isSize(variable, header, extent)) throw contradiction();
  }
  checkPlaces(header, extent);
}

const contradiction = (): DamagedFile => new DamagedFile("The NetCDF header contradicts itself.");

function checkNames({ dimensions, attributes, variables }: Header): void {
  const lists = [dimensions, attributes, variables, ...variables.map((each) => each.attributes)];
  for (const list of lists) {
    // Names with invalid UTF-8 can decode to the same text.
    const names = list.map(({ name }) => name).filter((name) => !name.includes("\ufffd"));
    if (new Set(names).size !== names.length) throw contradiction();
  }
}

/**
 * Whether vsize follows from the shape. Writers differ in padding a single record variable, in values without records,
 * and in sizes beyond 32 bits.
 */
function isSize(variable: HeaderVariable, header: Header, extent: Extent): boolean {
  const bytes = extent.bytesOf(variable);
  if (variable.bytes === padded(bytes) || variable.bytes === bytes) return true;
  if (extent.isRecord(variable) && extent.records === 0 && variable.bytes === 0) return true;
  return header.version !== 5 && bytes > 0xffff_ffff - 4;
}

/** Checks that variables follow the header without overlaps, and that all records are laid out alike. */
function checkPlaces(header: Header, { bytesOf, isRecord, records, stride, size }: Extent): void {
  const byBegin = (a: HeaderVariable, b: HeaderVariable): number => a.begin - b.begin;
  const fixed = header.variables.filter((each) => !isRecord(each)).sort(byBegin);
  const inRecords = header.variables.filter(isRecord).sort(byBegin);
  let end = header.size;
  for (const variable of fixed) {
    if (variable.begin < end || variable.begin % 4 !== 0) throw contradiction();
    end = variable.begin + bytesOf(variable);
  }
  const [first] = inRecords;
  if (first === undefined) return;
  if (first.begin < end || first.begin % 4 !== 0) throw contradiction();
  let at = first.begin;
  for (const variable of inRecords) {
    if (variable.begin !== at) throw contradiction();
    at += inRecords.length === 1 ? bytesOf(variable) : padded(bytesOf(variable));
  }
  // The file may end with up to three bytes of padding.
  const rest = size - first.begin - records * stride;
  if (header.records !== undefined && stride > 0 && rest >= Math.max(stride, 4)) {
    throw new DamagedFile(`The file has room for more than the ${records} records that it tells.`);
  }
}
