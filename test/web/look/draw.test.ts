/** What the first look draws, without a browser: colours, cells under pixels, the view, the outlines. */
import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import {
  colourIndex,
  logRangeOf,
  numberText,
  rangeOf,
  ticksOf,
} from "../../../web/src/look/draw/colour-scale.js";
import { COLOURS, colourTable } from "../../../web/src/look/draw/colour-tables.js";
import { type Grid, OUTSIDE } from "../../../web/src/look/draw/grid.js";
import { loadLand, traceLand } from "../../../web/src/look/draw/land.js";
import { makeGrid, placeInFile } from "../../../web/src/look/draw/make-grid.js";
import { paint } from "../../../web/src/look/draw/paint.js";
import { matrixGrid, regularGrid } from "../../../web/src/look/draw/rectangular-grid.js";
import { curvilinearGrid, pointGrid } from "../../../web/src/look/draw/scattered-grid.js";
import * as view from "../../../web/src/look/draw/view.js";
import { xarrayLines } from "../../../web/src/look/picture/xarray-lines.js";
import { chance, SEED } from "../../support/run/trials.js";

const cellAt = (grid: Grid, x: number, y: number, reach = 0): number =>
  grid.cellsAt(Float64Array.of(x), Float64Array.of(y), reach)[0] ?? OUTSIDE;
const steps = (first: number, step: number, count: number): Float64Array =>
  Float64Array.from({ length: count }, (_, i) => first + i * step);

