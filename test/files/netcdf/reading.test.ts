/** The reader of a file's pieces, its cursor, and what a file is said to be that is not read. */
import { describe, expect, it } from "vitest";
import {
  asReadingError,
  DamagedFile,
  FileChanged,
  FileGone,
  FileUnreachable,
  NotReadableFormat,
  ReadingTimeout,
  TooLarge,
} from "../../../src/files/netcdf/errors.js";
import { UNDEFINED, undefinable } from "../../../src/files/netcdf/hdf5/file.js";
import { ByteSource, describeFormat } from "../../../src/files/netcdf/source/byte-source.js";
import { Cursor, upToNul, utf8 } from "../../../src/files/netcdf/source/cursor.js";
import { fileIdentity, sameIdentity } from "../../../src/files/netcdf/source/file-identity.js";
import { IDENTITY, memoryFile, readerOf } from "./memory.js";

const PAGE = 1 << 16;
const counting = (length: number): Uint8Array => Uint8Array.from({ length }, (_, i) => i % 251);

describe("the reader", () => {
  const bytes = counting(5 * PAGE);

  it.each([
    [0, 1],
    [PAGE - 1, 2],
    [PAGE - 1, PAGE + 2],
    [10, 2 * PAGE],
    [1, 4 * PAGE],
    [5 * PAGE - 1, 1],
    [5 * PAGE, 0],
  ])("gives the bytes from %i on, %i of them", (offset, length) => {
    const piece = readerOf(bytes).read(offset, length);
    expect(Buffer.compare(piece, bytes.subarray(offset, offset + length))).toBe(0);
  });

  it("reads a page of the file once", () => {
    const { reader, reads } = memoryFile(bytes);
    for (let i = 0; i < 100; i++) reader.read(i * 7, 5);
    expect(reads).toEqual([[0, PAGE]]);
  });

  it("forgets the least recently used page", () => {
    const many = counting(66 * PAGE);
    const { reader, reads } = memoryFile(many);
    for (let page = 0; page < 66; page++) reader.read(page * PAGE, 1);
    reads.length = 0;
    reader.read(65 * PAGE, 1);
    reader.read(0, 1);
    expect(reads).toEqual([[0, PAGE]]);
  });

  it.each([
    [5 * PAGE, 1],
    [0, 5 * PAGE + 1],
    [-1, 1],
    [0, -1],
    [Number.NaN, 1],
    [2 ** 53, 1],
  ])("refuses a range outside the file: from %d, %d bytes", (offset, length) => {
    expect(() => readerOf(bytes).read(offset, length)).toThrow(DamagedFile);
  });

  it("refuses a range that is too large for memory", () => {
    const { reader } = memoryFile(new Uint8Array(0), {}, 2 ** 30);
    expect(() => reader.read(0, 2 ** 28 + 1)).toThrow(TooLarge);
  });

  it("ends when more bytes are requested than its limit", () => {
    const { reader } = memoryFile(bytes, { bytes: 1000 });
    for (let i = 0; i < 10; i++) reader.read(0, 100);
    expect(() => reader.read(0, 1)).toThrow(TooLarge);
  });

  it("ends when its time is over, also in a loop that reads nothing", () => {
    const { reader } = memoryFile(bytes, { time: -1 });
    const loop = (): void => {
      for (let i = 0; i < 64; i++) reader.tick();
    };
    expect(loop).toThrow(ReadingTimeout);
  });

  it("reports a file that became shorter", () => {
    const { reader } = memoryFile(bytes.subarray(0, 100), {}, 200);
    expect(() => reader.read(50, 100)).toThrow(FileChanged);
  });

  it("reads up to the end of the file, and no further", () => {
    expect(readerOf(bytes).cursorUpTo(5 * PAGE - 3, 100).left).toBe(3);
    expect(readerOf(bytes).cursorUpTo(5 * PAGE, 100).left).toBe(0);
  });
});

describe("a source", () => {
  it("closes a file that it does not read", () => {
    let isClosed = false;
    const text = Buffer.from("no such format");
    const open = (): ByteSource =>
      ByteSource.over({
        identity: { ...IDENTITY, size: text.length },
        read: (target, offset) => text.copy(target, 0, offset),
        close: () => {
          isClosed = true;
        },
      });
    expect(open).toThrow(NotReadableFormat);
    expect(isClosed).toBe(true);
  });
});

