/** What the first look computes of a slice, without a browser: other units, means, and whether grids are the same. */
import { describe, expect, it } from "vitest";
import { canAverage, Mean } from "../../../web/src/look/data/average.js";
import { withValues } from "../../../web/src/look/data/percentiles.js";
import type { Field, Geometry, OpenDataset, Variable } from "../../../web/src/look/data/types.js";
import { typeText } from "../../../web/src/look/header/tree.js";
import { areaMean, hasAreas, zonalMean } from "../../../web/src/look/picture/means.js";
import { isSameGrid, Slices } from "../../../web/src/look/picture/picture.js";
import { valueText } from "../../../web/src/look/picture/place-text.js";
import { conversionOf, convertField } from "../../../web/src/look/picture/units.js";
import { sliceQuery } from "../../../web/src/look/variables.js";
import { shortNumber } from "../../../web/src/service/numbers.js";

const variable = (attributes: Record<string, string>, more: Partial<Variable> = {}): Variable => ({
  name: "x",
  path: "x",
  type: "<f4",
  role: "data",
  chunkBytes: 800,
  dimensions: ["time", "lat", "lon"],
  shape: [100, 10, 20],
  chunks: [1, 10, 20],
  attributes: new Map(Object.entries(attributes)),
  ...more,
});
const field = (values: number[], columns: number): Field => ({
  values: Float32Array.from(values),
  rows: values.length / columns,
  columns,
  units: "K",
  minimum: 0,
  maximum: 0,
  sorted: new Float32Array(),
  source: "chunks",
});

describe("a short number", () => {
  it.each([
    [999, "999"],
    [12_345, "12.3k"],
    [1_234_567, "1.23M"],
    [2_000_000_000, "2G"],
  ])("%s is %s, with a prefix of the SI", (value, text) => {
    expect(shortNumber(value)).toBe(text);
  });
});

describe("units of a first look", () => {
  it.each([
    [{ units: "K", standard_name: "air_temperature" }, "°C"],
    [{ units: "K" }, "°C"],
    [{ units: "K", standard_name: "air_temperature_anomaly" }, undefined],
    [{ units: "K", cell_methods: "time: standard_deviation" }, undefined],
    [{ units: "K s-1", standard_name: "tendency_of_air_temperature" }, undefined],
    [{ units: "kg m-2 s-1", standard_name: "precipitation_flux" }, "mm/day"],
    [{ units: "kg m^-2 s^-1", standard_name: "convective_precipitation_flux" }, "mm/day"],
    [{ units: "kg/m2/s", standard_name: "snowfall_flux" }, "mm/day"],
    [{ units: "kg m-2 s-1", standard_name: "water_evapotranspiration_flux" }, undefined],
    [{ units: "kg m-2 s-1" }, undefined],
    [{ units: "Pa", standard_name: "air_pressure_at_mean_sea_level" }, "hPa"],
    [{ units: "hPa" }, undefined],
    [{}, undefined],
  ])("are %j and also %s", (attributes, units) => {
    expect(conversionOf(variable(attributes))?.units).toBe(units);
  });

  it("are computed in float32 as numpy does, and differences have no zero of their own", () => {
    const own = withValues(field([], 1), Float32Array.of(273.15, 300.1, Number.NaN), "K");
    const celsius = conversionOf(variable({ units: "K" }));
    if (celsius === undefined) throw new Error("there is no conversion");
    const told = convertField(own, celsius, false);
    // np.float32([273.15, 300.1]) - 273.15
    expect([...told.values]).toEqual([0, 26.95001220703125, Number.NaN]);
    expect([told.minimum, told.maximum, told.units]).toEqual([0, 26.95001220703125, "°C"]);
    expect([...convertField(own, celsius, true).values]).toEqual([...own.values]);
  });

  it("follow numbers with the digits of float32, and types have numpy's names", () => {
    expect(valueText(Math.fround(273.15), "K")).toBe("273.15 K");
    expect(valueText(Math.fround(-1e-9), "")).toBe("−1e−09");
    expect(valueText(16777216, "")).toBe("16777216");
    expect(["<f4", ">f8", "|i1", "|b1", "<u2", "<U5", "float32"].map(typeText)).toEqual([
      "float32",
      "float64",
      "int8",
      "bool",
      "uint16",
      "string",
      "float32",
    ]);
  });
});

const geometry = {
  kind: "regular",
  latitudes: Float64Array.of(60, 0),
  longitudes: Float64Array.of(0, 90, 180),
  xDimension: "lon",
  yDimension: "lat",
} as const;