describe("colours", () => {
  it("are matplotlib's, byte by byte", () => {
    const hash = (table: Uint8Array) =>
      createHash("sha256").update(table).digest("hex").slice(0, 16);
    expect(Object.fromEntries(COLOURS.map((one) => [one, hash(colourTable(one))]))).toEqual({
      cividis: "8a6c6bf382be7cc3",
      cividis_r: "5da5933ffcd2c4e3",
      viridis: "96a1f6f37d4041f9",
      viridis_r: "74ee8122808f5888",
      magma: "e2e7c21b2cdebd6f",
      magma_r: "6b89bfb69e046264",
      plasma: "3c079586af5e9371",
      plasma_r: "f3ba28a4bbaab572",
      turbo: "8f5d5edf6af4af05",
      turbo_r: "4cee36b69930c6b2",
      Blues: "dabb29b9a7853be5",
      Blues_r: "09e5b59b2b88abd6",
      YlGnBu: "9906bfafe20a3749",
      YlGnBu_r: "340b8d354b7847e5",
      RdBu: "ab1fcfcca1205ddf",
      RdBu_r: "dc2f97fae8e1ee24",
      BrBG: "7c23585f8bc3666e",
      BrBG_r: "bc6df6338b38790f",
      coolwarm: "161fad279ef7b15f",
      coolwarm_r: "021549e72ee0ee5d",
    });
  });

  it("are given to values as matplotlib does, at the ends and beyond", () => {
    const values = [250.1, 273.15, 273.1501, 300, 310.7, 200, 400, 231.7, 312.3].map(Math.fround);
    const range = { low: 231.7, high: 312.3 };
    expect(values.map((value) => colourIndex(value, range))).toEqual([
      58, 131, 131, 216, 250, 0, 255, 0, 255,
    ]);
    expect(colourIndex(7, { low: 7, high: 7 })).toBe(0);
  });

  it("follow the logarithm as matplotlib's LogNorm does with clip, from values above 0 only", () => {
    const values = [0.001, 0.01, 0.0123, 0.5, 1, 3.7, 99.9, 100, 2000, -1, 0].map(Math.fround);
    const range = { low: 0.01, high: 100, isLog: true };
    expect(values.map((value) => colourIndex(value, range))).toEqual([
      0, 0, 5, 108, 128, 164, 255, 255, 255, 0, 0,
    ]);
    const sorted = Float32Array.of(-3, 0, 0.5, 1, 10);
    const all = { by: "percentiles", low: 0, high: 100 } as const;
    expect(logRangeOf(all, { sorted })).toEqual({ low: 0.5, high: 10, isLog: true });
    expect(logRangeOf(all, { sorted: sorted.subarray(0, 2) })).toBeUndefined();
    expect(logRangeOf({ by: "hand", low: 0, high: 1 }, { sorted })).toBeUndefined();
    expect(ticksOf({ low: 0.02, high: 300, isLog: true })).toEqual([0.1, 1, 10, 100]);
    expect(ticksOf({ low: 1, high: 60, isLog: true })).toEqual([1, 2, 5, 10, 20, 50]);
  });

  it("are matplotlib's at even distances in steps", () => {
    const table = colourTable("viridis", 7);
    const values = [250.1, 273.15, 300, 310.7, 200, 400].map(Math.fround);
    const colours = values.map((value) => {
      const at = 3 * colourIndex(value, { low: 231.7, high: 312.3 }, 7);
      return [...table.subarray(at, at + 3)];
    });
    expect(colours).toEqual([
      [68, 57, 130],
      [32, 144, 140],
      [144, 214, 67],
      [253, 231, 36],
      [68, 1, 84],
      [253, 231, 36],
    ]);
  });

  it("turn at 0 if a table does and values lie on both sides, unless a range is given", () => {
    const values = { sorted: Float32Array.of(-2, 8) };
    const all = { by: "percentiles", low: 0, high: 100 } as const;
    expect(rangeOf(all, values, "cividis")).toEqual({ low: -2, high: 8 });
    expect(rangeOf(all, values, "RdBu")).toEqual({ low: -8, high: 8 });
    expect(rangeOf({ ...all, low: 50 }, values, "RdBu_r")).toEqual({ low: 3, high: 8 });
    expect(rangeOf({ by: "hand", low: -1, high: 8 }, values, "RdBu")).toMatchObject({ low: -1 });
    const none = { sorted: new Float32Array() };
    expect(rangeOf(all, none, "RdBu")).toBeUndefined();
  });

  it("have round numbers beside them", () => {
    expect(ticksOf({ low: 231.7, high: 312.3 })).toEqual([240, 260, 280, 300]);
    expect(ticksOf({ low: -1e-6, high: 1e-6 }).map((one) => numberText(one))).toEqual([
      "−1e−6",
      "−5e−7",
      "0",
      "5e−7",
      "1e−6",
    ]);
    expect([273.15, 1e20, 100000, 0.1 + 0.2, Number.NaN].map((one) => numberText(one))).toEqual([
      "273.15",
      "1e20",
      "100000",
      "0.3",
      "no value",
    ]);
  });

  it("leave a missing value transparent but for a hatch, and nothing outside all cells", () => {
    const cells = Int32Array.from({ length: 64 }, (_, i) => (i < 8 ? OUTSIDE : i < 16 ? 0 : 1));
    const pixels = paint(
      ...([cells, 8, Float32Array.of(1, Number.NaN), { low: 0, high: 1 }] as const),
      colourTable("viridis"),
    );
    const opacity = (row: number) =>
      [...pixels.slice(32 * row, 32 * row + 32)].filter((_, i) => i % 4 === 3);
    expect(opacity(0)).toEqual(Array(8).fill(0));
    expect(opacity(1)).toEqual(Array(8).fill(255));
    expect([...pixels.slice(32, 35)]).toEqual([253, 231, 36]);
    expect(opacity(2).filter((one) => one > 0)).toEqual([110]);
  });
});

