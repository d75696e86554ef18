/** Valid files as other programs write them (foreign_files.py) are read as by HDF5 and netCDF-C. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { Variable } from "../../../src/files/netcdf/model.js";
import { decodeNumber } from "../../../src/files/netcdf/numbers.js";
import { readValues } from "../../../src/files/netcdf/render/values.js";
import { Source } from "../../../src/files/netcdf/source/source.js";
import { packagePath } from "../../../src/platform/package-root.js";
import { differences, libraryValues, readOurs } from "../../support/data/against-library.js";
import { runPython } from "../../support/programs/python.js";
import { freshFolder } from "../../support/run/folders.js";

const folder = freshFolder();
let library: Awaited<ReturnType<typeof libraryValues>>;

beforeAll(async () => {
  await runPython([packagePath("test", "files", "netcdf", "foreign_files.py"), folder]);
  library = await libraryValues(folder);
});

/** A variable of a file's root or of its first group, and its values if they are numbers. */
function variableOf(file: string, name: string): Variable & { readonly numbers: number[] } {
  const source = Source.open(join(folder, file));
  try {
    const model = source.readModel();
    const all = [model, ...model.groups].flatMap(({ variables }) => variables);
    const variable = all.find((one) => one.name === name);
    if (variable === undefined) throw new Error(`${file} has no ${name}`);
    const { shape, type } = variable;
    const box = { start: shape.map(() => 0), shape };
    const tools = { table: source.chunkTable(variable), decoder: undefined };
    const bytes = readValues(source, variable, box, tools);
    const numbers: number[] = [];
    if (type.kind === "plain") {
      for (let at = 0; at < bytes.length; at += type.size) {
        numbers.push(Number(decodeNumber(type.dtype, bytes.subarray(at, at + type.size))));
      }
    }
    return { ...variable, numbers };
  } finally {
    source.close();
  }
}

