/**
 * Streams entries as a zip archive.
 *
 * The container is written here because fflate's has no ZIP64 and so ends at 65,535 entries and 4 GiB.
 * Whole entries are compressed by zlib, in less than half of fflate's time; threads would cost a third more
 * (bench/README.md). Entries in pieces are compressed by fflate.
 * Source: PKWARE APPNOTE 6.3.10, sections 4.3 and 4.4.
 */
import { crc32, deflateRawSync } from "node:zlib";
import { Deflate } from "fflate";
import { TimeSlice } from "../../../platform/concurrency/time-slices.js";
import { Spool } from "./spool.js";

export interface ZipEntry {
  /** Path inside the archive, with `/` between its parts. */
  readonly name: string;
  /** A text is written as UTF-8. */
  readonly data: string | Uint8Array | AsyncIterable<Uint8Array>;
}

/** Fast enough for Solr's rate; higher levels gain little on short JSON. */
const LEVEL = 3;
/** For short JSON a window of 8 KiB compresses as well as a larger one, and is faster to set up. */
const DEFLATE_OPTIONS = { level: LEVEL, windowBits: 13, memLevel: 7 } as const;
/** zlib's minimal buffer, in bytes. */
const MIN_CHUNK = 64;

const LIMIT_16 = 0xffff;
const LIMIT_32 = 0xffffffff;
const DEFLATE = 8;
const UTF8 = 0x0800;
const SIZES_FOLLOW = 0x0008;
const VERSION = 20;
const VERSION_ZIP64 = 45;
/** 1980-01-01, so that the same input gives the same archive. */
const DATE = 0x0021;

/** Writes little-endian numbers and bytes. */
class Fields {
  readonly #bytes: Buffer;
  #length = 0;

  constructor(length: number) {
    this.#bytes = Buffer.allocUnsafe(length);
  }

  u16(value: number): this {
    this.#length = this.#bytes.writeUInt16LE(value, this.#length);
    return this;
  }

  u32(value: number): this {
    this.#length = this.#bytes.writeUInt32LE(value, this.#length);
    return this;
  }

  u64(value: number): this {
    return this.u32((value % 2 ** 32) >>> 0).u32(Math.floor(value / 2 ** 32));
  }

  put(bytes: Uint8Array): this {
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
    return this;
  }

  bytes(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }
}

interface Sizes {
  readonly crc: number;
  readonly compressed: number;
  readonly size: number;
}

const NO_SIZES: Sizes = { crc: 0, compressed: 0, size: 0 };

const cap = (value: number): number => Math.min(value, LIMIT_32);

/** 4.3.7; the sizes are zero if a descriptor follows. */
function localHeader(name: Uint8Array, flags: number, { crc, compressed, size }: Sizes) {
  return new Fields(30 + name.length)
    .u32(0x04034b50)
    .u16((flags & SIZES_FOLLOW) === 0 ? VERSION : VERSION_ZIP64)
    .u16(flags)
    .u16(DEFLATE)
    .u16(0)
    .u16(DATE)
    .u32(crc)
    .u32(compressed)
    .u32(size)
    .u16(name.length)
    .u16(0)
    .put(name)
    .bytes();
}

/** 4.3.12, with the ZIP64 extra field of 4.5.3 if a number does not fit. */
function directoryHeader(name: Uint8Array, flags: number, sizes: Sizes, offset: number) {
  const { crc, compressed, size } = sizes;
  const large = [size, compressed, offset].filter((value) => value >= LIMIT_32);
  const extra = new Fields(4 + large.length * 8);
  if (large.length > 0) {
    extra.u16(0x0001).u16(large.length * 8);
    for (const value of large) extra.u64(value);
  }
  const extraBytes = extra.bytes();
  const version = large.length > 0 ? VERSION_ZIP64 : VERSION;
  return new Fields(46 + name.length + extraBytes.length)
    .u32(0x02014b50)
    .u16(version)
    .u16(version)
    .u16(flags)
    .u16(DEFLATE)
    .u16(0)
    .u16(DATE)
    .u32(crc)
    .u32(cap(compressed))
    .u32(cap(size))
    .u16(name.length)
    .u16(extraBytes.length)
    .u16(0)
    .u16(0)
    .u16(0)
    .u32(0)
    .u32(cap(offset))
    .put(name)
    .put(extraBytes)
    .bytes();
}