describe("a cursor", () => {
  const bytes = Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 0, 0x41, 0xc3, 0xa4, 0, 0x42);
  const little = () => new Cursor(bytes);
  const big = () => new Cursor(bytes, false);

  it("reads integers of every width in both orders", () => {
    expect([little().u8(), little().u16(), little().u32()]).toEqual([1, 0x0201, 0x04030201]);
    expect([big().u8(), big().u16(), big().u32()]).toEqual([1, 0x0102, 0x01020304]);
    expect([little().uint(3), big().uint(3)]).toEqual([0x030201, 0x010203]);
    expect(little().u64()).toBe(0x07060504030201);
    expect(() => big().u64()).toThrow("beyond 2^53");
    expect(little().uint(0)).toBe(0);
  });

  it("refuses integers longer than the range, and keeps its position", () => {
    const cursor = new Cursor(bytes.subarray(0, 3));
    for (const read of [
      () => cursor.u32(),
      () => cursor.u64(),
      () => cursor.uint(4),
      () => cursor.take8(4),
      () => cursor.skip(-1),
      () => cursor.skip(Number.NaN),
      () => cursor.textToNul(),
    ]) {
      expect(read).toThrow(DamagedFile);
      expect(cursor.at).toBe(0);
    }
  });

  it("reads texts up to a NUL or to their end", () => {
    const cursor = new Cursor(bytes.subarray(8));
    expect(utf8(upToNul(cursor.take8(5)))).toBe("Aä");
    cursor.at = 0;
    expect([cursor.textToNul(), utf8(upToNul(cursor.take8(1)))]).toEqual(["Aä", "B"]);
  });

  it("replaces invalid UTF-8 by U+FFFD", () => {
    expect(utf8(Uint8Array.of(0x61, 0xff))).toBe("a\ufffd");
  });

  it("names the signature that is missing", () => {
    const cursor = new Cursor(Buffer.from("TREE"));
    cursor.signature("TREE");
    expect(() => new Cursor(Buffer.from("TREF")).signature("TREE")).toThrow("no TREE structure");
  });

  it("reports an undefined address", () => {
    for (const size of [2, 4, 8]) {
      expect(undefinable(new Cursor(new Uint8Array(size).fill(0xff)), size)).toBe(UNDEFINED);
      const cursor = new Cursor(Uint8Array.of(7, ...new Array<number>(size - 1).fill(0)));
      expect(undefinable(cursor, size)).toBe(7);
      expect(cursor.left).toBe(0);
    }
    expect(() => undefinable(new Cursor(Uint8Array.of(0xff)), 2)).toThrow(DamagedFile);
  });
});

describe("an unreadable file", () => {
  const padded = (text: string, at = 0): Uint8Array => {
    const bytes = new Uint8Array(600);
    bytes.set(Buffer.from(text, "latin1"), at);
    return bytes;
  };

  it.each([
    ["empty", new Uint8Array(0), "This file is empty."],
    ["GRIB", padded("GRIB"), "a GRIB file"],
    ["tar", padded("ustar", 257), "a tar archive"],
    ["zip", padded("PK\x03\x04"), "a zip archive"],
    ["gzip", padded("\x1f\x8b"), "compressed with gzip"],
    ["bzip2", padded("BZh9"), "compressed with bzip2"],
    ["xz", padded("\xfd7zXZ"), "compressed with xz"],
    ["Zstandard", padded("\x28\xb5\x2f\xfd"), "compressed with Zstandard"],
    ["HDF4", padded("\x0e\x03\x13\x01"), "an HDF4 file"],
    ["BUFR", padded("BUFR"), "a BUFR file"],
    ["TIFF", padded("II*\0"), "a TIFF image"],
    ["Parquet", padded("PAR1"), "a Parquet file"],
    ["CDF-9", padded("CDF\x09"), "a NetCDF file of a version that is not known"],
    ["text", Buffer.from("a,b\n1,2\n"), "a text file"],
    ["zeros", new Uint8Array(100), "of a format that is not known"],
  ])("is described: %s", (_, bytes, words) => {
    expect(describeFormat(readerOf(bytes))).toContain(words);
  });
});

describe("an error", () => {
  it("distinguishes a missing file from one that cannot be read", () => {
    const system = (code: string): Error =>
      Object.assign(new Error(code), { code, syscall: "open" });
    expect(asReadingError(system("ENOENT"))).toBeInstanceOf(FileGone);
    expect(asReadingError(system("ENOTDIR"))).toBeInstanceOf(FileGone);
    expect(asReadingError(system("EACCES"))).toBeInstanceOf(FileUnreachable);
    const denied = Object.assign(new Error("denied"), { code: "ERR_ACCESS_DENIED" });
    expect(asReadingError(denied)).toBeInstanceOf(FileUnreachable);
  });

  it("is a damaged file and keeps its cause if no check foresaw it", () => {
    const cause = new RangeError("Invalid typed array length");
    const error = asReadingError(cause);
    expect(error).toBeInstanceOf(DamagedFile);
    expect([error.kind, error.name, error.cause]).toEqual(["damaged-file", "DamagedFile", cause]);
    // What JavaScript says of it is for the log.
    expect(asReadingError("text")).toMatchObject({
      message: "The file cannot be understood.",
      cause: "text",
    });
  });

  it("stays the reader's own", () => {
    const error = new TooLarge("x");
    expect(asReadingError(error)).toBe(error);
  });
});

describe("a file's identity", () => {
  const stats = { size: 3n, mtimeNs: 1_700_000_000_000_000_001n, ino: 5n, dev: 6n };
  const file = { ...stats, nlink: 1n, isFile: () => true };

  it("keeps nanoseconds exactly", () => {
    expect(fileIdentity(file)).toEqual({
      size: 3,
      modified: "1700000000000000001",
      inode: "5",
      device: "6",
    });
  });

  it.each(["size", "mtimeNs", "ino", "dev"])("changes with %s", (field) => {
    const other = { ...file, [field]: 9n };
    expect(sameIdentity(fileIdentity(file), fileIdentity(file))).toBe(true);
    expect(sameIdentity(fileIdentity(file), fileIdentity(other))).toBe(false);
  });

  it("is refused for other things than files, or if the file is replaced", () => {
    expect(() => fileIdentity({ ...file, isFile: () => false })).toThrow(NotReadableFormat);
    expect(() => fileIdentity({ ...file, nlink: 0n })).toThrow(FileChanged);
  });
});
