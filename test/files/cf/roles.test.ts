/** What the variables of a header are there for. */
import { describe, expect, it } from "vitest";
import {
  type AttributeValue,
  type Header,
  namesIn,
  numbersOf,
} from "../../../src/files/cf/header.js";
import { rolesOf } from "../../../src/files/cf/roles.js";
import { readHeader } from "../../../src/files/zarr/metadata/header.js";

const variable = (
  name: string,
  dimensions: readonly string[],
  attributes: Readonly<Record<string, AttributeValue>> = {},
) => ({
  path: name,
  name,
  dimensions,
  shape: dimensions.map(() => 4),
  type: "<f8",
  attributes: new Map(Object.entries(attributes)),
});

const header: Header = {
  attributes: new Map([["frequency", "mon"]]),
  variables: [
    variable("time", ["time"], { units: "days since 2000-01-01", bounds: "time_bnds" }),
    variable("time_bnds", ["time", "bnds"]),
    variable("rlat", ["rlat"], { standard_name: "grid_latitude", units: "degrees" }),
    variable("lat", ["rlat", "rlon"], { standard_name: "Latitude" }),
    variable("lon", ["rlat", "rlon"], { units: "degrees_east" }),
    variable("areacella", ["rlat", "rlon"], { units: "m2" }),
    variable("tas", ["time", "rlat", "rlon"], {
      coordinates: ["lon", "lat"],
      cell_measures: "area: areacella",
    }),
  ],
};

const names = (list: readonly { readonly name: string }[]) => list.map(({ name }) => name);

describe("the roles of variables", () => {
  it("are found once, for the time and for the position", () => {
    const { data, bounds, times, latitudes, longitudes } = rolesOf(header);
    expect(names(data)).toEqual(["tas"]);
    expect([...bounds]).toEqual(["time_bnds"]);
    expect(names(times)).toEqual(["time"]);
    expect(names(latitudes)).toEqual(["lat"]);
    expect(names(longitudes)).toEqual(["lon"]);
  });
});

describe("the header of a data set", () => {
  const documents = (attributes: object) =>
    new Map([
      [".zgroup", '{"zarr_format":2}'],
      [".zattrs", JSON.stringify({ history: "x".repeat(3 << 20) })],
      ["g/.zgroup", '{"zarr_format":2}'],
      ["g/a/.zarray", '{"shape":[2,3],"chunks":[2,3],"dtype":"<f4"}'],
      ["g/a/.zattrs", JSON.stringify({ _ARRAY_DIMENSIONS: ["y", "x"], ...attributes })],
    ]);

  it("has attributes with their types, however long it is", () => {
    const { variables } = readHeader(
      documents({ units: "K", scale_factor: 0.5, flags: [1, 2], coordinates: ["lat", "lon"] }),
    );
    expect(variables).toHaveLength(1);
    const [a] = variables;
    expect(a).toMatchObject({ path: "g/a", name: "a", dimensions: ["y", "x"], shape: [2, 3] });
    expect(Object.fromEntries(a?.attributes ?? [])).toEqual({
      units: "K",
      scale_factor: [0.5],
      flags: [1, 2],
      coordinates: ["lat", "lon"],
    });
  });

  it("gives numbers also from texts, as stores have them", () => {
    const [a] = readHeader(
      documents({ _FillValue: "AAAAAAAA8D8=", missing_value: "NaN", valid: "1, 2", none: null }),
    ).variables;
    if (a === undefined) throw new Error("no variable");
    expect(numbersOf(a, "_FillValue")).toEqual([1]);
    expect(numbersOf(a, "missing_value")).toEqual([Number.NaN]);
    expect(numbersOf(a, "valid")).toEqual([1, 2]);
    expect(numbersOf(a, "nothing")).toEqual([]);
    expect(namesIn({ attributes: new Map([["x", "area: b  c,d"]]) }, "x")).toEqual(["b", "c", "d"]);
  });
});