/** 4.3.14 to 4.3.16. */
function archiveEnd(entries: number, directorySize: number, directoryOffset: number) {
  const end = new Fields(98);
  if (entries >= LIMIT_16 || directorySize >= LIMIT_32 || directoryOffset >= LIMIT_32) {
    end.u32(0x06064b50).u64(44).u16(VERSION_ZIP64).u16(VERSION_ZIP64).u32(0).u32(0);
    end.u64(entries).u64(entries).u64(directorySize).u64(directoryOffset);
    end
      .u32(0x07064b50)
      .u32(0)
      .u64(directoryOffset + directorySize)
      .u32(1);
  }
  const count = Math.min(entries, LIMIT_16);
  end.u32(0x06054b50).u16(0).u16(0).u16(count).u16(count);
  return end.u32(cap(directorySize)).u32(cap(directoryOffset)).u16(0).bytes();
}

/** Compresses pieces. Yields the compressed pieces, and returns their sizes. */
async function* deflated(
  data: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, Sizes, undefined> {
  let [crc, compressed, size] = [0, 0, 0];
  const ready: Uint8Array[] = [];
  const deflate = new Deflate({ level: LEVEL }, (piece) => {
    compressed += piece.length;
    ready.push(piece);
  });
  for await (const piece of data) {
    crc = crc32(piece, crc);
    size += piece.length;
    deflate.push(piece);
    yield* ready.splice(0);
  }
  deflate.push(new Uint8Array(0), true);
  yield* ready;
  return { crc, compressed, size };
}

function wholeEntry(name: Uint8Array, data: Uint8Array) {
  const chunkSize = Math.max(MIN_CHUNK, data.length);
  const bytes = deflateRawSync(data, { ...DEFLATE_OPTIONS, chunkSize });
  const sizes = { crc: crc32(data), compressed: bytes.length, size: data.length };
  return { header: localHeader(name, UTF8, sizes), bytes, sizes };
}

/** The descriptor after an entry whose sizes were not known before (4.3.9). */
function descriptor({ crc, compressed, size }: Sizes): Uint8Array {
  // Readers expect 8-byte sizes only after a ZIP64 field, and the local header has none.
  return new Fields(16).u32(0x08074b50).u32(crc).u32(cap(compressed)).u32(cap(size)).bytes();
}

/**
 * The archive's bytes. Memory is bounded for any number of entries, and other requests get their turn every few
 * milliseconds.
 *
 * @param batches entries; the caller ensures that names are relative, unique and without `..`
 */
export async function* zip(
  batches: AsyncIterable<Iterable<ZipEntry>>,
): AsyncGenerator<Uint8Array, void, undefined> {
  const directory = new Spool();
  let [count, offset] = [0, 0];
  const slice = new TimeSlice();
  try {
    for await (const entries of batches) {
      for (const { name: path, data } of entries) {
        const start = offset;
        const name = Buffer.from(path);
        let [flags, sizes] = [UTF8, NO_SIZES];
        if (typeof data === "string" || data instanceof Uint8Array) {
          const whole = wholeEntry(name, typeof data === "string" ? Buffer.from(data) : data);
          sizes = whole.sizes;
          offset += whole.header.length + sizes.compressed;
          yield whole.header;
          yield whole.bytes;
        } else {
          flags |= SIZES_FOLLOW;
          const header = localHeader(name, flags, NO_SIZES);
          yield header;
          sizes = yield* deflated(data);
          const end = descriptor(sizes);
          offset += header.length + sizes.compressed + end.length;
          yield end;
        }
        await directory.write(directoryHeader(name, flags, sizes, start));
        count += 1;
        if (slice.isOver) await slice.next();
      }
    }
    yield* directory.read();
    yield archiveEnd(count, directory.length, offset);
  } finally {
    await directory.close();
  }
}
