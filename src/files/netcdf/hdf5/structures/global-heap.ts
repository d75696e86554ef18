/** Reads global heaps, which hold values of variable length (specification, III.E). */

import { DamagedFile } from "../../errors.js";
import type { Cursor } from "../../source/cursor.js";
import { type Hdf5File, UNDEFINED } from "../file.js";

const impossible = (): DamagedFile => new DamagedFile("A heap of the file is not possible.");

interface Place {
  readonly offset: number;
  readonly size: number;
}

interface Collection {
  readonly bytes: Uint8Array;
  readonly objects: ReadonlyMap<number, Place>;
}

/** Bytes of cached collections. The strings of a chunk lie in few collections. */
const MAX_CACHED = 16 << 20;

export class GlobalHeaps {
  readonly #collections = new Map<number, Collection>();
  #kept = 0;
  readonly #file: Hdf5File;

  constructor(file: Hdf5File) {
    this.#file = file;
  }

  /** The object of a reference: `elementSize` bytes times the reference's length. */
  resolve(reference: Cursor, elementSize: number): Uint8Array {
    const length = reference.u32() * elementSize;
    const address = this.#file.address(reference);
    const index = reference.u32();
    // An address of 0 is an empty value, whatever stands beside it (H5Tvlen.c, H5T__vlen_disk_isnull).
    if (address === 0) return new Uint8Array(0);
    if (address === UNDEFINED)
      throw new DamagedFile("A value of variable length has no place in the file.");
    const { bytes, objects } = this.#collection(address);
    const place = objects.get(index);
    if (place === undefined || length !== place.size) {
      throw new DamagedFile("A value of variable length is not where the file says.");
    }
    return bytes.subarray(place.offset, place.offset + length);
  }

  #collection(address: number): Collection {
    const known = this.#collections.get(address);
    if (known !== undefined) return known;
    // Heads are padded to a multiple of eight bytes (H5HGpkg.h), of a collection as of an object.
    const headSize = Math.ceil((8 + this.#file.lengthSize) / 8) * 8;
    const head = this.#file.cursor(address, headSize);
    head.signature("GCOL");
    if (head.u8() !== 1) throw impossible();
    head.skip(3);
    const size = this.#file.length(head);
    this.#file.space.claim(address, size);
    const cursor = this.#file.cursor(address, size);
    cursor.skip(headSize);
    const objects = new Map<number, Place>();
    while (cursor.left >= headSize) {
      this.#file.reader.tick();
      const start = cursor.at;
      const index = cursor.u16();
      // A count of references, which HDF5 does not use, and reserved bytes.
      cursor.skip(6);
      const length = this.#file.length(cursor);
      cursor.at = start + headSize;
      if (index === 0) {
        // Free space, whose size includes its header. Mostly it reaches to the end.
        if (length < headSize || start + length > size) break;
        cursor.at = start + length;
        continue;
      }
      if (objects.has(index) || length === UNDEFINED) throw impossible();
      objects.set(index, { offset: cursor.at, size: length });
      cursor.skip(Math.ceil(length / 8) * 8);
    }
    if (this.#kept + size > MAX_CACHED) {
      this.#collections.clear();
      this.#kept = 0;
    }
    const collection = { bytes: cursor.bytes, objects };
    this.#collections.set(address, collection);
    this.#kept += size;
    return collection;
  }
}
