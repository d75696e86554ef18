/** HDF5's checksum, its types, and the map of what is taken, without a file around them. */
import { describe, expect, it } from "vitest";
import { DamagedFile, NotReadableFormat } from "../../../src/files/netcdf/errors.js";
import { type Datatype, readDatatype } from "../../../src/files/netcdf/hdf5/datatype.js";
import { findSuperblock } from "../../../src/files/netcdf/hdf5/file.js";
import { encodedSize } from "../../../src/files/netcdf/hdf5/structures/b-tree-2.js";
import { fitsChecksum, lookup3 } from "../../../src/files/netcdf/hdf5/structures/checksum.js";
import { SpaceMap } from "../../../src/files/netcdf/hdf5/structures/space-map.js";
import { isNetcdf3 } from "../../../src/files/netcdf/netcdf3/read.js";
import { elementOf } from "../../../src/files/netcdf/netcdf4/element-type.js";
import { Cursor } from "../../../src/files/netcdf/source/cursor.js";
import { readerOf } from "./memory.js";

const u16 = (value: number): number[] => [value & 0xff, (value >> 8) & 0xff];
const u32 = (value: number): number[] => [...u16(value), ...u16(value >>> 16)];
const name = (text: string): number[] => [...Buffer.from(text), 0];

/** The head of a datatype message: its version and class, its bits, and its size. */
const head = (version: number, kind: number, bits: number, size: number): number[] => [
  (version << 4) | kind,
  ...u32(bits).slice(0, 3),
  ...u32(size),
];
const integer = (size: number, bits = 8): number[] => [
  ...head(1, 0, bits, size),
  ...u16(0),
  ...u16(size * 8),
];
const FLOAT = {
  4: [...head(1, 1, 0x1f20, 4), ...u16(0), ...u16(32), 23, 8, 0, 23, ...u32(127)],
  8: [...head(1, 1, 0x3f20, 8), ...u16(0), ...u16(64), 52, 11, 0, 52, ...u32(1023)],
};

const read = (message: readonly number[]): Datatype =>
  readDatatype(new Cursor(Uint8Array.from(message)), { referenceSize: 16 });
const elementIn = (message: readonly number[]) => elementOf(read(message));

describe("a value of variable length", () => {
  it("has the size that the file gives it, also in a structure, whatever its type says", () => {
    const text = [...head(1, 9, 1, 1000), ...integer(1, 0)];
    expect(read(text)).toMatchObject({ kind: "vlen-text", size: 16 });
    const member = ["a".charCodeAt(0), 0, 0, 0, 0, 0, 0, 0, ...u32(0), ...text];
    // Version 2 has no shapes of members.
    expect(read([...head(2, 6, 1, 16), ...member])).toMatchObject({
      kind: "compound",
      members: [{ name: "a", offset: 0, type: { kind: "vlen-text", size: 16 } }],
    });
  });
});

describe("the checksum", () => {
  it("is Jenkins' lookup3", () => {
    expect(lookup3(new Uint8Array())).toBe(0xdeadbeef);
    expect(lookup3(Buffer.from("Four score and seven years ago"))).toBe(0x17770551);
  });

  it("reads no byte beyond its part", () => {
    const text = Buffer.from("xFour score and seven years agox");
    expect(lookup3(text.subarray(1, -1))).toBe(0x17770551);
  });

  it("is stored behind its structure", () => {
    const text = Buffer.from("Four score and seven years ago");
    const whole = Buffer.concat([text, Buffer.from(u32(0x17770551))]);
    expect(fitsChecksum(whole)).toBe(true);
    for (let at = 0; at < whole.length; at++) {
      const spoilt = Buffer.from(whole);
      spoilt.writeUInt8(spoilt.readUInt8(at) ^ 1, at);
      expect(fitsChecksum(spoilt)).toBe(false);
    }
    expect(fitsChecksum(whole.subarray(0, 3))).toBe(false);
  });
});