describe("the difference of two datasets", () => {
  const units = (text: string | undefined) => (text === undefined ? {} : { units: text });
  const plane = { dimensions: ["lat", "lon"], shape: [2, 3] };
  /** A dataset whose only variable has one value everywhere. */
  function slices(own: Variable, value: number): Slices {
    const values = new Float32Array(6).fill(value);
    const header = { name: "", path: "", attributes: new Map(), dimensions: [], groups: [] };
    return new Slices({
      header: { ...header, id: String(value), variables: [own] },
      axes: async () =>
        own.dimensions.map((name, i) => {
          const kind = name === "lat" ? "latitude" : "longitude";
          return { name, kind, length: own.shape[i] ?? 0, labels: [], title: name };
        }),
      geometry: async () => geometry,
      field: async () => withValues(field([...values], 3), values, "K"),
      series: () => Promise.reject(new Error("not read here")),
      close: () => undefined,
    } satisfies OpenDataset);
  }
  const subtract = (own: string | undefined, other: string | undefined) => {
    const from = variable(units(own), plane);
    const of = slices(variable(units(other), plane), 3);
    const minus = { kind: "data", of, name: "other.nc" } as const;
    const wanted = { index: [], isClose: false, isMean: false, minus };
    return slices(from, 10).read(from, wanted, new AbortController().signal);
  };

  it.each([
    ["K", "degC"],
    ["mm/day", "kg m-2 s-1"],
    ["m/s2", "m s-1"],
  ])("is refused for data in %s and %s", async (own, other) => {
    await expect(subtract(own, other)).rejects.toThrow(
      `other.nc has other units (${other} instead of ${own}), so no difference can be drawn.`,
    );
  });

  it.each([
    ["K", "kelvin"],
    ["kg m-2 s-1", "kg m^-2 s^-1"],
    ["W/m2", "W m**-2"],
    ["W/m**2", "W m-2"],
    ["m/s", "m s-1"],
    ["K", undefined],
    [undefined, undefined],
  ])("is drawn for data in %s and %s", async (own, other) => {
    const { drawn } = await subtract(own, other);
    expect([...(drawn?.field.values ?? [])]).toEqual(Array(6).fill(7));
  });
});

describe("the request for the values of a slice", () => {
  const axis = (name: string, length: number) =>
    ({ name, length, kind: "other", labels: [], title: name }) as const;

  it("has the largest size that the service gives along one dimension", () => {
    const count = 2_000_000;
    const place = { longitudes: new Float64Array(), latitudes: new Float64Array() };
    const cells = { kind: "points", count, dimension: "cell", ...place } as const;
    const axes = [axis("time", 12), axis("cell", count)];
    expect(sliceQuery({ axes, geometry: cells, indexes: { time: 3 } })).toEqual([
      ["index", "3,:"],
      ["width", "1048576"],
    ]);
  });

  it("has the largest sizes that the service gives along two dimensions", () => {
    const axes = [axis("lat", 3000), axis("lon", 1000)];
    expect(sliceQuery({ axes, geometry, indexes: {} })).toEqual([
      ["index", ":,:"],
      ["width", "1000"],
      ["height", "2048"],
    ]);
  });
});

describe("means of a first look", () => {
  it("weigh cells by the cosine of the latitude, and leave missing values out", () => {
    const values = field([1, Number.NaN, 3, 10, 20, 30], 3);
    expect(areaMean(geometry, values)).toBeCloseTo((0.5 * 4 + 60) / 4, 10);
    expect(areaMean(geometry, values, (longitude) => longitude > 100)).toBeCloseTo(31.5 / 1.5, 10);
    expect(areaMean(geometry, values, () => false)).toBeNaN();
    const zonal = zonalMean(geometry, values);
    expect([zonal.labels, [...zonal.values]]).toEqual([
      ["0", "60"],
      [20, 2],
    ]);
  });

  it("are offered over areas only if areas are known", () => {
    const points: Geometry = {
      kind: "points",
      count: 1,
      dimension: "cell",
      longitudes: Float64Array.of(0),
      latitudes: Float64Array.of(0),
    };
    expect(hasAreas(geometry, {})).toBe(true);
    expect(hasAreas(geometry, { rowIndex: Uint32Array.of(1) })).toBe(false);
    expect(hasAreas(points, {})).toBe(false);
  });

  it("count over time the values that are there, and are offered as long as little is read", () => {
    const mean = new Mean(3);
    mean.add(Float32Array.of(1, Number.NaN, Number.NaN));
    mean.add(Float32Array.of(2, 4, Number.NaN));
    expect([...mean.values()]).toEqual([1.5, 4, Number.NaN]);
    const can = (more: Partial<Variable>) => canAverage(variable({}, more), "time", ["time"]);
    expect(can({})).toBe(true);
    expect(can({ shape: [1, 10, 20] })).toBe(false);
    expect(can({ shape: [601, 10, 20] })).toBe(false);
    expect(can({ chunkBytes: 5 << 20 })).toBe(false);
    expect(can({ dimensions: ["lev", "lat", "lon"] })).toBe(false);
  });

  it("need the same grid, as differences do", () => {
    const moved = { ...geometry, latitudes: Float64Array.of(60, 0.5) };
    const longer = { ...geometry, latitudes: Float64Array.of(60, 0, -60) };
    expect(isSameGrid(geometry, { ...geometry })).toBeUndefined();
    expect(isSameGrid(geometry, moved)).toBe("other longitudes or latitudes");
    expect(isSameGrid(geometry, longer)).toBe("3 × 3 cells instead of 2 × 3");
  });
});