describe("cells of rows and columns", () => {
  it("go round the world, from whatever longitude they begin", () => {
    for (const first of [0, -180, 1.25, 180, 350]) {
      const grid = regularGrid(steps(first, 2.5, 144), steps(90, -2.5, 73));
      expect(grid.extent).toMatchObject({ south: -90, north: 90 });
      expect(grid.extent.east - grid.extent.west).toBeCloseTo(360, 9);
      for (const longitude of [-180, -1.3, 0.1, 179.9, 359, 540.2]) {
        const [found] = grid.centre(cellAt(grid, longitude, 40.1));
        expect(Math.abs(view.usualLongitude(found - longitude))).toBeLessThanOrEqual(1.25);
      }
      expect(grid.centre(cellAt(grid, 0, 89.9))[1]).toBe(90);
      expect(cellAt(grid, 0, 90.1)).toBe(OUTSIDE);
    }
  });

  it("end halfway to their neighbours, of any spacing, descending, across the antimeridian", () => {
    const grid = regularGrid(Float64Array.of(170, 175, -178), Float64Array.of(20, 10, 4));
    expect(grid.extent).toEqual({ west: 167.5, east: 185.5, south: 1, north: 25 });
    expect([167.4, 172, 178.4, 178.6, -174.6, -174.4].map((x) => cellAt(grid, x, 24))).toEqual([
      OUTSIDE,
      0,
      1,
      2,
      2,
      OUTSIDE,
    ]);
    expect([25.1, 15.1, 14.9, 7.1, 6.9, 0.9].map((y) => cellAt(grid, 171, y))).toEqual([
      OUTSIDE,
      0,
      3,
      3,
      6,
      OUTSIDE,
    ]);
    // One longitude, as of a zonal mean, is all of them.
    const zonal = regularGrid(Float64Array.of(0), Float64Array.of(-45, 45));
    expect([-170, 0, 170].map((x) => cellAt(zonal, x, 50))).toEqual([1, 1, 1]);
  });

  it("lie as matplotlib has them in a matrix, and in a sampled field as in the file", () => {
    expect(cellAt(matrixGrid(3, 2), 2.9, 0.1)).toBe(2);
    expect(cellAt(matrixGrid(3, 2), 3.1, 0.1)).toBe(OUTSIDE);
    const sampled = {
      rows: 1,
      columns: 2,
      rowIndex: Uint32Array.of(1),
      columnIndex: Uint32Array.of(0, 2),
    };
    const places = { longitudes: steps(0, 1, 6), latitudes: steps(0, 2, 6) };
    const shape = { rows: 2, columns: 3, xDimension: "x", yDimension: "y" };
    const grid = makeGrid({ kind: "curvilinear", ...places, ...shape }, sampled);
    expect([grid.centre(0), grid.centre(1)]).toEqual([
      [3, 6],
      [5, 10],
    ]);
    expect(placeInFile(1, sampled)).toEqual({ row: 1, column: 2 });
  });
});

