/** An open file with the state that its format needs. */
import { type ChunkTable, EMPTY_TABLE } from "../chunk-table.js";
import { NotReadableFormat } from "../errors.js";
import { type FileBytes, FileReader, type ReaderLimits } from "../file-reader.js";
import { readChunkIndex } from "../hdf5/chunks/chunk-index.js";
import { findSuperblock, type Hdf5File } from "../hdf5/file.js";
import { openHdf5 } from "../hdf5/object-header.js";
import { GlobalHeaps } from "../hdf5/structures/global-heap.js";
import type { Group, Variable } from "../model.js";
import { withoutNamesakes } from "../namesakes.js";
import { isNetcdf3, readNetcdf3 } from "../netcdf3/read.js";
import { readNetcdf4 } from "../netcdf4/read.js";

export class ByteSource {
  /** Position of the superblock; undefined for NetCDF-3. */
  readonly #superblock: number | undefined;

  private constructor(
    readonly reader: FileReader,
    superblock: number | undefined,
  ) {
    this.#superblock = superblock;
  }

  /** Detects the format. The file is closed if it cannot be read. */
  static over(bytes: FileBytes, limits?: ReaderLimits): ByteSource {
    const reader = new FileReader(bytes, limits);
    try {
      const head = reader.read(0, Math.min(reader.size, 8));
      if (isNetcdf3(head)) return new ByteSource(reader, undefined);
      const superblock = findSuperblock(reader);
      if (superblock === undefined) throw new NotReadableFormat(describeFormat(reader));
      return new ByteSource(reader, superblock);
    } catch (error) {
      reader.close();
      throw error;
    }
  }

  readModel(): Group {
    return withoutNamesakes(
      this.#superblock === undefined
        ? readNetcdf3(this.reader)
        : readNetcdf4(this.reader, this.#superblock),
    );
  }

  #hdf5File: Hdf5File | undefined;
  #globalHeaps: GlobalHeaps | undefined;

  hdf5(): Hdf5File | undefined {
    if (this.#superblock === undefined) return undefined;
    this.#hdf5File ??= openHdf5(this.reader, this.#superblock);
    return this.#hdf5File;
  }

  heaps(): GlobalHeaps | undefined {
    const file = this.hdf5();
    if (file !== undefined) this.#globalHeaps ??= new GlobalHeaps(file);
    return this.#globalHeaps;
  }

  chunkTable({ storage }: Variable): ChunkTable {
    const file = this.hdf5();
    if (file === undefined || storage.kind !== "chunked") return EMPTY_TABLE;
    return readChunkIndex(file, storage.chunks);
  }

  close(): void {
    this.reader.close();
  }
}

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

export function describeFormat(reader: FileReader): string {
  if (reader.size === 0) return "This file is empty.";
  const head = reader.read(0, Math.min(reader.size, 512));
  const known = KNOWN.find(([, is]) => is(head));
  const what = known === undefined ? "of a format that is not known" : known[0];
  return `This file is ${what}; NetCDF, HDF5 and zarr are read.`;
}
