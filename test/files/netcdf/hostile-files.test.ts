/**
 * Small files that claim what is not so (files/make.py). What is needed to read them is refused, or left out, with its
 * reason, by a check and not by accident; what is not needed does not matter.
 */
import { readdirSync, readFileSync } from "node:fs";
import { afterEach, describe, expect, it } from "vitest";
import { ReadingError } from "../../../src/files/netcdf/errors.js";
import type { Group } from "../../../src/files/netcdf/model.js";
import { readValues } from "../../../src/files/netcdf/render/values.js";
import { ByteSource } from "../../../src/files/netcdf/source/byte-source.js";
import { Source } from "../../../src/files/netcdf/source/source.js";
import { packagePath } from "../../../src/platform/package-root.js";
import { classicFile } from "../../support/data/classic-file.js";
import { IDENTITY } from "./memory.js";

const FOLDER = packagePath("test", "files", "netcdf", "files");
const path = (name: string): string => `${FOLDER}/${name}.nc`;

let source: Source | undefined;
afterEach(() => {
  source?.close();
  source = undefined;
});

/** Reads all that a file has. */
function readAll(name: string): { readonly model: Group; readonly values: Uint8Array[] } {
  const open = Source.open(path(name), undefined, { time: 5000, bytes: 2 ** 26 });
  source = open;
  const model = open.readModel();
  const values = model.variables.map((variable) => {
    const { shape } = variable;
    const box = { start: shape.map(() => 0), shape };
    const tools = { table: open.chunkTable(variable), decoder: undefined };
    return readValues(open, variable, box, tools);
  });
  return { model, values };
}

/** The kind and the message with which reading a file ends. */
function refusal(name: string): readonly [kind: string, message: string] {
  try {
    readAll(name);
  } catch (error) {
    // Anything else would be what no check foresaw.
    expect(error).toBeInstanceOf(ReadingError);
    const { kind, message } = error as ReadingError;
    return [kind, message];
  }
  return ["none", `${name} is read`];
}

/** The kind of the failure of reading a file that has these bytes, or what it has. */
function outcomeOf(bytes: Uint8Array): string {
  try {
    const file = ByteSource.over({
      identity: { ...IDENTITY, size: bytes.length },
      read: (target, offset) => {
        const piece = bytes.subarray(offset, offset + target.length);
        target.set(piece);
        return piece.length;
      },
      close: () => {},
    });
    const { variables } = file.readModel();
    return variables.length === 0 ? "no variables" : "variables";
  } catch (error) {
    return error instanceof ReadingError ? error.kind : String(error);
  }
}

const numbers = (bytes: Uint8Array, little: boolean): number[] => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  return Array.from({ length: bytes.length / 4 }, (_, i) => view.getInt32(4 * i, little));
};

type Reasons = readonly (readonly [file: string, reason: string])[];

/** Files that are refused. */
const DAMAGED: Readonly<Record<string, Reasons>> = {
  "a superblock": [
    ["old-offset-size", "The HDF5 superblock has sizes that are not possible."],
    ["old-rank-zero", "The HDF5 superblock has values that are not possible."],
    ["old-reserved", "The HDF5 superblock has values that are not possible."],
    ["old-end", "The file has 2072 bytes of the 2073 it should have."],
    ["old-cut", "The file has 1036 bytes of the 2072 it should have."],
    ["old-address-2-60", "A size or an address in the file is beyond 2^53."],
    ["new-superblock-checksum", "A structure of the file does not fit its checksum."],
    ["new-end", "The file has 6168 bytes of the 6169 it should have."],
    ["new-root", "The file ends before its contents do."],
    ["new-root-undefined", "A structure of the file is referred to, but was never written."],
  ],
  "a group of the old style": [
    ["old-tree-signature", "The file has no TREE structure where one should be."],
    ["old-tree-kind", "A B-tree of the file has a node that is not possible."],
    ["old-tree-entries", "A B-tree of the file has a node that is not possible."],
    ["old-tree-itself", "A B-tree of the file refers to itself."],
    ["old-tree-beyond", "The file ends before its contents do."],
    ["old-node-entries", "A group of the file has more members than its node has room for."],
    ["old-node-name", "A name in the file is not where the file says."],
    ["old-heap-signature", "The file has no HEAP structure where one should be."],
    ["old-heap-size", "The file ends before its contents do."],
  ],
  "a chunk": [
    ["chunked-address", "A chunk index of the file has an entry that is not possible."],
    ["chunked-size", "A chunk index of the file has an entry that is not possible."],
    ["chunked-offset", "A chunk index of the file has an entry that is not possible."],
    ["chunked-order", "A chunk index of the file has an entry that is not possible."],
    ["chunked-level", "The file has no TREE structure where one should be."],
    ["chunked-size-small", "A chunk of the file is shorter than its checksum."],
    ["chunked-content", "A chunk of the file does not fit its checksum."],
    ["chunked-checksum", "A chunk of the file does not fit its checksum."],
    ["chunked-bomb", "A chunk of the file cannot be uncompressed."],
    ["chunked-short", "A chunk of the file is not as long as its shape says."],
  ],
  "a NetCDF-3 header": [
    ["classic-header-cut", "A structure of the file is longer than the space it has."],
    ["classic-list", "The NetCDF header has an unknown list."],
    ["classic-count", "A structure of the file is longer than the space it has."],
    ["classic-type", "The NetCDF header has an unknown type."],
    ["classic-dimension", "A variable has an unknown dimension."],
    ["classic-two-unlimited", "The record dimension is not the first one of the variable tas."],
    ["classic-unlimited-second", "The record dimension is not the first one of the variable tas."],
    ["classic-name-length", "A structure of the file is longer than the space it has."],
    ["classic-begin", "The variable tas begins within other contents."],
  ],
};

