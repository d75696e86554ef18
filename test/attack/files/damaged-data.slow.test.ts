/** Damaged and unusual data through HTTP: an error says so, and nothing that fails is a 404, which clients take for fill values. */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadHdf5Decoder } from "../../../src/files/netcdf/render/hdf5-decoder.js";
import { datasetId } from "../../../src/files/zarr/address.js";
import { makeFiles } from "../../files/zarr/files.js";
import {
  mutate,
  outside,
  rawRanges,
  readEverything,
  type Served,
} from "../../support/data/mutants.js";
import { freshFolder } from "../../support/run/folders.js";
import { attempts, chance, patience, SEED, tried } from "../../support/run/trials.js";
import { use } from "../../support/run/use.js";
import { emptyIndex, load, startService, type TestService } from "../../support/service/service.js";
import { addUser, signIn } from "../../support/service/sign-in.js";

/** The same damage in every short run: how much of it cannot be told from data is a matter of many. */
const FIRST = attempts(12, SEED);
const MUTANTS = attempts(40, 1000);
const ORIGINALS = ["small_new.nc", "small_old.nc", "small_netcdf4.nc", "small_64.nc"];
const ODD = ["large.nc", "blosc.nc", "blosc_unreadable.nc", "left_out.nc", "names.nc"];

const files = use(() => makeFiles("small", "damaged", "large", "blosc", "left_out", "names"));
const folder = freshFolder();
let service: TestService;
let authorization: string;
const mutants: { path: string; how: string }[] = [];

beforeAll(
  async () => {
    await mkdir(join(folder, "mutants"));
    for (let i = 0; i < MUTANTS; i++) {
      const name = ORIGINALS[i % ORIGINALS.length] ?? "";
      const bytes = new Uint8Array(await readFile(files.path(name)));
      const raw = [...rawRanges(files.path(name), bytes).values()].flat();
      const { bytes: damaged, how } = mutate(
        bytes,
        outside(bytes.length, raw),
        chance(FIRST * 1_000_003 + i),
      );
      const path = join(folder, "mutants", `${i}-${name}`);
      await writeFile(path, damaged);
      mutants.push({ path, how: `SEED=${FIRST}, ${i}, ${name}, ${how}` });
    }
    service = await startService({ dataRoots: [folder, files.path("")] });
    await emptyIndex(service.solr);
    const all = [...mutants.map(({ path }) => path), ...ODD.map((name) => files.path(name))];
    await load(
      service.solr,
      all.map((file) => ({ file })),
    );
    const { name } = await addUser(service.dataDir);
    authorization = `Bearer ${(await signIn(service, name)).access_token}`;
  },
  patience(60_000, 300_000),
);

afterAll(() => service.close());

const ask = (path: string, key: string): Promise<Response> =>
  service.get(`/data-portal/zarr/${datasetId(path)}.zarr/${key}`, { headers: { authorization } });

it(
  "answers a damaged file with an error or with what its reader reads, and never with 404 for a failure",
  async () => {
    const decoder = await loadHdf5Decoder();
    let refused = 0;
    for (const { path, how } of mutants) {
      let served: Served | undefined;
      try {
        served = readEverything(path, decoder);
      } catch {
        refused += 1;
      }
      const metadata = await ask(path, ".zmetadata");
      expect([200, 413, 415, 500], how).toContain(metadata.status);
      expect(metadata.status === 200, how).toBe(served !== undefined);
      await metadata.arrayBuffer();
      for (const [key, data] of [...(served?.chunks ?? [])].slice(0, 8)) {
        if (key.endsWith("*")) continue;
        const response = await ask(path, key.split("/").map(encodeURIComponent).join("/"));
        await response.arrayBuffer();
        // What passes through as it is stored is for the client to decode.
        if (data instanceof Error)
          expect([200, 413, 415, 500], `${how}: ${key}`).toContain(response.status);
        else expect([200, 404], `${how}: ${key}`).toContain(response.status);
      }
    }
    tried(mutants.length);
    expect(refused).toBeGreaterThan(mutants.length / 5);
  },
  patience(60_000, 600_000),
);

describe("sound data that is not read", () => {
  it("is 413 with an explanation if a chunk is too large to be decoded", async () => {
    const response = await ask(files.path("large.nc"), "v/0.0");
    expect(response.status).toBe(413);
    expect(await response.json()).toMatchObject({
      type: "urn:climate-nextgen:problem:data-too-large",
      detail: expect.stringMatching(/256 MiB .* above 128 MiB/),
    });
  });

  it("is 415 with an explanation if its compressor is not supported", async () => {
    for (const [key, detail] of [
      ["snappy/0", /Blosc compressed by snappy/],
      ["blosc2_zlib/0", /Blosc 2 compressed by zlib/],
    ] as const) {
      const response = await ask(files.path("blosc_unreadable.nc"), key);
      expect(response.status, key).toBe(415);
      expect(await response.json()).toMatchObject({ detail: expect.stringMatching(detail) });
    }
    expect((await ask(files.path("blosc.nc"), "small/0")).status).toBe(200);
  });

  it("is named on the page of the data", async () => {
    const address = `/data-portal/zarr/${datasetId(files.path("left_out.nc"))}.zarr`;
    const page = await service.get(address, { headers: { authorization, Accept: "text/html" } });
    const text = await page.text();
    expect(page.status, text).toBe(200);
    expect(text).toMatch(/Not served:.*<li>ragged: sequences of variable length<\/li>/s);
  });

  it("is refused under any spelling if no address can have its name", async () => {
    const path = files.path("names.nc");
    for (const name of ["a%23b", "a%3Fb", "a%2520b", "%2541", "a%5Cb", "g%23h/v"]) {
      const response = await ask(path, `${name}/0`);
      await response.arrayBuffer();
      expect(response.status, name).toBeGreaterThanOrEqual(400);
    }
    for (const name of ["plain", "a%25b", "a%20b", "a&b", "a+b", "%C3%BC", "tas%20%5BK%5D"]) {
      const response = await ask(path, `${name}/0`);
      expect(response.status, name).toBe(200);
      const values = new BigInt64Array(await response.arrayBuffer());
      expect([...values], name).toEqual([1n, 2n, 3n, 4n]);
    }
  });
});
