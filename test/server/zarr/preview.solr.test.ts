/** Slices that the service makes are what xarray reads from the files themselves; who gets them, and what is refused. */
import { cp, rename, writeFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PREFIX } from "../../../generated/prefix.js";
import type { Problem } from "../../../generated/schemas.js";
import { datasetId } from "../../../src/files/zarr/address.js";
import { readNpy } from "../../../src/files/zarr/slice/npy.js";
import { packagePath } from "../../../src/platform/package-root.js";
import { engineOf, makeFiles, netcdfFilesBelow, STORES } from "../../files/zarr/files.js";
import { runPython } from "../../support/programs/python.js";
import { attempts, SEED } from "../../support/run/trials.js";
import { use } from "../../support/run/use.js";
import { emptyIndex, load, startService, type TestService } from "../../support/service/service.js";
import { addUser, signIn } from "../../support/service/sign-in.js";
import { person } from "../../support/service/user-data.js";

/** In short those that differ in how values lie, and are packed. */
const KINDS = attempts(
  ["netcdf3", "filters", "fills", "types", "stores"],
  ["netcdf3", "filters", "fills", "types", "stores", "awkward", "structure", "edges", "masks"],
);

let service: TestService;
const files = use(() => makeFiles(...KINDS, "slices"));
let token: string;
let owner: string;
const stores = [...STORES[2], ...STORES[3]];
const at = (name: string): string => files.path(name);

beforeAll(async () => {
  await cp(at("slices.nc"), at("own.nc"));
  await cp(at("slices.nc"), at("changing.nc"));
  await writeFile(at("data.grb"), Buffer.from("GRIB\0\0\0\u0002 and so on".padEnd(400, ".")));
  service = await startService({ dataRoots: [at("")] });
  await emptyIndex(service.solr);
  const { name: username } = await addUser(service.dataDir);
  owner = (await signIn(service, username)).access_token;
  token = (await person(service)).token;
  const paths = [
    ...netcdfFilesBelow(at("")).filter((path) => path !== at("own.nc")),
    ...[...stores, "gone.nc", "data.grb"].map(at),
    "/elsewhere/outside.nc",
  ];
  await load(service.solr, [
    ...paths.map((file) => ({ file })),
    { file: at("own.nc"), user: username },
  ]);
});
afterAll(() => service.close());

/** What xarray reads, and the service refuses, and why. */
const REFUSED: readonly RegExp[] = [
  // Values in other files may be outside the roots: they are left out.
  /^elsewhere\.nc (external|virtual) .*: 404/,
];

/** A slice of a file of this test, or of one anywhere. */
function preview(name: string, variable: string, query = "", as = token, headers = {}) {
  const id = datasetId(name.startsWith("/") ? name : at(name));
  return service.get(`/data-portal/preview/${id}.zarr/${variable}${query}`, {
    headers: { ...(as && { Authorization: `Bearer ${as}` }), ...headers },
  });
}

async function values(answer: Response): Promise<ReturnType<typeof readNpy>> {
  expect(answer.status).toBe(200);
  return readNpy(new Uint8Array(await answer.arrayBuffer()));
}

const problem = async (answer: Response): Promise<Problem> => (await answer.json()) as Problem;

/** Of two dimensions of 3000 and 1500 indexes. */
const WRONG_INDEXES =
  "5 5,6,7 ,0 0, a,b -3001,0 --1,0 -,0 1.5,0 1e1,0 0x1,0 ...,0 1:2:1,0 :,:,: 3000,0 0,1500 0:3001,: 2:2,: 3:1,: -1:-3,0 :-3000,0 99999999999999999999,0 0,999999999999999 +,0 %00,0";