describe("a file of another program", () => {
  it("is read as by HDF5 and netCDF-C, each of them", async () => {
    const names = await readdir(folder);
    expect(names.length).toBe(37);
    for (const name of names) {
      const theirs = library[name];
      if (theirs === null || theirs === undefined) throw new Error(`no library reads ${name}`);
      const ours = readOurs(join(folder, name), undefined);
      expect(differences(ours, theirs), name).toEqual([]);
      expect(
        [...ours.values.values()].filter((value) => value instanceof Error),
        name,
      ).toEqual([]);
    }
  });

  it("may have attributes with names that resemble those of HDF5", () => {
    const { attributes, numbers, dimensions } = variableOf("attribute_names.nc", "v");
    expect(numbers).toEqual([4, 5, 6]);
    expect(dimensions).toEqual(["x"]);
    const date = { kind: "text", value: "2020-01-01" };
    for (const name of ["DATE", "NOTE", "FLAGS", "CLAS", "DIMENSION_LISTS"]) {
      expect(attributes).toContainEqual({ name, value: date });
    }
  });

  it("may have attributes of the types of HDF5's own", () => {
    expect(variableOf("attribute_references.h5", "v").numbers).toEqual([0, 1, 2]);
    expect(variableOf("attribute_references.h5", "w").numbers).toEqual([0, 1, 2]);
  });

  it.each(["old_group_neighbour.h5", "old_group_big.h5"])(
    "may have remains behind the members of a group: %s",
    (name) => {
      expect(variableOf(name, "v").numbers).toEqual([0, 1, 2]);
      const source = Source.open(join(folder, name));
      expect(source.readModel().groups.map(({ path }) => path)).toEqual(["a", "empty"]);
      source.close();
    },
  );

  it("may have anything in reserved bytes, counts of messages and null messages", () => {
    const { numbers, attributes } = variableOf("reserved.h5", "v");
    expect(numbers).toEqual([0, 1, 2, 3, 4, 5]);
    expect(attributes).toEqual([{ name: "units", value: { kind: "text", value: "K" } }]);
  });

  it("may share a type by a message of version 1", () => {
    const { type, shape } = variableOf("shared_message_1.h5", "v");
    expect(shape).toEqual([2]);
    const fields = [
      ["a", "<i4"],
      ["b", "<f8"],
    ];
    expect(type).toMatchObject({ kind: "struct", fields });
  });

  it("may have several scales on a dimension, of which the last one counts", () => {
    expect(variableOf("two_scales.h5", "v").dimensions).toEqual(["x2"]);
  });

  it("may have resizable variables that end before a dimension, which are padded, or after it, which are left out", () => {
    for (const name of ["shorter", "bounded"]) {
      expect(variableOf("resizable.h5", name).numbers).toEqual([0, 1, 2, -1, -1]);
    }
    const { model } = readOurs(join(folder, "resizable.h5"), undefined);
    expect(model.variables.map(({ name, shape }) => [name, ...shape])).toEqual(
      ["bounded", "fixed", "shorter", "x"].map((name) => [name, 5]),
    );
    const reason = "It has 7 values along the dimension x, which has 5.";
    expect(model.leftOut).toEqual([{ name: "longer", reason }]);
  });

  it("may refer to scales by addresses of another class", () => {
    expect(variableOf("scale_type.h5", "v").dimensions).toEqual(["x2"]);
  });

  it("may have texts of variable length in types of any size; a fill value that cannot be read leaves its variable out", () => {
    const { model, values } = readOurs(join(folder, "odd_types.h5"), undefined);
    const [texts] = model.variables;
    expect(texts?.attributes).toEqual([
      { name: "comment", value: { kind: "text", value: "kept" } },
    ]);
    expect([...values.keys()]).toEqual(["texts"]);
    const reason = "Its _FillValue is not a number of IEEE 754.";
    expect(model.leftOut).toEqual([{ name: "filled", reason }]);
  });

  it("may have two members of one name, which are left out", () => {
    const { model, values } = readOurs(join(folder, "namesakes.h5"), undefined);
    expect([...values.keys()]).toEqual(["kept"]);
    const reason = "Another member of its group has the same name.";
    expect(model.leftOut).toEqual([{ name: "twin_a", reason }]);
  });

  it("may refer to scales as HDF5 1.12 does", () => {
    expect(variableOf("new_references.h5", "v").dimensions).toEqual(["z", "y"]);
  });

  it("numbers dimensions without names as netCDF-C does", () => {
    expect(variableOf("phony.h5", "c").dimensions).toEqual(["phony_dim_10"]);
    expect(variableOf("phony.h5", "d").dimensions).toEqual(["phony_dim_11", "phony_dim_10"]);
    expect(variableOf("phony.h5", "e").dimensions).toEqual(["phony_dim_8", "phony_dim_9"]);
    // To it, those of the length 0 are unlimited.
    expect(variableOf("phony_empty.h5", "b").dimensions).toEqual(["phony_dim_0", "phony_dim_1"]);
    expect(variableOf("phony_empty.h5", "c").dimensions).toEqual(["phony_dim_2", "phony_dim_3"]);
  });

  it.each(["sizes_44_old.h5", "sizes_48_new.h5", "sizes_84_old.h5"])(
    "may have addresses and lengths of other widths: %s",
    (name) => {
      expect(variableOf(name, "v11").numbers).toEqual([11, 12, 13, 14]);
      expect(variableOf(name, "v11").dimensions).toEqual(["x"]);
      const value = { kind: "texts", values: ["one", "two"] };
      expect(variableOf(name, "chunks").attributes).toContainEqual({ name: "a19", value });
    },
  );

  it("may have soft links that lead over others, and round", () => {
    for (const name of ["one", "two", "through"]) {
      expect(variableOf("soft_links.h5", name).numbers).toEqual([0, 1, 2]);
    }
    const { model } = readOurs(join(folder, "soft_links.h5"), undefined);
    const reason = "a link that leads to nothing that is read";
    expect(model.leftOut).toEqual(["around", "round"].map((name) => ({ name, reason })));
  });

  it.each(["ranks_old.h5", "ranks_new.h5"])("may have nodes of other sizes: %s", (name) => {
    expect(variableOf(name, "many").numbers).toEqual(Array.from({ length: 600 }, (_, i) => i));
    expect(variableOf(name, "v119").shape).toEqual([119]);
  });
});

describe("a NetCDF-3 file of another program", () => {
  const TAS = [1, 2, 3, 2, 3, 4, 3, 4, 5];

  it.each([
    ["pads with other bytes than zero", "classic_padding.nc", TAS],
    ["is longer than its records", "classic_zeros_after.nc", TAS],
    ["has the records that it counts", "classic_fewer_records.nc", TAS.slice(0, 6)],
    ["has no records yet", "classic_no_records.nc", []],
    ["tells other sizes of its variables", "classic_sizes.nc", TAS],
    ["ends names with NUL", "classic_names_end.nc", TAS],
    ["has an attribute twice", "classic_twice.nc", TAS],
  ])("is read if it %s", (_, name, expected) => {
    const { numbers, attributes } = variableOf(name, "tas");
    expect(numbers).toEqual(expected);
    expect(attributes).toEqual([{ name: "units", value: { kind: "text", value: "K" } }]);
  });

  it("has a variable with a slash in its name, which is not served, beside the others", () => {
    const { values, model } = readOurs(join(folder, "classic_slash.nc"), undefined);
    expect([...values.keys()]).toEqual(["time", "a/b"]);
    expect(model.variables[0]?.attributes).toEqual([
      { name: "K/s", value: { kind: "text", value: "K" } },
    ]);
  });

  it("may have no variables and be longer than its header", () => {
    const { model } = readOurs(join(folder, "classic_no_variables.nc"), undefined);
    expect(model.variables).toEqual([]);
    expect(model.attributes).toEqual([{ name: "title", value: { kind: "text", value: "kept" } }]);
  });
});
