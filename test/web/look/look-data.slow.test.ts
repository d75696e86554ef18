/** What the page's worker reads of data sets, in a real browser from the service, equals what xarray reads of the files. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { datasetId } from "../../../src/files/zarr/address.js";
import { packagePath } from "../../../src/platform/package-root.js";
import { percentileOf } from "../../../web/src/look/data/percentiles.js";
import { useLookFiles } from "../../support/page/look-files.js";
import { type OpenPage, useBrowsing } from "../../support/page/page.js";
import { runPython } from "../../support/programs/python.js";
import { SEED } from "../../support/run/trials.js";

interface Expected {
  readonly file: string;
  readonly variable: string;
  readonly kind: string;
  readonly drawn: readonly string[];
  readonly units: string;
  readonly longitudes: string;
  readonly latitudes: string;
  readonly dates: readonly string[];
  readonly fields: readonly {
    readonly indexes: Readonly<Record<string, number>>;
    readonly values: string;
    readonly shape: readonly number[];
    readonly percentiles: readonly number[];
  }[];
  readonly series: { readonly indexes: Readonly<Record<string, number>>; readonly values: string };
}

const doubles = (base64: string): Float64Array => {
  const bytes = Uint8Array.from(Buffer.from(base64, "base64"));
  return new Float64Array(bytes.buffer);
};
const singles = (base64: string): Float32Array => {
  const bytes = Uint8Array.from(Buffer.from(base64, "base64"));
  return new Float32Array(bytes.buffer);
};

/** Whether all are the same within single precision, NaN where the other is. */
function differences(found: readonly (number | null)[], expected: ArrayLike<number>): string[] {
  if (found.length !== expected.length) return [`${found.length} of ${expected.length} values`];
  const wrong = found.flatMap((value, i) => {
    const wanted = expected[i] ?? 0;
    const same =
      value === null ? Number.isNaN(wanted) : Math.abs(value - wanted) <= 4e-7 * Math.abs(wanted);
    return same ? [] : [`${i}: ${value} for ${wanted}`];
  });
  return wrong.slice(0, 3);
}

const { files, service, user } = useLookFiles();
let expected: readonly Expected[];
let opened: OpenPage;
beforeAll(async () => {
  expected = JSON.parse(
    await runPython([
      packagePath("test", "web", "look", "look_values.py"),
      files.folder,
      String(SEED),
    ]),
  );
});
useBrowsing(service, async ({ openPage }) => {
  opened = await openPage("");
  await prepare(opened.page);
});

afterAll(() => opened?.close());

/** Puts the page's own way to data sets on the page, without the view around it. */
async function prepare(page: Page): Promise<void> {
  // The worker among others of its name, by what it asks for.
  const assets = packagePath("dist", "page", "assets");
  const worker = readdirSync(assets).find(
    (name) =>
      /^worker-\w+\.js$/.test(name) &&
      readFileSync(join(assets, name), "utf8").includes("data-portal/preview/"),
  );
  const { outputFiles } = await build({
    entryPoints: [packagePath("web", "src", "look", "dataset", "dataset.ts")],
    bundle: true,
    format: "esm",
    write: false,
    target: "es2022",
    define: { WORKER_FILES: JSON.stringify({ look: worker }) },
  });
  const [script] = outputFiles;
  await page.route("**/assets/dataset-of-the-test.js", (route) =>
    route.fulfill({ contentType: "text/javascript", body: script?.text ?? "" }),
  );
  const address = `${service.address}/assets/dataset-of-the-test.js`;
  await page.evaluate(`import("${address}").then((all) => Object.assign(globalThis, all))`);
}

/** Does something with a data set on the page; what is typed comes back as a list, whose NaN are null. */
async function look<T>(file: string, ask: string, parameters: unknown): Promise<T> {
  const answer = await opened.page.evaluate(`(async () => {
    const data = await openDataset(${JSON.stringify(datasetId(files.path(file)))}, undefined, async () => "${user.token}");
    const answer = await (${ask})(data, ${JSON.stringify(parameters)});
    data.close();
    return JSON.stringify(answer, (_, value) => {
      if (value instanceof Map) return Object.fromEntries(value);
      return ArrayBuffer.isView(value) ? Array.from(value) : value;
    });
  })()`);
  return JSON.parse(String(answer)) as T;
}

type Lists<T> = {
  [K in keyof T]: T[K] extends Float32Array | Float64Array | Uint32Array | undefined
    ? (number | null)[]
    : T[K];
};