describe("a datatype", () => {
  it("has a width, a sign and an order for integers", () => {
    expect(elementIn(integer(4))).toMatchObject({ type: { dtype: "<i4" } });
    expect(elementIn(integer(2, 0))).toMatchObject({ type: { dtype: "<u2" } });
    expect(elementIn(integer(8, 9))).toMatchObject({ type: { dtype: ">i8" } });
    expect(elementIn(integer(1))).toMatchObject({ type: { dtype: "|i1" } });
  });

  it("becomes the next wider one for integers of odd width", () => {
    expect(elementIn(integer(3))).toMatchObject({
      type: { dtype: "<i4", size: 4 },
      stored: { kind: "integer", size: 3, precision: 24 },
    });
    expect(elementIn(integer(16))).toBe("integers of more than 64 bits");
  });

  it("is that of IEEE 754 for floats, or left out", () => {
    expect(elementIn(FLOAT[4])).toMatchObject({ type: { dtype: "<f4" } });
    expect(elementIn(FLOAT[8])).toMatchObject({ type: { dtype: "<f8" } });
    const bias = [...FLOAT[4].slice(0, -4), ...u32(128)];
    expect(elementIn(bias)).toMatch(/IEEE 754/);
  });

  it.each([
    [
      "whose exponent lies over its fraction",
      [...head(1, 1, 0x1f20, 4), ...u16(0), ...u16(32), 20, 8, 0, 23, ...u32(127)],
    ],
    [
      "whose sign lies in its fraction",
      [...head(1, 1, 0x0520, 4), ...u16(0), ...u16(32), 23, 8, 0, 23, ...u32(127)],
    ],
    [
      "of more bits than it has bytes",
      [...head(1, 1, 0x1f20, 4), ...u16(8), ...u16(32), 23, 8, 0, 23, ...u32(127)],
    ],
    ["of no bits", [...head(1, 1, 0x1f20, 4), ...u16(0), ...u16(0), 23, 8, 0, 23, ...u32(127)]],
  ])("is left out as none of IEEE 754 for floats %s", (_, message) => {
    expect(elementIn(message)).toMatch(/IEEE 754/);
  });

  it("has a length and a padding for texts", () => {
    expect(read(head(1, 3, 0, 5))).toEqual({ kind: "string", size: 5, padding: "nul-terminated" });
    expect(read(head(1, 3, 0x11, 5))).toMatchObject({ padding: "nul" });
    expect(read(head(1, 3, 0x02, 5))).toMatchObject({ padding: "space" });
    expect(elementIn(head(1, 3, 0, 1))).toMatchObject({ type: { dtype: "|S1" } });
    expect(() => read(head(1, 3, 0x03, 5))).toThrow(DamagedFile);
    // The character set does not matter: all text is read as UTF-8.
    expect(read(head(1, 3, 0x20, 5))).toMatchObject({ size: 5 });
  });

  it("has an enumeration of FALSE and TRUE in a byte for booleans", () => {
    const labels = (first: string, second: string) => [
      ...head(3, 8, 2, 1),
      ...integer(1, 8),
      ...name(first),
      ...name(second),
      0,
      1,
    ];
    expect(elementIn(labels("FALSE", "TRUE"))).toMatchObject({ type: { dtype: "|b1" } });
    expect(elementIn(labels("OFF", "ON"))).toMatchObject({ type: { dtype: "|i1" } });
  });

  it("has integers of its own size for an enumeration", () => {
    expect(() => read([...head(3, 8, 0, 2), ...integer(1)])).toThrow("not made of integers");
    expect(() => read([...head(3, 8, 0, 4), ...FLOAT[4]])).toThrow("not made of integers");
  });

  const member = (label: string, offset: number, type: readonly number[]) => [
    ...name(label),
    offset,
    ...type,
  ];

  it("has a pair of floats for complex numbers", () => {
    const pair = [...head(3, 6, 2, 8), ...member("r", 0, FLOAT[4]), ...member("i", 4, FLOAT[4])];
    expect(elementIn(pair)).toMatchObject({ type: { dtype: "<c8", size: 8 } });
  });

  it("has fields for the members of structures, without padding", () => {
    const whole = [
      ...head(3, 6, 2, 12),
      ...member("a", 0, integer(4)),
      ...member("b", 8, FLOAT[4]),
    ];
    expect(elementIn(whole)).toEqual({
      type: {
        kind: "struct",
        fields: [
          ["a", "<i4"],
          ["b", "<f4"],
        ],
        size: 8,
      },
      stored: {
        kind: "packed",
        size: 12,
        pieces: [
          { from: 0, length: 4 },
          { from: 8, length: 4 },
        ],
      },
    });
  });

  it("has members within a structure's size, each with its own name", () => {
    const beyond = [...head(3, 6, 1, 4), ...member("a", 1, integer(4))];
    expect(() => read(beyond)).toThrow("smaller than its members");
    const twice = [
      ...head(3, 6, 2, 8),
      ...member("a", 0, integer(4)),
      ...member("a", 4, integer(4)),
    ];
    expect(elementIn(twice)).toBe("a structure with two fields of one name");
    expect(elementIn(head(3, 6, 0, 4))).toBe("a structure of nothing");
    expect(() => read(head(3, 6, 5000, 4))).toThrow("too large");
  });

  it("has the size of an array's elements", () => {
    const array = (size: number, ...shape: number[]) => [
      ...head(3, 10, 0, size),
      shape.length,
      ...shape.flatMap(u32),
      ...integer(4),
    ];
    expect(read(array(24, 2, 3))).toMatchObject({ kind: "array", shape: [2, 3], size: 24 });
    expect(elementIn(array(24, 2, 3))).toBe("elements that are arrays themselves");
    expect(() => read(array(20, 2, 3))).toThrow("another size");
    expect(() => read(array(24, 2 ** 31, 2 ** 31))).toThrow("too large");
    const inside = [...head(3, 6, 1, 8), ...member("a", 0, array(8, 2))];
    expect(elementIn(inside)).toMatchObject({
      type: {
        fields: [
          ["a[0]", "<i4"],
          ["a[1]", "<i4"],
        ],
      },
    });
  });

  it("is text or left out if its length is variable", () => {
    expect(elementIn([...head(1, 9, 1, 16), ...integer(1)])).toMatchObject({
      type: { kind: "text" },
    });
    expect(elementIn([...head(1, 9, 0, 16), ...integer(4)])).toBe("sequences of variable length");
  });

  it.each([
    ["references", head(1, 7, 0, 8), "references to other objects"],
    ["times", [...head(1, 2, 0, 4), ...u16(32)], "times of HDF5's own type"],
    ["a class of HDF5 2.0", head(5, 11, 0, 8), "a type that is not known"],
  ])("is left out with the reason: %s", (_, message, reason) => {
    expect(elementIn(message)).toBe(reason);
  });

  it("keeps opaque bytes", () => {
    expect(elementIn([...head(1, 5, 2, 7), 0, 0])).toMatchObject({ type: { dtype: "|V7" } });
  });

  it.each([
    ["of no size", head(1, 0, 0, 0)],
    ["of 2 GiB", head(1, 5, 0, 2 ** 31)],
    ["of a class that there is not", head(1, 15, 0, 4)],
    ["with bits that mean nothing", head(1, 0, 0x10, 4)],
    ["that ends early", integer(4).slice(0, -1)],
    ["without the name of a member", [...head(3, 6, 1, 4), 0x61]],
  ])("is damaged: %s", (_, message) => {
    expect(() => read(message)).toThrow(DamagedFile);
  });

  it("is of another format if its version is unknown", () => {
    for (const version of [0, 6, 15]) {
      expect(() => read(head(version, 0, 0, 4))).toThrow(NotReadableFormat);
    }
  });

  it("ends within nested types", () => {
    const nested = Array.from({ length: 100 }, () => head(1, 9, 0, 16)).flat();
    expect(() => read([...nested, ...integer(4)])).toThrow("nested without end");
  });
});