describe("cells at any positions", () => {
  const random = chance(SEED);
  const between = (low: number, high: number) => low + random() * (high - low);
  const vector = (lon: number, lat: number) => {
    const [a, b] = [(lon * Math.PI) / 180, (lat * Math.PI) / 180];
    return [Math.cos(b) * Math.cos(a), Math.cos(b) * Math.sin(a), Math.sin(b)] as const;
  };
  const far = (a: readonly number[], b: readonly number[]) =>
    Math.hypot(...a.map((one, i) => one - (b[i] ?? 0)));

  /** Turns a grid so that its pole lies somewhere else. */
  function rotated(columns: number, rows: number, step: number, pole: number, turn: number) {
    const longitudes = new Float64Array(columns * rows);
    const latitudes = new Float64Array(columns * rows);
    const tilt = ((90 - pole) * Math.PI) / 180;
    for (let i = 0; i < columns * rows; i++) {
      const at = [
        ((i % columns) - columns / 2) * step,
        (Math.floor(i / columns) - rows / 2) * step,
      ];
      const [x, y, z] = vector(at[0] ?? 0, at[1] ?? 0);
      const [u, w] = [
        x * Math.cos(tilt) - z * Math.sin(tilt),
        x * Math.sin(tilt) + z * Math.cos(tilt),
      ];
      longitudes[i] = (Math.atan2(y, u) * 180) / Math.PI + turn;
      latitudes[i] = (Math.asin(w) * 180) / Math.PI;
    }
    return [longitudes, latitudes] as const;
  }

  it.each([
    ["a rotated region", rotated(60, 50, 0.5, 39.25, 18)],
    ["one across the antimeridian, 0 to 360", rotated(60, 50, 0.5, 60, 180)],
    ["one with the pole in it", rotated(60, 60, 0.7, 2, -100)],
  ])(
    "are drawn by the nearest centre on the sphere, and nothing beyond the outermost: %s",
    (_, [lon, lat]) => {
      const rows = lon.length / 60;
      const grid = curvilinearGrid(lon, lat, rows, 60);
      const { west, east, south, north } = grid.extent;
      const centres = [...lon].map((one, i) => vector(one, lat[i] ?? 0));
      let inside = 0;
      for (let i = 0; i < 120; i++) {
        const [x, y] = [between(west - 2, east + 2), between(south - 2, Math.min(north + 2, 90))];
        const found = cellAt(grid, x, y);
        const here = vector(x, y);
        const nearest = Math.min(...centres.map((one) => far(one, here)));
        const degrees = (nearest * 180) / Math.PI;
        if (degrees < 0.35) expect(found, `${x} ${y}, SEED=${SEED}`).not.toBe(OUTSIDE);
        if (degrees > 0.7) expect(found, `${x} ${y}, SEED=${SEED}`).toBe(OUTSIDE);
        if (found === OUTSIDE) continue;
        inside += 1;
        expect(far(centres[found] ?? [], here), `${x} ${y}, SEED=${SEED}`).toBeCloseTo(nearest, 12);
      }
      expect(inside).toBeGreaterThan(10);
    },
  );

  it("fill the world without a hole in a mesh; stations are dots", () => {
    const count = 5000;
    const golden = 180 * (3 - Math.sqrt(5));
    const lon = Float64Array.from({ length: count }, (_, i) => (i * golden) % 360);
    const lat = Float64Array.from(
      lon,
      (_, i) => (Math.asin((2 * i + 1) / count - 1) * 180) / Math.PI,
    );
    const mesh = pointGrid(lon, lat);
    expect(mesh.extent).toMatchObject({ west: -180, east: 180 });
    const cells = mesh.cellsAt(steps(-179, 2, 180), steps(89, -2, 90), 0);
    expect(cells.indexOf(OUTSIDE)).toBe(-1);
    const centres = [...lon].map((one, i) => vector(one, lat[i] ?? 0));
    for (let i = 0; i < 80; i++) {
      const at = Math.floor(random() * cells.length);
      const here = vector(-179 + 2 * (at % 180), 89 - 2 * Math.floor(at / 180));
      const nearest = Math.min(...centres.map((one) => far(one, here)));
      expect(far(centres[cells[at] ?? 0] ?? [], here), `SEED=${SEED}`).toBeCloseTo(nearest, 12);
    }
    const stations = pointGrid(Float64Array.of(10, -175, Number.NaN), Float64Array.of(50, 0, 0));
    expect(cellAt(stations, 10.5, 50.2, 1)).toBe(0);
    expect(cellAt(stations, 185.5, 0.2, 1)).toBe(1);
    expect(cellAt(stations, 12, 50, 1)).toBe(OUTSIDE);
    expect(stations.extent.west).toBeLessThan(9);
    expect(stations.extent.east).toBeGreaterThan(186);
  });
});

