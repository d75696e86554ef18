/** Applies and undoes the HDF5 filters that need no extra library. */
import { DamagedFile, NotReadableFormat } from "../errors.js";
import type { Filter } from "../hdf5/messages.js";
import { decodeBloscZlib, inflate } from "./blosc.js";
import { bloscCompressor, FILTER } from "./filter-ids.js";
import { unshuffle } from "./shuffle.js";

const NATIVE: ReadonlySet<number> = new Set([FILTER.deflate, FILTER.shuffle, FILTER.fletcher32]);

/** The filters applied to a chunk: those whose mask bit is not set. */
export function appliedFilters(filters: readonly Filter[], mask: number): Filter[] {
  return filters.filter((_, i) => ((mask >>> i) & 1) === 0);
}

export function isNative(filters: readonly Filter[]): boolean {
  return filters.every((filter) => NATIVE.has(filter.id) || isBloscZlib(filter));
}

const isBloscZlib = (filter: Filter): boolean =>
  filter.id === FILTER.blosc && bloscCompressor(filter) === "zlib";

/** Rejects compressors that the decoder library lacks: it would report a damaged chunk. */
export function checkCompressors(filters: readonly Filter[]): void {
  for (const filter of filters) {
    if (filter.id !== FILTER.blosc && filter.id !== FILTER.blosc2) continue;
    const name = bloscCompressor(filter);
    if (name === "another" || isBloscZlib(filter)) continue;
    const version = filter.id === FILTER.blosc ? "Blosc" : "Blosc 2";
    throw new NotReadableFormat(`Chunks that ${version} compressed by ${name} are not read.`);
  }
}

/**
 * Undoes the filters of a chunk, the last one first.
 *
 * @param bytes of the decoded chunk; larger output is rejected as a decompression bomb
 */
export function undoFilters(
  stored: Uint8Array,
  applied: readonly Filter[],
  bytes: number,
): Uint8Array {
  let data = stored;
  for (const filter of [...applied].reverse()) {
    if (filter.id === FILTER.deflate) data = inflate(data, bytes + 4 * applied.length);
    else if (filter.id === FILTER.blosc) data = decodeBloscZlib(data, bytes + 4 * applied.length);
    else if (filter.id === FILTER.shuffle) data = unshuffle(data, filter.parameters[0] ?? 1);
    else data = withoutChecksum(data);
  }
  return data;
}

/** HDF5's Fletcher-32 (H5checksum.c) over big-endian 16-bit words. */
export function fletcher32(data: Uint8Array): number {
  let sum1 = 0;
  let sum2 = 0;
  const words = data.length >> 1;
  for (let i = 0; i < words; ) {
    const end = Math.min(words, i + 360);
    for (; i < end; i++) {
      sum1 += ((data[2 * i] ?? 0) << 8) | (data[2 * i + 1] ?? 0);
      sum2 += sum1;
    }
    sum1 = (sum1 & 0xffff) + (sum1 >>> 16);
    sum2 = (sum2 & 0xffff) + (sum2 >>> 16);
  }
  if (data.length % 2 === 1) {
    sum1 += (data[data.length - 1] ?? 0) << 8;
    sum2 += sum1;
    sum1 = (sum1 & 0xffff) + (sum1 >>> 16);
    sum2 = (sum2 & 0xffff) + (sum2 >>> 16);
  }
  sum1 = (sum1 & 0xffff) + (sum1 >>> 16);
  sum2 = (sum2 & 0xffff) + (sum2 >>> 16);
  return ((sum2 << 16) | sum1) >>> 0;
}

/** A chunk without the checksum at its end, which must match. */
export function withoutChecksum(data: Uint8Array): Uint8Array {
  const end = data.length - 4;
  if (end < 0) throw new DamagedFile("A chunk of the file is shorter than its checksum.");
  const stored = new DataView(data.buffer, data.byteOffset + end, 4).getUint32(0, true);
  const content = data.subarray(0, end);
  const sum = fletcher32(content);
  // HDF5 1.6.2 wrote the bytes of both halves in reverse, which HDF5 accepts too.
  const swapped = (((sum & 0x00ff00ff) << 8) | ((sum >>> 8) & 0x00ff00ff)) >>> 0;
  if (stored !== sum && stored !== swapped) {
    throw new DamagedFile("A chunk of the file does not fit its checksum.");
  }
  return content;
}