describe("a first look", () => {
  it("has the fields, axes, positions and series that xarray has, for ten kinds of data", async () => {
    for (const {
      file,
      variable,
      kind,
      drawn,
      units,
      dates,
      fields,
      series,
      ...places
    } of expected) {
      type Found = {
        geometry: {
          kind: string;
          longitudes: (number | null)[];
          latitudes: (number | null)[];
          xDimension?: string;
          yDimension?: string;
          dimension?: string;
        };
        axes: { name: string; kind: string; labels: string[] }[];
        fields: (Lists<{ values: Float32Array; rowIndex?: Uint32Array }> & {
          rows: number;
          columns: number;
          sorted: number[];
          units: string;
          source: string;
        })[];
        series: Lists<{ values: Float32Array }> & { labels: string[] };
      };
      const found = await look<Found>(
        file,
        `async (data, { variable, fields, series }) => ({
          geometry: await data.geometry(variable),
          axes: await data.axes(variable),
          fields: await fields.reduce(async (before, { indexes }) => {
            const list = await before;
            const field = await data.field(variable, indexes);
            return [...list, field];
          }, Promise.resolve([])),
          series: await data.series(variable, series.indexes, (await data.axes(variable)).find(({ kind }) => kind === "time").name),
        })`,
        { variable, fields: fields.map(({ indexes }) => ({ indexes })), series },
      );
      const { geometry } = found;
      expect([file, geometry.kind]).toEqual([file, kind]);
      const dimensions = [geometry.yDimension, geometry.xDimension ?? geometry.dimension];
      expect([file, dimensions.flatMap((name) => name ?? [])]).toEqual([file, drawn]);
      const exact = (list: readonly (number | null)[], base64: string) =>
        list.length === doubles(base64).length &&
        list.every((value, i) => Math.abs((value ?? 0) - (doubles(base64)[i] ?? 0)) < 1e-9);
      expect([file, exact(geometry.longitudes, places.longitudes)]).toEqual([file, true]);
      expect([file, exact(geometry.latitudes, places.latitudes)]).toEqual([file, true]);
      const time = found.axes.find((axis) => axis.kind === "time");
      expect([file, time?.labels]).toEqual([file, dates]);
      for (const [i, field] of found.fields.entries()) {
        const { values, shape, percentiles } = fields[i] ?? {
          values: "",
          shape: [],
          percentiles: [],
        };
        const told = { rows: shape.length < 2 ? 1 : shape[0], columns: shape.at(-1), units };
        expect({ file, ...told }).toEqual({
          file,
          rows: field.rows,
          columns: field.columns,
          units: field.units,
        });
        expect([file, differences(field.values, singles(values))]).toEqual([file, []]);
        const sorted = Float32Array.from(field.sorted);
        const found = [0, 2, 50, 98, 100].map((p) => percentileOf(sorted, p));
        expect([file, differences(found, percentiles)]).toEqual([file, []]);
        expect([file, field.source]).toEqual([
          file,
          file === "big_chunks.nc" ? "preview" : "chunks",
        ]);
      }
      expect([file, differences(found.series.values, singles(series.values))]).toEqual([file, []]);
      expect([file, found.series.labels]).toEqual([file, dates]);
    }
  });

  it("ends a slice that another one overtakes, or that is cancelled", async () => {
    const asked: string[] = [];
    opened.page.on("request", (request) => asked.push(request.url()));
    const told = await look<string[]>(
      "regular.nc",
      `async (data) => {
        const stop = new AbortController();
        const series = data.series("tas", { lat: 90, lon: 5 }, "time", stop.signal);
        stop.abort();
        const fields = [0, 1, 2, 3, 4, 5, 6].map((time) => data.field("tas", { time }));
        const all = await Promise.allSettled([series, ...fields]);
        return all.map(({ status, reason }) => status === "fulfilled" ? status : reason.name);
      }`,
      {},
    );
    expect(told).toEqual([...Array(7).fill("AbortError"), "fulfilled"]);
    // What it still holds is asked for once.
    asked.length = 0;
    await look(
      "regular.nc",
      `async (data) => { for (let i = 0; i < 5; i++) await data.field("tas", { time: 3 }); return true; }`,
      {},
    );
    expect(asked.filter((address) => address.includes("/tas/"))).toHaveLength(1);
    expect(asked.filter((address) => address.includes(user.token))).toEqual([]);
  });

  it("explains what cannot be shown", async () => {
    const failing = (ask: string): Promise<unknown> =>
      look(
        "regular.nc",
        `async (data) => (${ask}).then(() => "no error", ({ name, constructor, message, status }) => ({ is: name === "Error" ? constructor.name : name, message, status }))`,
        {},
      );
    expect(await failing(`data.field("nothing", {})`)).toMatchObject({
      is: "UnreadableData",
      message: "There is no variable nothing in these data.",
    });
    expect(await failing(`data.field("tas", { time: 12 })`)).toMatchObject({
      is: "UnreadableData",
    });
    expect(
      await failing(`openDataset("unknown", undefined, async () => "${user.token}")`),
    ).toMatchObject({
      status: 404,
    });
    expect(await failing(`openDataset("unknown", undefined, async () => undefined)`)).toMatchObject(
      { status: 401 },
    );
  });
});
