/** Zarr v3 streams and references through the whole service: addresses, rights, caching, shares, clients. */
import { cp, mkdir, readFile, rename, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as zarr from "zarrita";
import { PREFIX } from "../../../generated/prefix.js";
import type { Problem, References, SharedZarr } from "../../../generated/schemas.js";
import { datasetId } from "../../../src/files/zarr/address.js";
import { packagePath } from "../../../src/platform/package-root.js";
import { runPython } from "../../support/programs/python.js";
import { freshFolder } from "../../support/run/folders.js";
import { SAMPLE_FILE, SAMPLE_FOLDER } from "../../support/service/sample.js";
import { fillIndex, startService, type TestService } from "../../support/service/service.js";
import { addUser, jsonRequest, signIn } from "../../support/service/sign-in.js";
import { person } from "../../support/service/user-data.js";

const LATER = join(SAMPLE_FOLDER, "tas_Amon_MPI-ESM1-2-LR_historical_r1i1p1f1_gn_199001-199412.nc");

let service: TestService;
const folder = freshFolder();
let token: string;
let other: string;
const at = (name: string): string => join(folder, "inside", name);

beforeAll(async () => {
  const dataDir = join(folder, "var");
  await mkdir(at("store.zarr/x"), { recursive: true });
  service = await startService({ dataDir, dataRoots: [at(""), packagePath("data", "files")] });
  const { name: owner } = await addUser(dataDir);
  token = (await signIn(service, owner)).access_token;
  other = (await person(service)).token;
  for (const name of ["own.nc", "short.nc", "changing.nc", 'odd {{u}} "é".json.nc']) {
    await cp(SAMPLE_FILE, at(name));
  }
  await truncate(at("short.nc"), 5000);
  await writeFile(at("store.zarr/.zgroup"), '{"zarr_format": 2}');
  await writeFile(at("store.zarr/.zattrs"), '{"none": NaN}');
  const array = {
    zarr_format: 2,
    shape: [4],
    chunks: [2],
    dtype: "<f8",
    fill_value: "NaN",
    order: "C",
    filters: null,
    compressor: null,
  };
  await writeFile(at("store.zarr/x/.zarray"), JSON.stringify(array));
  await writeFile(at("store.zarr/x/.zattrs"), '{"_ARRAY_DIMENSIONS": ["x"], "scale": 1.0}');
  await writeFile(at("store.zarr/x/0"), Buffer.from(Float64Array.of(1, 2).buffer));
  await fillIndex(service.solr, [
    { file: SAMPLE_FILE, project: ["CMIP6"], variable: ["tas"] },
    { file: at("own.nc"), user: owner },
    { file: at("short.nc") },
    { file: at("changing.nc") },
    { file: at('odd {{u}} "é".json.nc') },
    { file: at("store.zarr") },
    { file: at("gone.nc") },
  ]);
});
afterAll(() => service.close());

const store = (file: string): string => `/data-portal/zarr/${datasetId(file)}.zarr3`;
const get = (path: string, as = token, headers = {}, method = "GET"): Promise<Response> =>
  service.get(path, {
    method,
    headers: { ...(as && { Authorization: `Bearer ${as}` }), ...headers },
  });
const read = (file: string, key: string, as = token, headers = {}): Promise<Response> =>
  get(`${store(file)}/${key}`, as, headers);
const referenced = (file: string, query = "", as = token, headers = {}): Promise<Response> =>
  get(`/data-portal/references/${datasetId(file)}${query}`, as, headers);

interface Node {
  readonly node_type: string;
  readonly codecs?: unknown;
  readonly attributes: Record<string, unknown>;
  readonly consolidated_metadata?: { readonly metadata: Record<string, Node> };
}

describe("a zarr v3 stream", () => {
  it("is listed by load with zarr_format=3", async () => {
    for (const name of ["zarr_format", "zarr-format"]) {
      const found = await get(`/databrowser/load/cmip6?mip_era=CMIP6&${name}=3`);
      expect((await found.text()).trim()).toBe(`${service.address}${PREFIX}${store(SAMPLE_FILE)}`);
    }
    const catalogue = await get("/databrowser/load/cmip6/file/intake?mip_era=CMIP6&zarr_format=3");
    expect(await catalogue.text()).toContain(`${store(SAMPLE_FILE)}"`);
    expect((await get("/databrowser/load/cmip6?zarr_format=4")).status).toBe(422);
  });

  it("has consolidated metadata, with a tag that changes with the file alone", async () => {
    const answer = await read(SAMPLE_FILE, "zarr.json");
    expect(answer.status).toBe(200);
    expect(answer.headers.get("cache-control")).toBe("private, no-cache");
    const known = { "If-None-Match": answer.headers.get("etag") ?? "" };
    const root = (await answer.json()) as Node;
    const tas = root.consolidated_metadata?.metadata.tas;
    expect(tas?.codecs).toEqual([{ name: "bytes", configuration: { endian: "little" } }]);
    expect(await (await read(SAMPLE_FILE, "tas/zarr.json")).json()).toEqual(tas);
    expect((await read(SAMPLE_FILE, "zarr.json", token, known)).status).toBe(304);
  });

  it("has the chunks of zarr v2 under the same keys, with ranges and HEAD", async () => {
    const bytes = Buffer.from(await (await read(SAMPLE_FILE, "tas/0.0.0")).arrayBuffer());
    const version2 = await get(`${store(SAMPLE_FILE).replace(/3$/, "")}/tas/0.0.0`);
    expect(Buffer.from(await version2.arrayBuffer()).equals(bytes)).toBe(true);
    const part = await read(SAMPLE_FILE, "tas/0.0.0", token, { Range: "bytes=5-9" });
    expect(part.status).toBe(206);
    expect(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(5, 10))).toBe(true);
    const head = await get(`${store(SAMPLE_FILE)}/tas/0.0.0`, token, {}, "HEAD");
    expect(Number(head.headers.get("content-length"))).toBe(bytes.length);
    const page = await get(store(SAMPLE_FILE));
    expect(await page.text()).toContain(`${store(SAMPLE_FILE)}&quot;`);
  });

  it("is made for a store of zarr v2 as well, and a script gets standard JSON", async () => {
    const root = (await (await read(at("store.zarr"), "zarr.json")).json()) as Node;
    expect(root.attributes).toEqual({ none: "NaN" });
    expect(root.consolidated_metadata?.metadata.x).toMatchObject({
      node_type: "array",
      data_type: "float64",
      fill_value: "NaN",
      dimension_names: ["x"],
      attributes: { _FillValue: "AAAAAAAA+H8=", scale: 1 },
    });
    expect(await (await read(at("store.zarr"), "x/zarr.json")).text()).toContain('"scale":1.0');
    expect((await read(at("store.zarr"), "x/0")).status).toBe(200);
    expect((await read(at("store.zarr"), "x/1")).status).toBe(404);
    expect((await read(at("store.zarr"), "x/2")).status).toBe(400);
  });

  it.each([
    ["a document of v2", () => read(SAMPLE_FILE, ".zmetadata"), 404],
    ["a document of no array", () => read(SAMPLE_FILE, "nothing/zarr.json"), 404],
    ["a chunk key of another encoding", () => read(SAMPLE_FILE, "tas/c/0/0/0"), 400],
    ["a path through the store", () => read(SAMPLE_FILE, "..%2f..%2fetc%2fzarr.json"), 404],
    ["a path with a document's name", () => read(at("store.zarr"), "..%2fzarr.json"), 404],
    ["another version", () => get(`${store(SAMPLE_FILE).replace(/3$/, "4")}/zarr.json`), 404],
    ["two ends", () => get(`${store(SAMPLE_FILE)}.zarr/zarr.json`), 404],
    ["no token", () => read(SAMPLE_FILE, "zarr.json", ""), 401],
    ["another user's data", () => read(at("own.nc"), "zarr.json", other), 403],
    ["one's own data", () => read(at("own.nc"), "zarr.json"), 200],
    ["a file that is gone", () => read(at("gone.nc"), "zarr.json"), 410],
    ["a file that is cut off", () => read(at("short.nc"), "zarr.json"), 500],
  ])("answers for %s as it must (%#)", async (_, request, expected) => {
    const response = await request();
    await response.text();
    expect(response.status).toBe(expected);
  });

  it("is shared by its address, for its data alone", async () => {
    const shared = await service.get(
      "/data-portal/share-zarr",
      jsonRequest("POST", { url: `${service.address}${PREFIX}${store(at("own.nc"))}` }, token),
    );
    const { url } = (await shared.json()) as SharedZarr;
    expect(url).toMatch(/\.zarr3$/);
    expect((await fetch(`${url}/zarr.json`)).status).toBe(200);
    expect((await fetch(`${url.replace(/3$/, "")}/.zmetadata`)).status).toBe(200);
    const elsewhere = url.replace(datasetId(at("own.nc")), datasetId(SAMPLE_FILE));
    expect((await fetch(`${elsewhere}/zarr.json`)).status).toBe(401);
    expect((await fetch(`${url}.zarr/zarr.json`)).status).toBe(401);
  });

  it("opens in zarrita, and in xarray with the values of the file", async () => {
    const signed = (request: Request): Promise<Response> => {
      request.headers.set("Authorization", `Bearer ${token}`);
      return fetch(request);
    };
    const address = `${service.address}${PREFIX}${store(SAMPLE_FILE)}`;
    const plain = new zarr.FetchStore(address, { fetch: signed });
    const listed = await zarr.withConsolidatedMetadata(plain, { format: "v3" });
    const tas = await zarr.open.v3(zarr.root(listed).resolve("tas"), { kind: "array" });
    const [first] = (await zarr.get(tas, [0, 0, zarr.slice(1)])).data as Float32Array;
    const code = `
import sys, xarray as xr
address, token, path, refs = sys.argv[1:]
theirs = xr.open_dataset(path).load()
options = {"headers": {"Authorization": "Bearer " + token}}
ours = xr.open_zarr(address, zarr_format=3, storage_options=options).load()
xr.testing.assert_identical(ours, theirs)
xr.testing.assert_identical(xr.open_dataset(refs, engine="kerchunk", chunks={}).load(), theirs)
print(float(theirs.tas[0, 0, 0]))`;
    const refs = join(folder, "refs.json");
    await writeFile(refs, await (await referenced(SAMPLE_FILE)).text());
    expect(Number(await runPython(["-c", code, address, token, SAMPLE_FILE, refs]))).toBe(first);
  });

  it("follows a file that is replaced", async () => {
    const file = at("changing.nc");
    const before = (await read(file, "zarr.json")).headers.get("etag") ?? "";
    const references = (await referenced(file)).headers.get("etag") ?? "";
    await cp(LATER, `${file}.new`);
    await rename(`${file}.new`, file);
    const after = await read(file, "zarr.json", token, { "If-None-Match": before });
    expect(after.status).toBe(200);
    expect(after.headers.get("etag")).not.toBe(before);
    expect((await referenced(file, "", token, { "If-None-Match": references })).status).toBe(200);
  });
});

