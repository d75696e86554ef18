/** An open file with the state that its format needs. */
import { type ChunkTable, EMPTY_TABLE } from "../chunk-table.js";
import { describeFormat } from "../describe-format.js";
import { NotReadableFormat } from "../errors.js";
import { type FileBytes, FileReader, type ReaderLimits } from "../file-reader.js";
import { readChunkIndex } from "../hdf5/chunks/chunk-index.js";
import { findSuperblock, type Hdf5File } from "../hdf5/file.js";
import { openHdf5 } from "../hdf5/object-header.js";
import { GlobalHeaps } from "../hdf5/structures/global-heap.js";
import type { Group, Variable } from "../model.js";
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

  /** @throws NotReadableFormat, DamagedFile, FileChanged, and read errors. The file is closed then */
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
    return this.#superblock === undefined
      ? readNetcdf3(this.reader)
      : readNetcdf4(this.reader, this.#superblock);
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
