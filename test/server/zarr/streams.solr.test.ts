/** Zarr streams through the whole service: addresses, access, reading, sharing. */
import { cp, mkdir, rename, symlink, truncate, writeFile } from "node:fs/promises";
import { get, type IncomingMessage } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as zarr from "zarrita";
import { PREFIX } from "../../../generated/prefix.js";
import {
  IntakeCatalogue,
  LoadedFiles,
  type Problem,
  type SharedZarr,
} from "../../../generated/schemas.js";
import { datasetId } from "../../../src/files/zarr/address.js";
import { packagePath } from "../../../src/platform/package-root.js";
import { runPython } from "../../support/programs/python.js";
import { freshFolder } from "../../support/run/folders.js";
import { TestClock } from "../../support/run/test-clock.js";
import { SAMPLE_FILE } from "../../support/service/sample.js";
import {
  fillIndex,
  postToSolr,
  startService,
  type TestDocument,
  type TestService,
} from "../../support/service/service.js";
import { addUser, bearer, jsonRequest, signIn } from "../../support/service/sign-in.js";
import { person } from "../../support/service/user-data.js";

/** Of test/files/netcdf/files/make.py. */
const DAMAGED = ["chunked-content.nc", "old-tree-kind.nc", "old-space-rank.nc"];
let service: TestService;
const folder = freshFolder();
let dataDir: string;
let token: string;
let other: string;
let owner: string;
const clock = new TestClock();
const at = (name: string): string => join(folder, name);

beforeAll(async () => {
  dataDir = join(folder, "var");
  const inside = join(folder, "inside");
  service = await startService({
    dataDir,
    dataRoots: [inside, packagePath("data", "files")],
    clock: clock.now,
  });
  const { name: username } = await addUser(dataDir);
  owner = username;
  token = (await signIn(service, username)).access_token;
  other = (await person(service)).token;
  await cp(SAMPLE_FILE, at("inside/public.nc"), { recursive: true });
  for (const name of ["own.nc", "short.nc", "changing.nc"])
    await cp(SAMPLE_FILE, at(`inside/${name}`));
  await cp(SAMPLE_FILE, at("outside.nc"));
  await symlink(at("outside.nc"), at("inside/link.nc"));
  await truncate(at("inside/short.nc"), 5000);
  for (const name of DAMAGED) {
    await cp(packagePath("test", "files", "netcdf", "files", name), at(`inside/${name}`));
  }
  await writeFile(
    at("inside/data.grb"),
    Buffer.from("GRIB\0\0\0\u0002 and so on".padEnd(400, ".")),
  );
  await mkdir(at("inside/store.zarr"));
  await writeFile(at("inside/store.zarr/.zgroup"), '{"zarr_format": 2}');
  await writeFile(at("inside/store.zarr/.zattrs"), '{"none": NaN, "all": "NaN"}');
  const documents: TestDocument[] = [
    { file: at("inside/store.zarr") },
    { file: at("inside/public.nc"), uri: `file://${at("inside/public.nc")}`, variable: ["tas"] },
    { file: at("inside/own.nc"), user: owner },
    { file: at("inside/short.nc") },
    ...DAMAGED.map((name) => ({ file: at(`inside/${name}`) })),
    { file: at("inside/changing.nc") },
    { file: at("inside/gone.nc") },
    { file: at("inside/data.grb"), format: "grb" },
    { file: at("inside/link.nc") },
    { file: at("outside.nc") },
    { file: `${folder}/inside/../outside.nc` },
    { file: at("nowhere/at-all.nc") },
    { file: "https://example.org/far.nc" },
    { file: SAMPLE_FILE, project: ["CMIP6"], variable: ["tas"] },
  ];
  await fillIndex(service.solr, documents);
});
afterAll(() => service.close());

const store = (file: string): string => `/data-portal/zarr/${datasetId(file)}.zarr`;
const read = (file: string, key: string, as = token, headers = {}): Promise<Response> =>
  service.get(`${store(file)}/${key}`, {
    headers: { ...(as && { Authorization: `Bearer ${as}` }), ...headers },
  });
const json = async <T>(response: Response): Promise<T> => (await response.json()) as T;

