/** Joined stores through the whole service: addresses, access to every file, plans, shares, and files that change. */
import { appendFile, readFile, rename } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type {
  JoinPlan,
  Joins,
  Problem,
  References,
  SharedZarr,
} from "../../../generated/schemas.js";
import { datasetId, idOf } from "../../../src/files/zarr/address.js";
import { readNpy } from "../../../src/files/zarr/slice/npy.js";
import { makeJoins } from "../../files/zarr/joins/joins.js";
import { freshFolder } from "../../support/run/folders.js";
import { fillIndex, startService, type TestService } from "../../support/service/service.js";
import { addUser, bearer, jsonRequest, signIn } from "../../support/service/sign-in.js";
import { person } from "../../support/service/user-data.js";

let service: TestService;
const folder = freshFolder();
let token: string;
let owner: string;
let other: string;

/** Files of one dataset of CMIP5, whose name has no variable. */
const TWO_VARIABLES = "other_variables_at_the_same_times";
const SETS = [
  "aligned",
  "own_start_1",
  "units_of_data",
  "gap",
  "copies",
  "missing_filled",
  "unsorted_names",
  "packed_differently_VirtualiZarr1004",
  "single_steps",
  "aligned_blocks",
  TWO_VARIABLES,
];

/** The project of a set, by which it is found: each has one. */
const project = (set: string): string => set.toLowerCase().replaceAll("_", "-");

beforeAll(async () => {
  const dataDir = join(folder, "var");
  service = await startService({ dataDir, dataRoots: [folder] });
  const { name } = await addUser(dataDir);
  owner = name;
  token = (await signIn(service, name)).access_token;
  other = (await person(service)).token;
  const sets = await makeJoins(join(folder, "sets"), ...SETS);
  const documents = sets.flatMap((set) =>
    set.files.map((file, i) => ({
      file: join(set.folder, file),
      project: [set.name === TWO_VARIABLES ? "CMIP5" : project(set.name)],
      variable: [set.name === TWO_VARIABLES ? (file.split("_")[0] ?? "") : "tas"],
      model: [set.name],
      ...(set.name === "single_steps" && { ensemble: [`r${i + 1}i1p1f1`] }),
      version: "v20200101",
      // The last file of one set is a user's own.
      ...(set.name === "gap" && i === 1 && { user: owner }),
    })),
  );
  const set = "aligned_blocks";
  const known = { project: [project(set)], variable: ["tas"], model: [set] };
  await fillIndex(service.solr, [
    ...documents,
    { ...known, file: "https://elsewhere.example/part3.nc", version: "v20200101" },
  ]);
});

afterAll(() => service.close());

const at = (set: string, file: string): string => join(folder, "sets", set, file);

/** The addresses below the service's own, of the joined results of a search. */
async function addresses(set: string, query = "join=dataset"): Promise<string[]> {
  const found = await service.get(
    `/databrowser/load/native?project=${project(set)}&${query}`,
    bearer(token),
  );
  const text = await found.text();
  if (found.status !== 200) throw new Error(text);
  return text
    .trim()
    .split("\n")
    .map((address) => address.slice(address.indexOf("/data-portal")));
}
const read = (address: string, key: string, as = token): Promise<Response> =>
  service.get(`${address}/${key}`, bearer(as));
const plan = async (address: string): Promise<JoinPlan> =>
  (await (await read(address, "plan")).json()) as JoinPlan;
const detail = async (response: Response): Promise<string> =>
  `${response.status} ${((await response.json()) as Problem).detail}`;

it("many joins of one user wait for each other, and for nobody else's", async () => {
  const join_ = async (as: string): Promise<number> => {
    const body = { flavour: "native", parameters: { project: [project("aligned")] } };
    const response = await service.get(
      "/data-portal/zarr/join",
      jsonRequest("POST", { ...body, by: "dataset" }, as),
    );
    await response.text();
    return response.status;
  };
  const mine = Promise.all(Array.from({ length: 20 }, () => join_(token)));
  expect(await join_(other)).toBe(200);
  expect([200, 503]).toEqual(expect.arrayContaining([...new Set(await mine)]));
  expect(await join_(token)).toBe(200);
});