describe("the map of used ranges", () => {
  it("joins ranges that touch", () => {
    const map = new SpaceMap();
    map.claim(100, 20);
    map.claim(0, 48);
    map.claim(48, 2);
    expect(map.finish().taken).toEqual([0, 50, 100, 120]);
  });

  it("accepts one structure twice, at its greatest length", () => {
    const map = new SpaceMap();
    map.claim(10, 5);
    map.claim(10, 8);
    map.claim(10, 3);
    map.claim(30, 0);
    expect(map.finish()).toEqual({ taken: [10, 18], overlapping: new Set() });
  });

  it("names the owners of ranges that share a byte", () => {
    const map = new SpaceMap();
    map.claim(10, 5, 1);
    map.claim(10, 5, 2);
    map.claim(20, 50, 3);
    map.claim(30, 5, 4);
    map.claim(69, 5, 5);
    map.claim(74, 5, 6);
    const { taken, overlapping } = map.finish();
    expect([...overlapping].sort()).toEqual([1, 2, 3, 4, 5]);
    expect(taken).toEqual([10, 15, 20, 79]);
  });
});

describe("the signature of a file", () => {
  const SIGNATURE = Uint8Array.of(0x89, 0x48, 0x44, 0x46, 0x0d, 0x0a, 0x1a, 0x0a);

  it.each([0, 512, 1024, 2048])("may be behind a user block in HDF5: %i bytes", (at) => {
    const file = new Uint8Array(4096);
    file.set(SIGNATURE, at);
    expect(findSuperblock(readerOf(file))).toBe(at);
  });

  it.each([1, 256, 700, 4093])("is nowhere else in HDF5: byte %i", (at) => {
    const file = new Uint8Array(4100);
    file.set(SIGNATURE.subarray(0, 4100 - at), at);
    expect(findSuperblock(readerOf(file))).toBeUndefined();
  });

  it("is CDF and a known version in NetCDF-3", () => {
    const versions = Array.from({ length: 256 }, (_, version) => version);
    const known = versions.filter((version) => isNetcdf3(Buffer.from([0x43, 0x44, 0x46, version])));
    expect(known).toEqual([1, 2, 5]);
    expect(isNetcdf3(Buffer.from("CD"))).toBe(false);
  });
});

describe("the width of a number", () => {
  it.each([
    [0, 1],
    [1, 1],
    [255, 1],
    [256, 2],
    [65535, 2],
    [65536, 3],
    [2 ** 32, 5],
  ])("is minimal: up to %i takes %i bytes", (limit, size) => {
    expect(encodedSize(limit)).toBe(size);
  });
});