describe("references", () => {
  it("name the ranges of the file that the stream sends", async () => {
    for (const file of [SAMPLE_FILE, at('odd {{u}} "é".json.nc')]) {
      const answer = await referenced(file);
      expect(answer.status).toBe(200);
      expect(answer.headers.get("content-disposition")).toMatch(/^attachment; filename=".*\.json"/);
      const { version, refs } = (await answer.json()) as References;
      expect(version).toBe(1);
      const [path, offset, length] = refs["lat/0"] as [string, number, number];
      expect(path).toBe(file);
      const chunk = Buffer.from(await (await read(file, "lat/0")).arrayBuffer());
      const whole = await readFile(file);
      expect(whole.subarray(offset, offset + length).equals(chunk)).toBe(true);
      const known = { "If-None-Match": answer.headers.get("etag") ?? "" };
      expect((await referenced(file, "", token, known)).status).toBe(304);
      expect((await referenced(file, "/parquet", token, known)).status).toBe(200);
    }
  });

  it("are a zip archive of a folder as Parquet, whose name clients recognise", async () => {
    const answer = await referenced(at('odd {{u}} "é".json.nc'), "/parquet");
    expect(answer.headers.get("content-type")).toBe("application/zip");
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect(bytes.toString("latin1")).toMatch(/odd_+u_+json\.nc\.parq\/tas\/refs\.0\.parq/);
  });

  it.each([
    ["no token", () => referenced(SAMPLE_FILE, "", ""), 401],
    ["another user's data", () => referenced(at("own.nc"), "", other), 403],
    ["one's own data", () => referenced(at("own.nc")), 200],
    ["a zarr store", () => referenced(at("store.zarr")), 409],
    ["a file that is gone", () => referenced(at("gone.nc")), 410],
    ["a file that is cut off", () => referenced(at("short.nc")), 500],
    ["data that nobody indexed", () => referenced("/no/such.nc"), 404],
    ["an unknown form", () => referenced(SAMPLE_FILE, "/icechunk"), 404],
    ["as Parquet, another user's data", () => referenced(at("own.nc"), "/parquet", other), 403],
  ])("answer for %s as they must (%#)", async (_, request, expected) => {
    const response = await request();
    expect(response.status).toBe(expected);
    if (expected === 200) return void (await response.arrayBuffer());
    expect(((await response.json()) as Problem).status).toBe(expected);
  });
});