describe("a dataset of several files", () => {
  it("has one address, the same each time, and one store", async () => {
    const [address = "", ...others] = await addresses("aligned");
    expect(others).toEqual([]);
    expect(await addresses("aligned")).toEqual([address]);
    const array = await (await read(address, "tas/.zarray")).json();
    expect(array).toMatchObject({ shape: [12, 6, 8], chunks: [1, 6, 8] });
    const chunk = await read(address, "tas/6.0.0");
    const bytes = Buffer.from(await chunk.arrayBuffer());
    expect((await readFile(at("aligned", "part1.nc"))).includes(bytes)).toBe(true);
    expect(chunk.headers.get("etag")).toMatch(/^"[\w-]{22}"$/);
    const [version3 = ""] = await addresses("aligned", "join=dataset&zarr_format=3");
    expect(version3).toBe(`${address}3`);
    expect(await (await read(version3, "zarr.json")).json()).toMatchObject({ node_type: "group" });
    expect((await read(address, "tas/12.0.0")).status).toBe(400);
  });

  it("has a plan as JSON and as a page", async () => {
    const [address = ""] = await addresses("own_start_1");
    const told = await plan(address);
    expect(told.files?.map(({ file, first, steps }) => [file, first, steps])).toEqual([
      ["part0.nc", "2000-01-01T00:00:00", 4],
      ["part1.nc", "2000-01-05T00:00:00", 4],
      ["part2.nc", "2000-01-09T00:00:00", 4],
    ]);
    expect(told.arrays?.find(({ name }) => name === "tas")).toMatchObject({
      mode: "passed",
      passed: 12,
    });
    const page = await service.get(`${address}/plan`, {
      headers: { ...bearer(token).headers, Accept: "text/html" },
    });
    expect(page.headers.get("content-type")).toContain("text/html");
    expect(await page.text()).toContain("part2.nc");
  });

  it("has references to the ranges of its files, with a tag of all of them", async () => {
    const [address = ""] = await addresses("aligned");
    const references = `/data-portal/references/${idOf(address.split("/").at(-1) ?? "")}`;
    const found = await service.get(references, bearer(token));
    const { refs } = (await found.json()) as References;
    const [path, offset, length] = refs["tas/6.0.0"] as [string, number, number];
    expect(path).toBe(at("aligned", "part1.nc"));
    const chunk = Buffer.from(await (await read(address, "tas/6.0.0")).arrayBuffer());
    expect((await readFile(path)).subarray(offset, offset + length).equals(chunk)).toBe(true);
    const etag = found.headers.get("etag") ?? "";
    const again = { headers: { ...bearer(token).headers, "If-None-Match": etag } };
    expect((await service.get(references, again)).status).toBe(304);
    const archive = await service.get(`${references}/parquet`, again);
    expect(archive.headers.get("content-type")).toBe("application/zip");
  });

  it("is refused by name if a join would be wrong", async () => {
    const [address = ""] = await addresses("units_of_data");
    expect(await detail(await read(address, ".zmetadata"))).toBe(
      '409 The units of tas differ: "K" in part0.nc, "degC" in part1.nc.',
    );
    expect((await plan(address)).state).toBe("refused");
    const [missing = ""] = await addresses("missing_filled");
    expect(await detail(await read(missing, ".zmetadata"))).toContain("part1.nc has no pr");
    const [filled = ""] = await addresses("missing_filled", "join=dataset&missing=fill");
    expect((await read(filled, "pr/0.0.0")).status).toBe(200);
    expect((await read(filled, "pr/5.0.0")).status).toBe(404);
    const [strict = ""] = await addresses("copies", "join=dataset&strict=true");
    expect(await detail(await read(strict, ".zmetadata"))).toContain("409 The join is strict");
  });

  it("is previewed across its files, each unpacked by its own attributes", async () => {
    const [address = ""] = await addresses("packed_differently_VirtualiZarr1004");
    const preview = async (id: string, index: string) => {
      const found = await service.get(
        `/data-portal/preview/${id}/tas?index=${index}`,
        bearer(token),
      );
      return readNpy(new Uint8Array(await found.arrayBuffer()));
    };
    const [, store = ""] = /zarr\/(.*)$/.exec(address) ?? [];
    const line = await preview(store, ":,2,3");
    const single = async (file: string) =>
      (await preview(`${datasetId(at("packed_differently_VirtualiZarr1004", file))}.zarr`, ":,2,3"))
        .values;
    const parts = await Promise.all(["part0.nc", "part1.nc", "part2.nc"].map(single));
    expect([...line.values]).toEqual(parts.flatMap((part) => [...part]));
    expect((await preview(store, "9,:,:")).shape).toEqual([6, 8]);
    const times = await service.get(`/data-portal/preview/${store}/time?index=:`, bearer(token));
    expect([...readNpy(new Uint8Array(await times.arrayBuffer())).values]).toEqual([
      ...Array(12).keys(),
    ]);
  });

  it("joins members along a new axis on request", async () => {
    expect(await addresses("single_steps")).toHaveLength(3);
    // Members of one model have the same times; these have not.
    const [address = ""] = await addresses("single_steps", "join=member");
    expect(await detail(await read(address, ".zmetadata"))).toContain(
      "The times of r1i1p1f1 and r2i1p1f1 differ",
    );
  });

  it("has a store for each variable where its name lacks them, or one with all side by side", async () => {
    const ask = async (join: string): Promise<string[]> => {
      const query = `model_id=${TWO_VARIABLES}&join=${join}`;
      const found = await service.get(`/databrowser/load/cmip5?${query}`, bearer(token));
      const lines = (await found.text()).trim().split("\n");
      return lines.map((line) => line.slice(line.indexOf("/data-portal")));
    };
    const variables = async (address: string): Promise<string[]> => {
      const { metadata } = (await (await read(address, ".zmetadata")).json()) as {
        readonly metadata: object;
      };
      return ["pr", "tas"].filter((name) => `${name}/.zarray` in metadata);
    };
    const stores = await Promise.all((await ask("dataset")).map(variables));
    expect(stores.sort()).toEqual([["pr"], ["tas"]]);
    expect(await Promise.all((await ask("variables")).map(variables))).toEqual([["pr", "tas"]]);
  });

  it("cannot be opened if some of its files are not on this machine", async () => {
    const body = { flavour: "native", parameters: { project: [project("aligned_blocks")] } };
    const made = await service.get("/data-portal/zarr/join", jsonRequest("POST", body, token));
    expect(await made.json()).toMatchObject({
      joins: [
        { files: 4, notes: ["part3.nc is not on this machine, so the store cannot be opened."] },
      ],
    });
    const [address = "", ...others] = await addresses("aligned_blocks");
    expect(others).toEqual([]);
    expect(await detail(await read(address, ".zmetadata"))).toBe(
      "403 These data are not on a disk of this service.",
    );
  });

  it("is one address of a cart, which takes joins for zarr addresses alone", async () => {
    const cart = (body: object) =>
      service.get(
        "/databrowser/cart/native/file",
        jsonRequest(
          "POST",
          {
            ...body,
            searches: ["aligned", "gap"].map((set) => ({
              parameters: { project: [project(set)] },
            })),
          },
          token,
        ),
      );
    const found = await cart({ format: "zarr", join: "dataset" });
    const lines = (await found.text()).trim().split("\n");
    const expected = [...(await addresses("aligned")), ...(await addresses("gap"))];
    expect(lines.map((line) => line.slice(line.indexOf("/data-portal"))).sort()).toEqual(
      expected.sort(),
    );
    expect((await cart({ format: "paths", join: "dataset" })).status).toBe(422);
  });

  it("may be made of a list of files", async () => {
    const files = ["z.nc", "a.nc", "m.nc"].map((file) => at("unsorted_names", file));
    const made = await service.get("/data-portal/zarr/join", jsonRequest("POST", { files }, token));
    const { joins } = (await made.json()) as Joins;
    expect(joins).toMatchObject([{ files: 3, notes: [] }]);
    const found = await addresses("unsorted_names");
    expect(joins[0]?.url).toContain(found[0]);
    const told = await plan(found[0] ?? "");
    expect(told.files?.map(({ file }) => file)).toEqual(["z.nc", "a.nc", "m.nc"]);
  });

  it("may be made of a thousand files with long paths, and names one that the index does not have", async () => {
    const files = Array.from({ length: 1000 }, (_, i) => `/pool/${"data/".repeat(50)}${i}.nc`);
    const made = await service.get("/data-portal/zarr/join", jsonRequest("POST", { files }, token));
    expect(made.status).toBe(404);
    expect(((await made.json()) as { detail: string }).detail).toMatch(
      /^The index has no file \/pool\/data\/.*\.nc: files are named as data-search lists them\.$/,
    );
  });
});

