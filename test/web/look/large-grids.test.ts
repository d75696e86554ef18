/** The first look reads grids so large that the service samples their coordinates; no browser is needed. */
import { describe, expect, it } from "vitest";
import { elementCount } from "../../../src/files/netcdf/shape.js";
import { makeNpy } from "../../../src/files/zarr/slice/npy.js";
import { indexesOf, sampledRange } from "../../../src/files/zarr/slice/selection.js";
import { DataSet } from "../../../web/src/look/data/data-set.js";
import { Transport } from "../../../web/src/look/data/transport.js";
import { makeGrid, placeInFile } from "../../../web/src/look/draw/make-grid.js";

interface Stored {
  readonly shape: readonly number[];
  readonly chunks: readonly number[];
  readonly type: string;
  readonly dimensions: readonly string[];
  readonly attributes?: Readonly<Record<string, string>>;
  readonly valueAt: (row: number, column: number) => number;
}

/** A store whose arrays are sampled over their last two dimensions as the service does it. None of its chunks is written. */
class SampledStore extends Transport {
  readonly #arrays: Readonly<Record<string, Stored>>;

  constructor(arrays: Readonly<Record<string, Stored>>) {
    super("");
    this.#arrays = arrays;
  }

  override async bytes(path: string): Promise<Uint8Array | undefined> {
    if (path.endsWith(".zmetadata")) return new TextEncoder().encode(this.#metadata());
    const [, name = "", query = ""] =
      /^data-portal\/preview\/\w+\.zarr\/(\w+)\?(.*)$/.exec(path) ?? [];
    const array = this.#arrays[name];
    if (array === undefined) return undefined;
    const sizes = new URLSearchParams(query);
    const [height = 1, width = 1] = array.shape.slice(-2);
    const rows = indexesOf(sampledRange(0, height, Number(sizes.get("height") ?? 1)));
    const columns = indexesOf(sampledRange(0, width, Number(sizes.get("width"))));
    const { bytes, values } = makeNpy([rows.length, columns.length]);
    let at = 0;
    for (const row of rows) for (const column of columns) values[at++] = array.valueAt(row, column);
    return bytes;
  }

  #metadata(): string {
    const documents = Object.entries(this.#arrays).flatMap(([name, one]) => {
      const { shape, chunks, type, dimensions, attributes } = one;
      const array = { zarr_format: 2, shape, chunks, dtype: type, order: "C", fill_value: 0 };
      return [
        [`${name}/.zarray`, { ...array, compressor: null, filters: null }],
        [`${name}/.zattrs`, { ...attributes, _ARRAY_DIMENSIONS: dimensions }],
      ];
    });
    const metadata = { ".zgroup": { zarr_format: 2 }, ...Object.fromEntries(documents) };
    return JSON.stringify({ zarr_consolidated_format: 1, metadata });
  }
}

describe("a curvilinear grid whose coordinates are sampled", () => {
  it.each([
    ["large chunks", [3059, 4322], [3059, 4322], "<f8", "<f8"],
    ["chunks small enough to be read", [1500, 1500], [375, 750], "<f8", "<f8"],
    ["one coordinate small enough to be read", [1500, 1500], [375, 750], "<f8", "<f4"],
    ["fewer rows than samples", [700, 4000], [700, 4000], "<f8", "<f8"],
  ] as const)(
    "has each value at its own place: %s",
    async (_, shape, chunks, ofLatitude, ofLongitude) => {
      const [rows, columns] = shape;
      const latitudeOf = (row: number): number => -80 + (160 * row) / rows;
      const longitudeOf = (column: number): number => (300 * column) / columns;
      const place = { shape, chunks, dimensions: ["j", "i"] };
      const data = await DataSet.open(
        "large",
        new SampledStore({
          lat: {
            ...place,
            type: ofLatitude,
            attributes: { standard_name: "latitude", units: "degrees_north" },
            valueAt: latitudeOf,
          },
          lon: {
            ...place,
            type: ofLongitude,
            attributes: { standard_name: "longitude", units: "degrees_east" },
            valueAt: (_row, column) => longitudeOf(column),
          },
          tos: {
            type: "<f4",
            shape: [2, ...shape],
            chunks: [1, ...chunks],
            dimensions: ["time", "j", "i"],
            attributes: { coordinates: "lat lon" },
            valueAt: (row, column) => row * columns + column,
          },
        }),
      );
      const geometry = await data.geometry("tos");
      const fields = [
        await data.field("tos", {}, {}),
        await data.field("tos", {}, { size: 2048 }),
        await data.field("tos", {}, { mean: "time" }).catch(() => undefined),
      ];
      for (const field of fields.filter((one) => one !== undefined)) {
        expect(geometry).toMatchObject({
          kind: "curvilinear",
          rows: field.rows,
          columns: field.columns,
        });
        expect(field.values).toHaveLength(elementCount([field.rows, field.columns]));
        const grid = makeGrid(geometry, field);
        for (let cell = 0; cell < field.values.length; cell += 9973) {
          const { row, column } = placeInFile(cell, field);
          expect(field.values[cell]).toBe(row * columns + column);
          const [x, y] = grid.centre(cell);
          expect(x).toBeCloseTo(longitudeOf(column), 3);
          expect(y).toBeCloseTo(latitudeOf(row), 3);
        }
      }
    },
  );
});

it("an unstructured grid has the count of its own cells, however many places are sampled", async () => {
  const shape = [3_000_000];
  const place = { shape, chunks: shape, dimensions: ["cell"], type: "<f8", valueAt: () => 0 };
  const data = await DataSet.open(
    "large",
    new SampledStore({
      lat: { ...place, attributes: { standard_name: "latitude", units: "degrees_north" } },
      lon: { ...place, attributes: { standard_name: "longitude", units: "degrees_east" } },
      ua: { ...place, attributes: { coordinates: "lat lon" } },
    }),
  );
  expect(await data.geometry("ua")).toMatchObject({ kind: "points", count: 3_000_000 });
});