/** Files whose variable is left out. */
const LEFT_OUT: Readonly<Record<string, Reasons>> = {
  "a version": [["old-layout-version", "HDF5 data layouts of version 9 are not read."]],
  "an object header": [
    ["old-node-object", "The file has no object header where one should be."],
    ["old-header-version", "The file has no object header where one should be."],
    ["old-header-size", "The file ends before its contents do."],
    [
      "old-message-type",
      "It is neither a group nor a dataset nor a type: it has not all its parts.",
    ],
    ["old-message-length", "A structure of the file is longer than the space it has."],
    [
      "old-message-missing",
      "It is neither a group nor a dataset nor a type: it has not all its parts.",
    ],
    ["old-continuation-itself", "A structure of the file is longer than the space it has."],
    ["new-header-checksum", "A structure of the file does not fit its checksum."],
    ["new-header-size", "A structure of the file does not fit its checksum."],
    ["new-header-version", "An object header of the file has no known version."],
    ["new-message-length", "A structure of the file is longer than the space it has."],
    ["new-continuation-itself", "The file has no OCHK structure where one should be."],
  ],
  "a shape": [
    ["old-space-version", "A dataspace has no known version."],
    ["old-space-rank", "A dataspace has too many dimensions."],
    ["old-space-length", "A dataspace of the file is longer than it may be."],
    ["new-space-rank", "A dataspace has too many dimensions."],
    ["new-space-length", "A dataspace of the file is longer than it may be."],
  ],
  "a type": [
    ["old-type-class", "A datatype of the file is not possible."],
    ["old-type-size", "A datatype of the file is not possible."],
    ["old-type-precision", "An integer type of the file has more bits than its bytes."],
    ["new-type-class", "A datatype of the file is not possible."],
  ],
  "a layout": [
    ["old-layout-class", "A data layout of the file is not possible."],
    ["old-layout-address", "The file has 2072 bytes of the 1099511627800 it should have."],
    ["old-layout-size", "It has 7 bytes of the 24 that its shape and type take."],
    ["new-layout-class", "A data layout of the file is not possible."],
    ["new-layout-address", "The file has 6168 bytes of the 6191 it should have."],
    ["chunked-filter-count", "A filter pipeline has too many filters."],
  ],
  "NetCDF-3 values": [
    ["classic-cut", "The file has 139 bytes of the 144 it should have."],
    ["classic-records", "The file has 144 bytes of the 12000120 it should have."],
    ["classic-length", "The file has 144 bytes of the 17179869296 it should have."],
    ["classic-begin-beyond", "The file has 144 bytes of the 1073741848 it should have."],
  ],
};

/** Files that are odd in a place that nobody needs to read their values, and the name of the variable. */
const READ = [
  ["old-tree-neighbour", "tas"],
  ["old-header-count", "tas"],
  ["classic-name-slash", "a/b"],
  ["classic-name-empty", ""],
  ["classic-name-twice", "tas"],
  ["classic-padding", "tas"],
  ["classic-vsize", "tas"],
  ["classic-records-few", "tas"],
] as const;

