/** Filters, numbers, boxes and elements: from the bytes of a chunk to the values of a variable. */
import { deflateSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import {
  ChunkTableBuilder,
  chunkGrid,
  chunkNumber,
  EMPTY_TABLE,
  findChunk,
  firstAbove,
  tableBytes,
} from "../../../src/files/netcdf/chunk-table.js";
import { DamagedFile, NotReadableFormat, TooLarge } from "../../../src/files/netcdf/errors.js";
import type { Filter } from "../../../src/files/netcdf/hdf5/messages.js";
import type { StoredElement, Variable } from "../../../src/files/netcdf/model.js";
import { readInteger } from "../../../src/files/netcdf/netcdf4/attributes.js";
import { defaultFill } from "../../../src/files/netcdf/netcdf4/element-type.js";
import { decodeNumber, doubleIn, encodeNumber } from "../../../src/files/netcdf/numbers.js";
import { decodeBloscZlib } from "../../../src/files/netcdf/render/blosc.js";
import { convert } from "../../../src/files/netcdf/render/convert.js";
import {
  appliedFilters,
  checkCompressors,
  fletcher32,
  isNative,
  undoFilters,
  withoutChecksum,
} from "../../../src/files/netcdf/render/filters.js";
import { eachRun, fillWith, intersect } from "../../../src/files/netcdf/render/region.js";
import { shuffle, unshuffle } from "../../../src/files/netcdf/render/shuffle.js";
import { compareBytes } from "../../../src/files/netcdf/source/cursor.js";

const bytes = (...all: number[]): Uint8Array => Uint8Array.from(all);
const counting = (length: number): Uint8Array => Uint8Array.from({ length }, (_, i) => i % 251);
const concat = (...all: Uint8Array[]): Uint8Array => new Uint8Array(Buffer.concat(all));
const u32 = (value: number): Uint8Array => {
  const four = Buffer.alloc(4);
  four.writeUInt32LE(value);
  return four;
};

const DEFLATE: Filter = { id: 1, parameters: [4] };
const SHUFFLE: Filter = { id: 2, parameters: [4] };
const FLETCHER: Filter = { id: 3, parameters: [] };
const blosc = (compressor: number, id = 32001): Filter => ({
  id,
  parameters: [2, 2, 4, 0, 5, 1, compressor],
});

describe("shuffle", () => {
  it.each([
    [12, 4],
    [13, 4],
    [3, 4],
    [16, 1],
    [0, 8],
    [24, 8],
  ])("is undone: %i bytes in elements of %i", (length, size) => {
    const data = counting(length);
    expect([...unshuffle(shuffle(data, size), size)]).toEqual([...data]);
  });

  it("groups bytes of the same significance", () => {
    expect([...shuffle(bytes(1, 2, 3, 11, 12, 13, 99), 3)]).toEqual([1, 11, 2, 12, 3, 13, 99]);
  });
});

describe("Fletcher-32", () => {
  const checked = (content: Uint8Array): Uint8Array => concat(content, u32(fletcher32(content)));

  it.each([0, 1, 2, 359 * 2, 360 * 2 + 1, 5000])("holds for %i bytes", (length) => {
    const content = counting(length);
    expect([...withoutChecksum(checked(content))]).toEqual([...content]);
  });

  it("accepts HDF5 1.6.2, whose halves have their bytes the other way round", () => {
    const content = counting(10);
    const sum = Buffer.from(u32(fletcher32(content)));
    const old = concat(content, bytes(sum[1] ?? 0, sum[0] ?? 0, sum[3] ?? 0, sum[2] ?? 0));
    expect([...withoutChecksum(old)]).toEqual([...content]);
  });

  it("notices every changed byte", () => {
    const whole = checked(counting(40));
    for (let at = 0; at < whole.length; at++) {
      const spoilt = whole.slice();
      spoilt[at] = (spoilt[at] ?? 0) ^ 0x10;
      expect(() => withoutChecksum(spoilt), `byte ${at}`).toThrow("does not fit its checksum");
    }
  });

  it("is missing if there are fewer than four bytes", () => {
    expect(() => withoutChecksum(counting(3))).toThrow("shorter than its checksum");
  });
});

describe("a pipeline of filters", () => {
  const values = counting(64);
  const stored = (): Uint8Array => {
    const packed = deflateSync(shuffle(values, 4));
    return concat(packed, u32(fletcher32(packed)));
  };

  it("is undone from its end", () => {
    expect([...undoFilters(stored(), [SHUFFLE, DEFLATE, FLETCHER], 64)]).toEqual([...values]);
  });

  it("skips the filters in a chunk's mask", () => {
    const all = [SHUFFLE, DEFLATE, FLETCHER];
    expect(appliedFilters(all, 0)).toEqual(all);
    expect(appliedFilters(all, 0b101)).toEqual([DEFLATE]);
    expect(appliedFilters(all, 0xffff_ffff)).toEqual([]);
  });

  it("refuses bytes that are not compressed, and those that become more than the chunk", () => {
    expect(() => undoFilters(counting(64), [DEFLATE], 64)).toThrow(DamagedFile);
    const bomb = deflateSync(new Uint8Array(1 << 20));
    expect(() => undoFilters(bomb, [DEFLATE], 64)).toThrow("cannot be uncompressed");
    expect(() => undoFilters(deflateSync(values).subarray(0, 20), [DEFLATE], 64)).toThrow(
      DamagedFile,
    );
  });

  it("needs no library for deflate, shuffle, Fletcher-32 and Blosc with zlib", () => {
    expect(isNative([DEFLATE, SHUFFLE, FLETCHER, blosc(4)])).toBe(true);
    expect(isNative([])).toBe(true);
    expect(isNative([blosc(1)])).toBe(false);
    expect(isNative([DEFLATE, { id: 307, parameters: [] }])).toBe(false);
  });

  it("refuses compressors without a library", () => {
    expect(() => checkCompressors([blosc(3)])).toThrow("Blosc compressed by snappy");
    expect(() => checkCompressors([blosc(3, 32026)])).toThrow(NotReadableFormat);
    expect(() => checkCompressors([blosc(4, 32026)])).toThrow("Blosc 2 compressed by zlib");
    expect(() => checkCompressors([blosc(1), blosc(4), DEFLATE])).not.toThrow();
  });
});

describe("Blosc with zlib", () => {
  const FLAGS = { shuffled: 0x61, plain: 0x60, copied: 0x62, whole: 0x70 };

  interface Frame {
    readonly flags?: number;
    readonly typeSize?: number;
    readonly bytes?: number;
    readonly block?: number;
    readonly length?: number;
  }

  /** A frame of one block, with a header that says what it is told to. */
  function frame(content: Uint8Array, data: Uint8Array, told: Frame = {}): Uint8Array {
    const { flags = FLAGS.whole, typeSize = 4, bytes: size = content.length } = told;
    const body = flags === FLAGS.copied ? data : concat(u32(20), u32(data.length), data);
    const length = told.length ?? 16 + body.length;
    const head = concat(bytes(2, 1, flags, typeSize), u32(size), u32(told.block ?? size));
    return concat(head, u32(length), body);
  }

  const values = counting(256);
  const packed = deflateSync(values);

  it("is undone if it compressed, and if it only copied", () => {
    expect([...decodeBloscZlib(frame(values, packed), 256)]).toEqual([...values]);
    const copied = frame(values, values, { flags: FLAGS.copied });
    expect([...decodeBloscZlib(copied, 256)]).toEqual([...values]);
    expect([...decodeBloscZlib(frame(bytes(), bytes()), 0)]).toEqual([]);
  });

  it("is undone if it shuffled", () => {
    const shuffled = frame(values, deflateSync(shuffle(values, 4)), {
      flags: FLAGS.shuffled | 0x10,
    });
    expect([...decodeBloscZlib(shuffled, 256)]).toEqual([...values]);
  });

  it.each<[string, Uint8Array]>([
    ["no header", counting(15)],
    ["another length than its own", frame(values, packed, { length: 9 })],
    ["more bytes than the chunk", frame(values, packed, { bytes: 257 })],
    ["elements of no bytes", frame(values, packed, { typeSize: 0 })],
    ["another compressor", frame(values, packed, { flags: 0x10 })],
    ["blocks of no bytes", frame(values, packed, { block: 0 })],
    ["more blocks than it has places of", frame(values, packed, { block: 1 })],
    ["a copy of another length", frame(values, values.subarray(1), { flags: FLAGS.copied })],
    ["a block that is not compressed", frame(values, counting(100))],
    ["a block that becomes too short", frame(values, deflateSync(counting(200)))],
    ["a block that becomes too long", frame(values, deflateSync(counting(300)))],
  ])("is refused with %s", (_, spoilt) => {
    expect(() => decodeBloscZlib(spoilt, 256)).toThrow("cannot be uncompressed");
  });

  it("is refused when it is cut anywhere", () => {
    const whole = frame(values, packed);
    for (let length = 0; length < whole.length; length++) {
      expect(() => decodeBloscZlib(whole.subarray(0, length), 256)).toThrow(DamagedFile);
    }
  });
});

describe("a number", () => {
  it.each<[string, number[], number | bigint]>([
    ["|i1", [0xff], -1],
    ["|u1", [0xff], 255],
    ["<i2", [0xfe, 0xff], -2],
    [">i2", [0xff, 0xfe], -2],
    ["<u2", [0x01, 0x02], 0x0201],
    [">u4", [0x80, 0, 0, 1], 0x80000001],
    ["<i4", [0xff, 0xff, 0xff, 0xff], -1],
    ["<i8", [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f], 9223372036854775807n],
    [">u8", [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff], 18446744073709551615n],
    ["<f4", [0, 0, 0x80, 0x3f], 1],
    [">f8", [0x3f, 0xf0, 0, 0, 0, 0, 0, 0], 1],
    ["<f2", [0x00, 0x3c], 1],
    ["<f2", [0x01, 0x00], 2 ** -24],
    ["<f2", [0xff, 0x7b], 65504],
    [">f2", [0xfc, 0x00], Number.NEGATIVE_INFINITY],
    [">f2", [0x7e, 0x00], Number.NaN],
  ])("is decoded from type %s: %j", (dtype, raw, expected) => {
    expect(decodeNumber(dtype, bytes(...raw))).toEqual(expected);
  });

  it.each<[string, number | bigint]>([
    ["|i1", -128],
    [">u2", 65535],
    ["<i4", -2147483648],
    [">i8", -9223372036854775808n],
    ["<u8", 18446744073709551615n],
    ["<f4", 0.5],
    [">f8", -1e300],
  ])("is encoded as type %s, and decoded to itself: %d", (dtype, value) => {
    const encoded = encodeNumber(dtype, value);
    expect(encoded).toHaveLength(Number(dtype.slice(2)));
    expect(decodeNumber(dtype, encoded ?? bytes())).toBe(value);
  });

  it("has no bytes in an unknown type, or one that it does not fit", () => {
    expect(encodeNumber("|S1", 1)).toBeUndefined();
    expect(encodeNumber("<i4", 1.5)).toBeUndefined();
    expect(encodeNumber("<i4", Number.NaN)).toBeUndefined();
    expect(encodeNumber("<c8", 1)).toBeUndefined();
  });

  it("is read from xarray's base64, and from nothing else", () => {
    expect(doubleIn(Buffer.from(new Float64Array([1e20]).buffer).toString("base64"))).toBe(1e20);
    for (const text of ["", "AAAA", "AAAAAAAAAA==", "AAAAAAAAAAA", "AAAAAAAAA*A="]) {
      expect(doubleIn(text), text).toBeUndefined();
    }
  });

  it("has its highest bit as its sign if it has fewer bits than its type", () => {
    const some = { bigEndian: false, bitOffset: 4, precision: 5, signed: true };
    expect(readInteger(bytes(0xf0, 0x01), some)).toBe(-1);
    expect(readInteger(bytes(0xf0, 0x01), { ...some, signed: false })).toBe(31);
    expect(readInteger(bytes(0x01, 0xf0), { ...some, bigEndian: true })).toBe(-1);
    const whole = { bigEndian: true, bitOffset: 0, precision: 56, signed: true };
    expect(readInteger(new Uint8Array(7).fill(0xff), whole)).toBe(-1n);
  });
});

describe("the default fill value", () => {
  it.each<[string, number | bigint]>([
    ["|i1", -127],
    [">i2", -32767],
    ["<i4", -2147483647],
    ["<u8", 18446744073709551614n],
    ["<f8", 9.969209968386869e36],
  ])("is netCDF's for %s", (dtype, value) => {
    const size = Number(dtype.slice(2));
    const fill = defaultFill({ kind: "plain", dtype, size });
    expect(decodeNumber(dtype, fill ?? bytes())).toBe(value);
  });

  it("is zeros for texts and structures", () => {
    expect(defaultFill({ kind: "text" })).toBeUndefined();
    expect(defaultFill({ kind: "struct", fields: [], size: 4 })).toBeUndefined();
    expect(defaultFill({ kind: "plain", dtype: "|S1", size: 1 })).toBeUndefined();
  });
});

describe("a box", () => {
  it("intersects another in what lies in both", () => {
    const a = { start: [0, 5], shape: [4, 10] };
    expect(intersect(a, { start: [2, 0], shape: [10, 7] })).toEqual({
      start: [2, 5],
      shape: [2, 2],
    });
    expect(intersect(a, { start: [4, 5], shape: [1, 1] })).toBeUndefined();
    expect(intersect(a, { start: [0, 5], shape: [0, 1] })).toBeUndefined();
    expect(intersect({ start: [], shape: [] }, { start: [], shape: [] })).toEqual({
      start: [],
      shape: [],
    });
  });

  it("is copied run by run, wherever it is in both arrays", () => {
    const whole = { start: [0, 0, 0], shape: [3, 4, 5] };
    for (const start of [
      [0, 0, 0],
      [1, 1, 1],
      [2, 3, 4],
    ]) {
      const box = { start, shape: start.map((from, d) => (whole.shape[d] ?? 0) - from) };
      const source = Array.from({ length: 60 }, (_, i) => i);
      const target = new Array<number>(box.shape.reduce((a, b) => a * b));
      eachRun(box, whole, box, 1, (from, to, length) => {
        for (let i = 0; i < length; i++) target[to + i] = source[from + i] ?? -1;
      });
      const expected = source.filter((i) => {
        const place = [Math.floor(i / 20), Math.floor(i / 5) % 4, i % 5];
        return place.every((index, d) => index >= (start[d] ?? 0));
      });
      expect(target).toEqual(expected);
    }
  });

  it("is one run if it is whole in both arrays", () => {
    const whole = { start: [0, 0], shape: [3, 4] };
    const runs: number[][] = [];
    eachRun(whole, whole, whole, 8, (...run) => runs.push(run));
    expect(runs).toEqual([[0, 0, 96]]);
  });

  it("is filled by repeating an element", () => {
    const target = new Uint8Array(7);
    fillWith(target, bytes(1, 2));
    expect([...target]).toEqual([1, 2, 1, 2, 1, 2, 1]);
    const untouched = new Uint8Array(3);
    for (const none of [undefined, bytes(), bytes(0, 0)]) fillWith(untouched, none);
    expect([...untouched]).toEqual([0, 0, 0]);
    fillWith(untouched, bytes(9, 9, 9, 9));
    expect([...untouched]).toEqual([9, 9, 9]);
  });
});

describe("a table of chunks", () => {
  it("is searched by bisection", () => {
    const all = [2, 4, 4, 8];
    expect([1, 2, 4, 8, 9].map((limit) => firstAbove(all, limit))).toEqual([0, 1, 3, 4, 4]);
    expect(firstAbove([], 1)).toBe(0);
  });

  const GRID = [2, 3];

  it("finds chunks by their numbers, in whatever order the file lists them", () => {
    const builder = new ChunkTableBuilder(GRID);
    builder.add([1, 2], 500, 5, 0);
    builder.add([0, 1], 100, 1, 3);
    const table = builder.finish();
    expect(findChunk(table, 5)).toEqual({ offset: 500, size: 5, mask: 0 });
    expect(findChunk(table, 1)).toEqual({ offset: 100, size: 1, mask: 3 });
    for (const id of [0, 2, 4, 6, -1]) expect(findChunk(table, id)).toBeUndefined();
  });

  it("needs no numbers if every chunk exists", () => {
    const builder = new ChunkTableBuilder(GRID);
    for (let id = 0; id < 6; id++) builder.add([Math.floor(id / 3), id % 3], id * 10, 10, 0);
    const table = builder.finish();
    expect([table.ids, table.masks]).toEqual([undefined, undefined]);
    expect(findChunk(table, 4)).toEqual({ offset: 40, size: 10, mask: 0 });
    expect(tableBytes(table)).toBe(6 * 12 + 200);
  });

  it("leaves out chunks outside of the grid", () => {
    const builder = new ChunkTableBuilder(GRID);
    builder.add([0, 3], 1, 1, 0);
    builder.add([2, 0], 1, 1, 0);
    expect(builder.finish().sizes).toHaveLength(0);
    expect(findChunk(EMPTY_TABLE, 0)).toBeUndefined();
  });

  it("refuses a chunk listed twice, one above 4 GiB, and more than the maximum", () => {
    const twice = new ChunkTableBuilder(GRID);
    twice.add([0, 0], 1, 1, 0);
    twice.add([0, 0], 2, 1, 0);
    expect(() => twice.finish()).toThrow("A chunk is twice in the file.");
    expect(() => new ChunkTableBuilder(GRID).add([0, 0], 1, 2 ** 32, 0)).toThrow(TooLarge);
    const many = new ChunkTableBuilder([1000], 64);
    const fill = (): void => {
      for (let i = 0; i < 100; i++) many.add([i], i, 1, 0);
    };
    expect(fill).toThrow("too many chunks");
    expect(() => new ChunkTableBuilder([2 ** 40, 2 ** 40])).toThrow(DamagedFile);
  });

  it("grows, and keeps masks that are added later", () => {
    const builder = new ChunkTableBuilder([300]);
    for (let i = 299; i >= 0; i--) builder.add([i], i, 1, i === 0 ? 7 : 0);
    const table = builder.finish();
    expect(findChunk(table, 0)?.mask).toBe(7);
    expect(findChunk(table, 299)).toEqual({ offset: 299, size: 1, mask: 0 });
  });

  it("numbers chunks row by row", () => {
    expect(chunkGrid([5, 7], [2, 7])).toEqual([3, 1]);
    expect(chunkNumber([1, 2], GRID)).toBe(5);
    expect(chunkNumber([], [])).toBe(0);
  });
});

describe("an element", () => {
  const variable = (stored: StoredElement, dtype?: string): Variable => ({
    name: "x",
    dimensions: [],
    shape: [],
    storedShape: [],
    attributes: [],
    stored,
    storage: { kind: "absent" },
    fill: undefined,
    padding: undefined,
    type: dtype ? { kind: "plain", dtype, size: Number(dtype.slice(2)) } : { kind: "text" },
  });

  const textsIn = (data: Uint8Array): string[] => {
    const view = new DataView(data.buffer, data.byteOffset, data.length);
    const found: string[] = [];
    let at = 4;
    for (let i = 0; i < view.getUint32(0, true); i++) {
      const length = view.getUint32(at, true);
      found.push(Buffer.from(data.subarray(at + 4, at + 4 + length)).toString());
      at += 4 + length;
    }
    expect(at).toBe(data.length);
    return found;
  };

  it("keeps its bytes if it needs no conversion", () => {
    const data = counting(8);
    expect(convert(data, variable({ kind: "as-is", size: 4 }, "<i4"), undefined)).toBe(data);
  });

  it("becomes the next wider integer if its width is odd", () => {
    const stored: StoredElement = {
      kind: "integer",
      size: 3,
      bitOffset: 0,
      precision: 24,
      signed: true,
      bigEndian: false,
    };
    const wide = convert(bytes(0xff, 0xff, 0xff, 1, 0, 0), variable(stored, "<i4"), undefined);
    expect([...new Int32Array(wide.buffer)]).toEqual([-1, 1]);
  });

  it("loses its padding as a structure", () => {
    const pieces = [
      { from: 0, length: 1 },
      { from: 4, length: 2 },
    ];
    const packed = convert(counting(16), variable({ kind: "packed", size: 8, pieces }), undefined);
    expect([...packed]).toEqual([0, 4, 5, 8, 12, 13]);
  });

  it.each([
    ["nul-terminated", ["ab", "a"]],
    ["nul", ["ab", "a\0c"]],
    ["space", ["ab\0\0", "a\0c\0"]],
  ] as const)("ends by its padding as a text of fixed length: %s", (padding, expected) => {
    const data = Buffer.from("ab\0\0a\0c\0");
    const stored: StoredElement = { kind: "fixed-text", size: 4, padding };
    expect(textsIn(convert(data, variable(stored), undefined))).toEqual(expected);
  });

  it("has U+FFFD for invalid UTF-8 in a text", () => {
    const stored: StoredElement = { kind: "fixed-text", size: 3, padding: "nul" };
    expect(textsIn(convert(bytes(0x61, 0xff, 0x62), variable(stored), undefined))).toEqual([
      "a\ufffdb",
    ]);
  });

  it("is empty as a text of variable length in a format without heaps", () => {
    const stored: StoredElement = { kind: "vlen-text", size: 16 };
    expect(textsIn(convert(counting(32), variable(stored), undefined))).toEqual(["", ""]);
  });
});

describe("the order of bytes", () => {
  it("is that of their values, and the shorter one comes first", () => {
    const all = [bytes(), bytes(0), bytes(0, 1), bytes(1), bytes(255)];
    expect([...all].reverse().sort(compareBytes)).toEqual(all);
    expect(compareBytes(bytes(1, 2), bytes(1, 2))).toBe(0);
  });
});
