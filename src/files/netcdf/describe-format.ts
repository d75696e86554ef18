import type { FileReader } from "./file-reader.js";

const startsWith = (head: Uint8Array, text: string, at = 0): boolean =>
  [...text].every((letter, i) => head[at + i] === letter.charCodeAt(0));

/** Common formats of climate data, by their first bytes. */
const KNOWN: readonly (readonly [string, (head: Uint8Array) => boolean])[] = [
  ["a GRIB file", (head) => startsWith(head, "GRIB")],
  ["a tar archive", (head) => startsWith(head, "ustar", 257)],
  ["a zip archive", (head) => startsWith(head, "PK\x03\x04") || startsWith(head, "PK\x05\x06")],
  ["compressed with gzip", (head) => head[0] === 0x1f && head[1] === 0x8b],
  ["compressed with bzip2", (head) => startsWith(head, "BZh")],
  ["compressed with xz", (head) => startsWith(head, "7zXZ", 1)],
  ["compressed with Zstandard", (head) => startsWith(head, "\x28\xb5\x2f\xfd")],
  ["an HDF4 file", (head) => startsWith(head, "\x0e\x03\x13\x01")],
  ["a BUFR file", (head) => startsWith(head, "BUFR")],
  ["a TIFF image", (head) => startsWith(head, "II*\0") || startsWith(head, "MM\0*")],
  ["a Parquet file", (head) => startsWith(head, "PAR1")],
  ["a NetCDF file of a version that is not known", (head) => startsWith(head, "CDF")],
  ["a text file", (head) => head.length > 0 && head.every((b) => b >= 9 && b < 127)],
];

/** A sentence that names the format of an unsupported file. */
export function describeFormat(reader: FileReader): string {
  if (reader.size === 0) return "This file is empty.";
  const head = reader.read(0, Math.min(reader.size, 512));
  const known = KNOWN.find(([, is]) => is(head));
  const what = known === undefined ? "of a format that is not known" : known[0];
  return `This file is ${what}; NetCDF, HDF5 and zarr are read.`;
}