describe("an identifier", () => {
  it("is a UUID of version 8, and always the same", () => {
    expect(datasetId("/a.nc")).toMatch(
      /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
    expect(datasetId("/a.nc")).toBe(datasetId("/a.nc"));
    expect(datasetId("/ä 日本.nc")).not.toBe(datasetId("/a.nc"));
  });

  it("leads back to documents with any characters, also those that a crawler posted", async () => {
    const files = [
      '/odd/ä 日本 "x"\\*?.nc',
      "/odd/\u{1F4A5}.nc",
      "relative.nc",
      "https://x.example/a?b=c",
    ];
    await postToSolr(
      service.solr,
      files.map((file) => ({ file, user: "nobody" })),
    );
    for (const file of files) {
      // Found, and then refused as another user's.
      expect((await read(file, ".zmetadata")).status, file).toBe(403);
    }
  });
});

describe("load", () => {
  it("lists as JSON the files that can be read here, and the reasons of the others, in the same order", async () => {
    const asJson = (query: string, as = token) =>
      service.get(`/databrowser/load/${query}`, {
        headers: { ...bearer(as).headers, Accept: "application/json" },
      });
    const response = await asJson("native/file");
    expect(response.headers.get("vary")).toMatch(/\bAccept\b/);
    const { files } = LoadedFiles.parse(await response.json());
    const listed = await (await service.get("/databrowser/data-search/native/file")).text();
    expect(files.map(({ file }) => file)).toEqual(listed.trimEnd().split("\n"));
    const outside = expect.stringContaining("DATA_ROOTS");
    const missing = "The file is not there.";
    expect(Object.fromEntries(files.map(({ file, reason }) => [file, reason]))).toEqual({
      [at("inside/store.zarr")]: null,
      [at("inside/public.nc")]: null,
      [at("inside/short.nc")]: null,
      [at("inside/changing.nc")]: null,
      [SAMPLE_FILE]: null,
      // Whether a file is damaged is known when it is opened.
      ...Object.fromEntries(
        ["chunked-content", "old-space-rank", "old-tree-kind"].map((one) => [
          at(`inside/${one}.nc`),
          null,
        ]),
      ),
      [at("inside/gone.nc")]: missing,
      [at("inside/data.grb")]: "The service streams NetCDF and zarr, not grb.",
      [at("inside/link.nc")]: outside,
      [at("outside.nc")]: outside,
      [`${folder}/inside/../outside.nc`]: outside,
      [at("nowhere/at-all.nc")]: outside,
      "https://example.org/far.nc": "These data are not on a disk of this service.",
    });
    for (const { file, address, readable, reason } of files) {
      expect(address).toBe(`${service.address}${PREFIX}${store(file)}`);
      expect(readable, file).toBe(reason === null);
      if (readable) continue;
      // What is said to be unreadable is refused.
      expect((await read(file, ".zmetadata")).status, file).toBeGreaterThanOrEqual(400);
    }
    expect(
      await (await service.get("/databrowser/load/native/file/json", bearer(token))).json(),
    ).toEqual({ files });
    const own = LoadedFiles.parse(await (await asJson("user/file")).json()).files;
    expect(own.find(({ file }) => file === at("inside/own.nc"))?.readable).toBe(true);
    const others = LoadedFiles.parse(await (await asJson("user/file", other)).json()).files;
    expect(others.find(({ file }) => file === at("inside/own.nc"))?.reason).toMatch(/another user/);
    const whole = LoadedFiles.parse(
      await (await asJson("native/file?location=https&format=grb")).json(),
    );
    expect(whole.files).toMatchObject([{ file: at("inside/data.grb"), readable: true }]);
    expect((await asJson("native/file?variable=none")).status).toBe(400);
  });

  it("lists the address of each result, in the order of a list", async () => {
    for (const path of ["native", "native/file"]) {
      const response = await service.get(`/databrowser/load/${path}`, {
        headers: { ...bearer(token).headers, "Content-Type": "application/json" },
      });
      expect(response.status).toBe(200);
      expect(response.headers.get("content-type")).toMatch(/^text\/plain/);
      const listed = await (await service.get("/databrowser/data-search/native/file")).text();
      const expected = listed
        .trimEnd()
        .split("\n")
        .map((file) => `${service.address}${PREFIX}${store(file)}`);
      expect((await response.text()).trimEnd().split("\n")).toEqual(expected);
    }
  });

  it("accepts start, filters and the key of a list", async () => {
    const lines = async (path: string) =>
      (await (await service.get(path, bearer(token))).text()).trimEnd().split("\n");
    expect(await lines("/databrowser/load/native?start=9")).toHaveLength(3 + DAMAGED.length);
    expect(await lines("/databrowser/load/native/uri")).toEqual([
      `${service.address}${PREFIX}${store(at("inside/public.nc"))}`,
    ]);
    expect(await lines("/databrowser/load/cmip6?mip_era=CMIP6")).toHaveLength(1);
  });

  it("makes an intake-esm catalogue of the addresses", async () => {
    const response = await service.get(
      "/databrowser/load/cmip6?catalogue-type=intake&mip_era=CMIP6",
      bearer(token),
    );
    const catalogue = IntakeCatalogue.parse(await response.json());
    expect(catalogue.catalog_dict).toHaveLength(1);
    expect(catalogue.catalog_dict[0]).toMatchObject({
      file: `${service.address}${PREFIX}${store(SAMPLE_FILE)}`,
      data_format: "zarr",
    });
  });

  it.each([
    ["native", "", 401],
    ["native?variable=none", "token", 400],
    ["native?start=1000", "token", 400],
    ["native?modle=x", "token", 422],
    ["native?catalogue-type=stac", "token", 422],
    ["cmip8", "token", 422],
    ["native/path", "token", 422],
  ])("answers for %s with %j %d", async (path, as, expected) => {
    const response = await service.get(`/databrowser/load/${path}`, as ? bearer(token) : {});
    expect(response.status).toBe(expected);
    await response.text();
  });
});

describe("reading", () => {
  it("gives metadata and chunks, with tags, lengths and caching", async () => {
    const file = at("inside/public.nc");
    const metadata = await read(file, ".zmetadata");
    expect(metadata.status).toBe(200);
    expect(metadata.headers.get("content-type")).toBe("application/json");
    const { metadata: keys } = await json<{ metadata: Record<string, unknown> }>(metadata);
    expect(Object.keys(keys)).toContain("tas/.zarray");
    const chunk = await read(file, "tas/0.0.0");
    expect(chunk.status).toBe(200);
    const bytes = Buffer.from(await chunk.arrayBuffer());
    expect(Number(chunk.headers.get("content-length"))).toBe(bytes.length);
    expect(chunk.headers.get("cache-control")).toMatch(/private.*max-age=86400/);
    expect(chunk.headers.get("content-encoding")).toBeNull();
    const etag = chunk.headers.get("etag") ?? "";
    expect(etag).toMatch(/^"[\w-]+"$/);
    const again = await read(file, "tas/0.0.0", token, { "If-None-Match": etag });
    expect(again.status).toBe(304);
    const head = await service.get(`${store(file)}/tas/0.0.0`, {
      method: "HEAD",
      ...bearer(token),
    });
    expect(Number(head.headers.get("content-length"))).toBe(bytes.length);
    for (const [range, expected] of [
      ["bytes=0-9", bytes.subarray(0, 10)],
      ["bytes=10-", bytes.subarray(10)],
      ["bytes=-7", bytes.subarray(-7)],
      ["bytes=5-999999999", bytes.subarray(5)],
    ] as const) {
      const part = await read(file, "tas/0.0.0", token, { Range: range });
      expect(part.status, range).toBe(206);
      expect(Buffer.from(await part.arrayBuffer()).equals(expected), range).toBe(true);
    }
    const beyond = await read(file, "tas/0.0.0", token, { Range: "bytes=999999999-" });
    expect(beyond.status).toBe(416);
    expect(beyond.headers.get("content-range")).toBe(`bytes */${bytes.length}`);
    const long = "9".repeat(400);
    const after = await read(file, "tas/0.0.0", token, { Range: `bytes=${long}-${long}9` });
    expect(after.status).toBe(416);
    const backwards = await read(file, "tas/0.0.0", token, { Range: `bytes=${long}9-${long}` });
    expect(backwards.status).toBe(200);
    expect(Buffer.from(await backwards.arrayBuffer()).equals(bytes)).toBe(true);
    const stale = await read(file, "tas/0.0.0", token, { Range: "bytes=0-9", "If-Range": '"x"' });
    expect(stale.status).toBe(200);
    await stale.arrayBuffer();
  });

  it("gives a script standard JSON, and others NaN as Python writes it", async () => {
    const file = at("inside/store.zarr");
    const asked = { hostname: "127.0.0.1", path: `${PREFIX}${store(file)}/.zattrs` };
    const { port } = new URL(service.address);
    const headers = { Authorization: `Bearer ${token}` };
    const other = await new Promise<IncomingMessage>((resolve, reject) => {
      get({ ...asked, port, headers }, resolve).on("error", reject);
    });
    expect(await text(other)).toBe('{"none": NaN, "all": "NaN"}');
    const script = await read(file, ".zattrs");
    expect(script.headers.get("vary")).toMatch(/Sec-Fetch-Mode/);
    expect(await script.json()).toEqual({ none: "NaN", all: "NaN" });
    const tag = script.headers.get("etag") ?? "";
    expect(tag).not.toBe(other.headers.etag);
    for (const [known, status] of [
      [tag, 304],
      [other.headers.etag ?? "", 200],
    ] as const) {
      const again = await read(file, ".zattrs", token, { "If-None-Match": known });
      expect(again.status).toBe(status);
    }
  });

  it("makes the metadata that a store lacks, with a tag and a length", async () => {
    const file = at("inside/store.zarr");
    const made = await read(file, ".zmetadata");
    expect(made.status).toBe(200);
    const body = await made.clone().text();
    expect(Number(made.headers.get("content-length"))).toBe(Buffer.byteLength(body));
    const { metadata } = await json<{ metadata: object }>(made);
    expect(metadata).toEqual({
      ".zgroup": { zarr_format: 2 },
      ".zattrs": { none: "NaN", all: "NaN" },
    });
    const known = { "If-None-Match": made.headers.get("etag") ?? "" };
    expect((await read(file, ".zmetadata", token, known)).status).toBe(304);
    await writeFile(at("inside/store.zarr/.zattrs"), '{"none": NaN, "all": "NaN", "more": 1}');
    expect((await read(file, ".zmetadata", token, known)).status).toBe(200);
  });

  it.each([
    ["no token", () => read(at("inside/public.nc"), ".zmetadata", ""), 401],
    ["a token that is not valid", () => read(at("inside/public.nc"), ".zmetadata", "x.y.z"), 401],
    ["no token, for data that do not exist", () => read("/no/such.nc", ".zmetadata", ""), 401],
    ["data that nobody indexed", () => read("/no/such.nc", ".zmetadata"), 404],
    ["no identifier", () => service.get("/data-portal/zarr/x.zarr/.zmetadata", bearer(token)), 404],
    ["a key that is none", () => read(at("inside/public.nc"), "nothing/here"), 400],
    ["a document that is none", () => read(at("inside/public.nc"), "nothing/.zarray"), 404],
    ["a chunk outside the grid", () => read(at("inside/public.nc"), "tas/9.9.9"), 400],
    ["a path through the store", () => read(at("inside/public.nc"), "..%2f..%2fetc%2fpasswd"), 400],
    ["another user's metadata", () => read(at("inside/own.nc"), ".zmetadata", other), 403],
    ["another user's chunk", () => read(at("inside/own.nc"), "tas/0.0.0", other), 403],
    ["one's own metadata", () => read(at("inside/own.nc"), ".zmetadata"), 200],
    ["one's own chunk", () => read(at("inside/own.nc"), "tas/0.0.0"), 200],
    ["a file outside the roots", () => read(at("outside.nc"), ".zmetadata"), 403],
    ["a path that leads outside", () => read(`${folder}/inside/../outside.nc`, ".zmetadata"), 403],
    ["a link that leads outside", () => read(at("inside/link.nc"), ".zmetadata"), 403],
    ["a file that would be outside", () => read(at("nowhere/at-all.nc"), ".zmetadata"), 403],
    ["a place on another machine", () => read("https://example.org/far.nc", ".zmetadata"), 403],
    ["a file that is gone", () => read(at("inside/gone.nc"), ".zmetadata"), 410],
    ["GRIB", () => read(at("inside/data.grb"), ".zmetadata"), 415],
  ])("answers for %s as it must (%#)", async (_, request, expected) => {
    const response = await request();
    expect(response.status).toBe(expected);
    if (expected === 200) return void (await response.arrayBuffer());
    const problem = await json<Problem>(response);
    expect(problem.status).toBe(expected);
    expect(JSON.stringify(problem)).not.toContain(folder);
    if (expected === 415) expect(problem.detail).toMatch(/GRIB/);
    if (expected === 401) expect(response.headers.get("www-authenticate")).toMatch(/^Bearer/);
  });

  it("names the part of a damaged file that cannot be read, with the reason", async () => {
    const chunk = await read(at("inside/chunked-content.nc"), "tas/0.0");
    expect(chunk.status).toBe(500);
    expect((await json<Problem>(chunk)).detail).toBe(
      "The file of these data is damaged and cannot be read. tas: A chunk of the file does not fit its checksum.",
    );
    const metadata = await read(at("inside/old-tree-kind.nc"), ".zmetadata");
    expect(metadata.status).toBe(500);
    expect((await json<Problem>(metadata)).detail).toMatch(/ A B-tree of the file has a node /);
    const attributes = await read(at("inside/old-space-rank.nc"), ".zattrs");
    expect(await attributes.json()).toEqual({
      _left_out: [expect.stringMatching(/^tas: .*dimensions/)],
    });
  });

  it("is an error for a truncated file, never 404 and never data", async () => {
    for (const key of [".zmetadata", "tas/0.0.0", "tas/4.0.0"]) {
      const response = await read(at("inside/short.nc"), key);
      expect([500, 503]).toContain(response.status);
      await response.text();
    }
    expect((await service.get("/ping")).status).toBe(200);
  });

  it("follows a file that changes", async () => {
    const file = at("inside/changing.nc");
    const before = (await read(file, "tas/0.0.0")).headers.get("etag");
    await cp(
      packagePath("data/files").concat(
        "/../files/",
        SAMPLE_FILE.slice(packagePath("data/files").length + 1).replace(
          "198501-198912",
          "199001-199412",
        ),
      ),
      `${file}.new`,
    );
    await rename(`${file}.new`, file);
    const after = await read(file, "tas/0.0.0", token, { "If-None-Match": before ?? "" });
    expect(after.status).toBe(200);
    expect(after.headers.get("etag")).not.toBe(before);
    await after.arrayBuffer();
  });

  it("is 503 while the index is away", async () => {
    const dead = await startService({
      dataDir,
      endpoint: { urls: [new URL("http://127.0.0.1:9/solr")] },
      baseUrl: service.address,
    });
    const response = await dead.get(`${store("/a.nc")}/.zmetadata`, bearer(token));
    expect(response.status).toBe(503);
    expect(response.headers.get("retry-after")).toBe("5");
    await dead.close();
  });
});

describe("a page about a data set", () => {
  it("shows dimensions, variables, attributes, chunks and the lines that open it", async () => {
    const address = `${service.address}${PREFIX}${store(at("inside/public.nc"))}`;
    for (const path of [
      store(at("inside/public.nc")),
      `/data-portal/zarr-utils/html?url=${encodeURIComponent(address)}`,
    ]) {
      const response = await service.get(path, {
        headers: { ...bearer(token).headers, Accept: "text/html" },
      });
      expect(response.status).toBe(200);
      expect(response.headers.get("content-security-policy")).toMatch(/default-src 'none'/);
      const text = await response.text();
      for (const part of [address, "tas", "lat: 20", "xr.open_zarr", "units"])
        expect(text).toContain(part);
    }
    const wrong = await service.get("/data-portal/zarr-utils/html?url=http://x/", bearer(token));
    expect(wrong.status).toBe(404);
  });
});

describe("a shared address", () => {
  const share = async (body: object, as = token) =>
    service.get("/data-portal/share-zarr", jsonRequest("POST", body, as));

  it("needs no token until it expires, and for no other data", async () => {
    const id = datasetId(at("inside/own.nc"));
    const response = await share({ uuid: id, ttl_seconds: 60 });
    expect(response.status).toBe(200);
    const { url, expires } = await json<SharedZarr>(response);
    expect(expires).toBeGreaterThan(Date.now() / 1000);
    expect((await fetch(`${url}/.zmetadata`)).status).toBe(200);
    expect((await fetch(`${url}/tas/0.0.0`)).status).toBe(200);
    const elsewhere = url.replace(id, datasetId(at("inside/public.nc")));
    expect((await fetch(`${elsewhere}/.zmetadata`)).status).toBe(401);
    expect((await fetch(`${url.replace("/share/e", "/share/f")}/.zmetadata`)).status).toBe(401);
    const ticket = url.split("/share/")[1]?.split("/")[0] ?? "";
    expect((await service.get("/auth/v2/status", bearer(ticket))).status).toBe(401);
    const asTicket = url.replace(ticket, token);
    expect((await fetch(`${asTicket}/.zmetadata`)).status).toBe(401);
    clock.ahead = 61_000;
    expect((await fetch(`${url}/.zmetadata`)).status).toBe(401);
    clock.ahead = 0;
    expect(service.log.join("")).not.toContain(ticket);
  });

  it("is refused for another user's data, unknown data, and a body that names none", async () => {
    expect((await share({ uuid: datasetId(at("inside/own.nc")) }, other)).status).toBe(403);
    expect((await share({ uuid: datasetId("/no/such.nc") })).status).toBe(404);
    expect((await share({})).status).toBe(422);
    expect((await share({ url: "http://x/" })).status).toBe(422);
    expect((await share({ uuid: "x", ttl_seconds: 0 })).status).toBe(422);
    expect((await share({ uuid: "x", more: 1 })).status).toBe(422);
    const none = await service.get("/data-portal/share-zarr", { method: "POST", body: "{}" });
    expect(none.status).toBe(401);
  });

  it("opens in xarray with the values, types and attributes of the file", async () => {
    const files = [SAMPLE_FILE, at("inside/public.nc")];
    const pairs = [];
    for (const file of files) {
      const address = `${service.address}${PREFIX}${store(file)}`;
      const { url } = await json<SharedZarr>(await share({ url: address }));
      pairs.push({ file, url, engine: "netcdf4" });
    }
    await writeFile(at("pairs.json"), JSON.stringify(pairs));
    const text = await runPython([
      packagePath("test", "files", "zarr", "compare.py"),
      at("pairs.json"),
    ]);
    const result = JSON.parse(text) as { variables: number; differences: string[] };
    expect(result.differences).toEqual([]);
    expect(result.variables).toBeGreaterThan(10);
  });

  it("opens in xarray with a token, and through the intake-esm catalogue", async () => {
    const api = service.address + PREFIX;
    const code = packagePath("test", "python", "zarr_streams.py");
    expect(await runPython([code, api, token, SAMPLE_FILE])).toMatch(/^ok/);
  });

  it("opens in zarrita with a token", async () => {
    const signed = (request: Request): Promise<Response> => {
      request.headers.set("Authorization", `Bearer ${token}`);
      return fetch(request);
    };
    const address = `${service.address}${PREFIX}${store(SAMPLE_FILE)}`;
    const plain = new zarr.FetchStore(address, { fetch: signed });
    const listed = await zarr.withConsolidatedMetadata(plain);
    expect(listed.contents()).toContainEqual({ path: "/tas", kind: "array" });
    const tas = await zarr.open(zarr.root(listed).resolve("tas"), { kind: "array" });
    const [first] = (await zarr.get(tas, [0, 0, zarr.slice(1)])).data as Float32Array;
    const code =
      "import sys, xarray as xr; print(float(xr.open_dataset(sys.argv[1]).tas[0, 0, 0]))";
    expect(first).toBe(Number(await runPython(["-c", code, SAMPLE_FILE])));
  });
});