describe("a slice", () => {
  it("has the values of xarray, of files and stores of all kinds, wherever it is and however sampled", async () => {
    const settings = {
      address: `${service.address}${PREFIX}/data-portal/preview`,
      token,
      seed: SEED,
      tries: attempts(4, 40),
      files: [
        ...netcdfFilesBelow(at(""))
          .filter((path) => !/(own|changing|slices)\.nc$/.test(path))
          .map((path) => ({ path, engine: engineOf(path) })),
        ...stores.map((name) => ({ path: at(name), engine: "zarr" })),
      ].map((file) => ({ ...file, id: datasetId(file.path) })),
    };
    const script = packagePath("test", "files", "zarr", "preview_values.py");
    const told = JSON.parse(await runPython([script, JSON.stringify(settings)])) as {
      compared: number;
      differences: string[];
    };
    expect(told.compared).toBeGreaterThan(300);
    expect(told.differences.filter((one) => !REFUSED.some((known) => known.test(one)))).toEqual([]);
  }, 300_000);

  it("has the last two dimensions by default, also for variables in groups", async () => {
    const { shape, values: list } = await values(await preview("slices.nc", "forecast/t2m"));
    expect(shape).toEqual([6, 8]);
    expect([...list]).toEqual(Array.from({ length: 48 }, (_, i) => (i === 7 ? Number.NaN : i / 2)));
    const one = await values(await preview("slices.nc", "forecast%2Ft2m", "?index=3,5,7"));
    expect([one.shape, [...one.values]]).toEqual([[], [95.5]]);
  });

  it("is never larger than a map, and as large as requested", async () => {
    expect((await values(await preview("slices.nc", "wide"))).shape).toEqual([1024, 1024]);
    const most = await preview("slices.nc", "wide", "?index=:,:&width=2048&height=2048");
    expect((await values(most)).shape).toEqual([2048, 1500]);
    const few = await values(await preview("slices.nc", "wide", "?index=10:13,:&width=3"));
    const expected = [10, 11, 12].flatMap((row) => [250, 750, 1250].map((x) => row * 1500 + x));
    expect([...few.values]).toEqual(expected);
  });

  it("counts negative indexes from the end, as NumPy does", async () => {
    const read = async (index: string) => {
      const { shape, values: list } = await values(
        await preview("slices.nc", "wide", `?index=${index}`),
      );
      return [shape, [...list]];
    };
    const last = 2999 * 1500;
    expect(await read("-1,-2")).toEqual([[], [last + 1498]]);
    expect(await read("-1,-3:-1")).toEqual([[2], [last + 1497, last + 1498]]);
    expect(await read("-3000,-2:")).toEqual([[2], [1498, 1499]]);
  });

  it("is refused with the name of the parameter that is wrong", async () => {
    const wrong: readonly (readonly [query: string, name: string])[] = [
      ...WRONG_INDEXES.split(" ").map(
        (index) => [`?index=${index.replace("+", "%2B")}`, "index"] as const,
      ),
      ["?index=", "index"],
      [`?index=${"0,".repeat(600)}0`, "index"],
      ["?index=0,0&index=1,1", "index"],
      ["?index=0,0&width=1", "width"],
      ["?index=0,:&height=1", "height"],
      ...["0", "-1", "x", "1.5", "1048577", "2049"].map((n) => [`?width=${n}`, "width"] as const),
      ...["0", "-1", "x", "2049", "1e3"].map((n) => [`?height=${n}`, "height"] as const),
      ["?depth=1", "depth"],
    ];
    for (const [query, name] of wrong) {
      const answer = await preview("slices.nc", "wide", query);
      const { errors } = await problem(answer);
      expect([query, answer.status, errors?.map((each) => each.name)]).toEqual([
        query,
        422,
        [name],
      ]);
    }
    const texts = await preview("slices.nc", "names");
    expect([texts.status, (await problem(texts)).errors?.[0]?.name]).toEqual([422, "variable"]);
  });

  it("has a tag by which it is not sent again, until the file changes", async () => {
    for (const [name, variable] of [
      ["changing.nc", "forecast/t2m"],
      ["plain2.zarr", "a"],
    ] as const) {
      const first = await preview(name, variable);
      const tag = first.headers.get("etag") ?? "";
      expect(tag).toMatch(/^"[\w-]{22}"$/);
      expect(first.headers.get("cache-control")).toBe("private, no-cache");
      const again = await preview(name, variable, "", token, { "If-None-Match": tag });
      expect([again.status, again.headers.get("etag")]).toEqual([304, tag]);
    }
    const tags = await Promise.all(
      ["", "?index=1,:,:", "?index=0,:,2", "?width=3"].map(
        async (query) =>
          (await preview("changing.nc", "forecast/t2m", query)).headers.get("etag") ?? "",
      ),
    );
    expect(new Set(tags).size).toBe(4);
    await cp(at("slices.nc"), at("new.nc"));
    await rename(at("new.nc"), at("changing.nc"));
    const headers = { "If-None-Match": tags[0] ?? "" };
    expect((await preview("changing.nc", "forecast/t2m", "", token, headers)).status).toBe(200);
  });

  it("is for those who may read the stream, and reveals as little to others", async () => {
    const status = async (...asked: Parameters<typeof preview>) => (await preview(...asked)).status;
    expect(await status("slices.nc", "wide", "", "")).toBe(401);
    expect(await status("slices.nc", "wide", "", "a.b.c")).toBe(401);
    expect(await status("own.nc", "wide", "?index=0,0")).toBe(403);
    expect(await status("own.nc", "nothing")).toBe(403);
    expect(await status("own.nc", "wide", "?index=0,0", owner)).toBe(200);
    expect(await status("/elsewhere/outside.nc", "wide")).toBe(403);
    expect(await status("unknown.nc", "wide")).toBe(404);
    expect(await status("gone.nc", "wide")).toBe(410);
    expect(await status("data.grb", "wide")).toBe(415);
    for (const name of [
      "nothing",
      "forecast",
      "forecast/",
      "forecast/t2m/0.0.0",
      ".zgroup",
      "%00",
    ]) {
      expect([name, await status("slices.nc", name)]).toEqual([name, 404]);
      expect([name, await status("v3.zarr", name)]).toEqual([name, 404]);
    }
  });

  it("is refused above ten thousand chunks, with a reason", async () => {
    const answer = await preview("slices.nc", "many");
    expect(answer.status).toBe(413);
    expect((await problem(answer)).detail).toContain("10001 chunks");
    const { values: list } = await values(await preview("slices.nc", "many", "?index=2:20002"));
    expect([list.length, list[0], list.at(-1)]).toEqual([20_000, 2, 20_001]);
    expect((await values(await preview("slices.nc", "many", "?width=5"))).shape).toEqual([5]);
  });
});