describe("the rights to every file", () => {
  it("hold for documents and for chunks", async () => {
    const made = await service.get(
      "/data-portal/zarr/join",
      jsonRequest("POST", { files: [at("gap", "part0.nc"), at("gap", "part1.nc")] }, token),
    );
    const { joins } = (await made.json()) as Joins;
    const url = joins[0]?.url ?? "";
    const address = url.slice(url.indexOf("/data-portal"));
    expect((await read(address, ".zmetadata")).status).toBe(200);
    expect((await plan(address)).gaps).toHaveLength(1);
    for (const key of [".zmetadata", "time/0", "tas/8.0.0", "plan"]) {
      expect((await read(address, key, other)).status).toBe(403);
    }
    const preview = `${address.replace("/zarr/", "/preview/")}/tas?index=x`;
    expect((await service.get(preview, bearer(token))).status).toBe(422);
    expect((await service.get(preview, bearer(other))).status).toBe(403);
    const references = `/data-portal/references/${idOf(address.split("/").at(-1) ?? "")}`;
    expect((await service.get(references, bearer(other))).status).toBe(403);
    expect((await service.get(`${address}/.zmetadata`)).status).toBe(401);
    const named = await service.get(
      "/data-portal/zarr/join",
      jsonRequest("POST", { files: [at("gap", "part1.nc")] }, other),
    );
    expect(named.status).toBe(403);
  });

  it("hold for a share of the whole store, by the rights of its sharer", async () => {
    const [address = ""] = await addresses("own_start_1");
    const shared = await service.get(
      "/data-portal/share-zarr",
      jsonRequest("POST", { url: `https://x.example/api${address}` }, token),
    );
    const { url } = (await shared.json()) as SharedZarr;
    const open = url.slice(url.indexOf("/data-portal"));
    expect((await service.get(`${open}/.zmetadata`)).status).toBe(200);
    expect((await service.get(`${open}/tas/11.0.0`)).status).toBe(200);
  });
});

describe("a file that changes or disappears", () => {
  it("is an error on its chunks and on the documents, never 404, and a new list has a new address", async () => {
    const [address = ""] = await addresses("copies");
    expect((await read(address, ".zmetadata")).status).toBe(200);
    const moved = at("copies", "part2.nc");
    await rename(moved, `${moved}.away`);
    expect((await read(address, "tas/9.0.0")).status).toBe(410);
    await rename(`${moved}.away`, moved);
    await appendFile(moved, "more");
    expect(await detail(await read(address, "tas/9.0.0"))).toContain("409 part2.nc has changed");
    expect((await read(address, "tas/0.0.0")).status).toBe(200);
    const [next = ""] = await addresses("copies");
    expect(next).not.toBe(address);
    expect((await read(next, "tas/9.0.0")).status).toBe(200);
    const unknown = "/data-portal/zarr/5f0c2b1e-8d0a-5b3e-9c55-2f6f3a1d9b7e.zarr";
    expect((await read(unknown, "tas/0.0.0")).status).toBe(410);
  });
});