describe("the view", () => {
  const extent = { west: -180, east: 180, south: -90, north: 90 };
  const frame = { width: 800, height: 400, stretch: 1, isRound: true, extent };

  it("shows all at first, and keeps the position under the pointer when it is zoomed", () => {
    const all = view.viewOfAll(frame);
    expect(all).toEqual({ x: 0, y: 0, span: 360 });
    const near = view.zoomed(all, frame, 4, 600, 100);
    const [x, y] = view.placeOf(600, 100, near, frame);
    expect([x, y]).toEqual([90, 45]);
    expect(view.zoomed(near, frame, 1e-9, 0, 0).span).toBe(360);
  });

  it("is continuous across the antimeridian, and does not leave the poles", () => {
    const pacific = view.within({ x: 179, y: 0, span: 40 }, frame);
    expect(view.pixelOf(-179, 0, pacific, frame)[0]).toBeCloseTo(440, 9);
    const beyond = view.pulled(pacific, frame, -100, 10_000);
    expect(beyond.x).toBeCloseTo(-176, 9);
    expect(view.placeOf(0, 0, beyond, frame)[1]).toBeCloseTo(90, 9);
  });

  it("gives a region its form on the ground", () => {
    const region = { west: 0, east: 20, south: 50, north: 70 };
    const stretch = view.stretchOf(region);
    expect(stretch).toBeCloseTo(2, 9);
    expect(view.heightFor(400, region, stretch, 2000)).toBe(800);
    const shown = { width: 400, height: 400, stretch, isRound: true, extent: region };
    expect(view.viewOfAll(shown)).toMatchObject({ x: 10, y: 60 });
    expect(view.viewOfAll(shown).span).toBeCloseTo(40, 9);
  });
});

it("outlines of the land are where the land is, whatever is in the middle", async () => {
  const land = await loadLand();
  for (const x of [0, 100, 180]) {
    const frame = {
      width: 720,
      height: 360,
      stretch: 1,
      isRound: true,
      extent: { west: -180, east: 180, south: -90, north: 90 },
    };
    const points: (readonly [number, number])[] = [];
    const longest = { step: 0 };
    const add = (px: number, py: number) => {
      const last = points.at(-1);
      const step = last === undefined ? 0 : Math.hypot(px - last[0], py - last[1]);
      // Antarctica alone goes along the whole lower edge.
      if (py < 330) longest.step = Math.max(longest.step, step);
      points.push([px, py]);
    };
    const context = {
      moveTo: (px: number, py: number) => points.push([px, py]),
      lineTo: add,
      closePath: () => {},
    };
    traceLand(land, context as unknown as CanvasRenderingContext2D, { x, y: 0, span: 360 }, frame);
    // The tip of South America, within a degree.
    const tip = view.pixelOf(-68.6, -55, { x, y: 0, span: 360 }, frame);
    const nearest = Math.min(...points.map(([px, py]) => Math.hypot(px - tip[0], py - tip[1])));
    expect(nearest).toBeLessThan(3);
    expect(longest.step).toBeLessThan(60);
  }
});

it("lines of code quote the texts of a file, and give the same digits", () => {
  const hostile = 'v"\n__import__("os").system("x")#';
  const time = {
    name: "t'ime",
    length: 2,
    kind: "time",
    title: "",
    labels: ["a\r\nb", "c"],
  } as const;
  const variable = {
    name: hostile,
    path: `g"/${hostile}`,
    type: "<f4",
    role: "data" as const,
    chunkBytes: 8,
    dimensions: ["t'ime", "x"],
    shape: [2, 2],
    chunks: [1, 2],
    attributes: new Map([["units", hostile]]),
  };
  const group = { name: "", path: "", attributes: new Map(), dimensions: [], groups: [] };
  const lines = xarrayLines({
    address: "https://data.example.org/x.zarr",
    header: { ...group, id: "x", variables: [variable] },
    slice: {
      variable,
      axes: [time],
      indexes: { "t'ime": 0 },
      drawn: undefined,
      geometry: { kind: "none", xDimension: "x", rows: 1, columns: 2 },
    },
    colours: "RdBu",
    range: { low: -0.1, high: 1e-7 },
  }).split("\n");
  expect(lines.filter((line) => line.startsWith("__import__") || line === "b")).toEqual([]);
  expect(lines).toContain(`    group=${JSON.stringify('g"')},`);
  expect(lines.find((line) => line.startsWith("field = "))).toBe(
    `field = dataset[${JSON.stringify(hostile)}].isel({"t'ime": 0})  # t'ime a b`,
  );
});