/** Filters that no decoder has. */
const FILTERS = ["chunked-filter", "chunked-filter-zero"];

/** Whole, and of a version that nobody has written yet. */
const UNKNOWN = [
  ["old-superblock-version", "HDF5 superblock version 9 is not read."],
  ["new-cache-image", "An image of HDF5's metadata cache is not read."],
  [
    "classic-version",
    "This file is a NetCDF file of a version that is not known; NetCDF, HDF5 and zarr are read.",
  ],
] as const;

describe.each(Object.entries(DAMAGED))("a file with an impossible %s", (_, files) => {
  it.each(files)("is refused as damaged: %s", (name, reason) => {
    expect(refusal(name)).toEqual(["damaged-file", reason]);
  });
});

describe.each(Object.entries(LEFT_OUT))("a variable with an impossible %s", (_, files) => {
  it.each(files)("is left out with the reason: %s", (name, reason) => {
    const { model } = readAll(name);
    expect(model.variables).toEqual([]);
    expect(model.leftOut).toEqual([{ name: "tas", reason }]);
  });
});

describe("a file with odd unused parts", () => {
  it.each(READ)("keeps its values: %s", (file, name) => {
    const { model, values } = readAll(file);
    expect(model.leftOut).toEqual([]);
    expect(model.variables.map((variable) => variable.name)).toEqual([name]);
    const expected = [0, 1, 2, 3, 4, 5].slice(0, file === "classic-records-few" ? 3 : 6);
    expect(numbers(values[0] ?? new Uint8Array(), file.startsWith("old"))).toEqual(expected);
  });
});

describe("a file of an unknown version", () => {
  it.each(UNKNOWN)("is refused as another format: %s", (name, reason) => {
    expect(refusal(name)).toEqual(["not-readable-format", reason]);
  });

  it.each(FILTERS)("is not decoded without its filter: %s", (name) => {
    expect(refusal(name)[0]).toBe("too-large");
  });
});

describe("a valid file", () => {
  const SIX = [0, 1, 2, 3, 4, 5];

  it.each([
    ["old", "<i4", SIX],
    ["new", "<i4", SIX],
    ["classic", ">i4", SIX],
    ["chunked", "<i4", Array.from({ length: 64 }, (_, i) => i)],
  ])("gives its values and attributes: %s", (name, dtype, expected) => {
    const { model, values } = readAll(name);
    const [variable] = model.variables;
    expect(variable).toMatchObject({ name: "tas", type: { kind: "plain", dtype, size: 4 } });
    expect(model.leftOut).toEqual([]);
    expect(numbers(values[0] ?? new Uint8Array(), dtype.startsWith("<"))).toEqual(expected);
    if (name === "chunked") return;
    expect(variable?.attributes).toEqual([{ name: "units", value: { kind: "text", value: "K" } }]);
  });

  it.each(["old", "new", "classic", "chunked"])(
    "has no values if it is cut anywhere: %s",
    (name) => {
      const whole = readFileSync(path(name));
      for (let length = 0; length < whole.length; length += 97) {
        const kinds = ["damaged-file", "not-readable-format", "no variables"];
        expect(kinds, `${length} bytes`).toContain(outcomeOf(whole.subarray(0, length)));
      }
    },
  );

  it("may have more variables with records than a call has arguments, and not know its records", () => {
    const bytes = classicFile({
      dimensions: { time: 0 },
      attributes: {},
      variables: Array.from({ length: 130_000 }, (_, i) => ({
        ...{ name: `v${i}`, dimensions: ["time"], values: [0] },
      })),
    });
    // As many records as the file has (CDF-1, "numrecs").
    bytes.writeUInt32BE(0xffffffff, 4);
    expect(outcomeOf(bytes)).toBe("variables");
  });

  it("includes each file of the folder that no list above names", () => {
    const named = [...Object.values(DAMAGED), ...Object.values(LEFT_OUT), READ, UNKNOWN].flat();
    const listed = [...named.map(([name]) => name), ...FILTERS].map((name) => `${name}.nc`);
    const files = readdirSync(FOLDER).filter((name) => name.endsWith(".nc"));
    const valid = files.filter((name) => !listed.includes(name)).sort();
    expect(valid).toEqual(["chunked.nc", "classic.nc", "new.nc", "old.nc"]);
    expect(listed.filter((name) => !files.includes(name))).toEqual([]);
  });
});
