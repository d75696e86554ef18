/**
 * Whether a header agrees with itself and with the file: there is no checksum, but much is told twice.
 *
 * Source: NetCDF Users Guide, "The NetCDF Classic Format Specification", with its notes on vsize and on padding.
 */
import { DamagedFile } from "../errors.js";
import type { Header, HeaderVariable } from "./header.js";

/** What the header's numbers amount to. */
export interface Extent {
  /** Bytes of a variable, or of one record of it, without what fills up to four. */
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
    // Names that are no UTF-8 may read the same and not be.
    const names = list.map(({ name }) => name).filter((name) => !name.includes("\ufffd"));
    if (new Set(names).size !== names.length) throw contradiction();
  }
}

/**
 * vsize is what follows from the shape. Writers differ in whether they fill up a single record variable, what they write before
 * there are records, and what of sizes that do not fit into 32 bits.
 */
function isSize(variable: HeaderVariable, header: Header, extent: Extent): boolean {
  const bytes = extent.bytesOf(variable);
  if (variable.bytes === padded(bytes) || variable.bytes === bytes) return true;
  if (extent.isRecord(variable) && extent.records === 0 && variable.bytes === 0) return true;
  return header.version !== 5 && bytes > 0xffff_ffff - 4;
}

/** Variables follow each other and the header, and no two share a byte; those with records are alike in each. */
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
  // Three bytes and fewer fill up the file.
  const rest = size - first.begin - records * stride;
  if (header.records !== undefined && stride > 0 && rest >= Math.max(stride, 4)) {
    throw new DamagedFile(`The file has room for more than the ${records} records that it tells.`);
  }
}
