/** What a cart gives is what its searches find one by one, each entry once. */
import { strFromU8, unzipSync } from "fflate";
import { beforeAll, describe, expect, it } from "vitest";
import type { Cart, Problem } from "../../../generated/schemas.js";
import { datasetId } from "../../../src/domain/vocabulary/dataset-id.js";
import { found } from "../../support/data/known-documents.js";
import { randomSearch, type Written } from "../../support/data/random-searches.js";
import { expectBelow } from "../../support/run/bounds.js";
import { attempts, patience, tried } from "../../support/run/trials.js";
import { load, type TestDocument } from "../../support/service/service.js";
import { jsonRequest } from "../../support/service/sign-in.js";
import { useService } from "../../support/service/use-service.js";
import { useRandomScene } from "./expected/random-scene.js";

const CARTS = attempts(40, 2000);

/** Parameters as the body has them. */
function parametersOf(pairs: Written["pairs"]): Record<string, string[]> {
  const parameters: Record<string, string[]> = {};
  for (const [name, value] of pairs) parameters[name] = [...(parameters[name] ?? []), value];
  return parameters;
}

/** A dataset of the cart, as the page puts it in. */
const dataset = (id: string, version?: string): Cart["searches"][number] => ({
  flavour: "native",
  parameters: {
    dataset_id: [id],
    ...(version !== undefined && { version: [version], "multi-version": ["true"] }),
  },
});

const service = useService();
const scene = useRandomScene();

const post = (body: unknown, path = "cmip6/file"): Promise<Response> =>
  service.get(`/databrowser/cart/${path}`, jsonRequest("POST", body));

async function lines(searches: Cart["searches"], path?: string): Promise<string[]> {
  const response = await post({ format: "paths", searches }, path);
  const text = await response.text();
  expect(response.status, text).toBe(200);
  return text.split("\n").slice(0, -1);
}

async function problem(body: unknown, path?: string): Promise<Problem> {
  const response = await post(body, path);
  return (await response.json()) as Problem;
}

describe("a cart of random searches", () => {
  it("lists their results, each file once", {
    timeout: patience(60_000, 3_600_000),
  }, async () => {
    let mixed = 0;
    for (let n = 0; n < CARTS; n++) {
      const key = scene.by.random() < 0.8 ? "file" : "uri";
      const searches = Array.from({ length: 1 + scene.by.below(6) }, () => ({
        ...randomSearch(scene.by, 4),
        key,
      })) as Written[];
      const of = new Set(searches.flatMap((search) => found(scene.documents, search)));
      const places = [...of].flatMap(({ values }) => values.get(key) ?? []);
      const body = {
        format: "paths",
        searches: searches.map(({ flavour, pairs }) => ({
          flavour: flavour.name,
          parameters: parametersOf(pairs),
        })),
      };
      const text = await scene.post(`cart/cmip6/${key}`, body);
      const listed = text.split("\n").slice(0, -1);
      expect(listed.sort(), JSON.stringify(body)).toEqual(places.sort());
      if (new Set(searches.map(({ isMultiVersion }) => isMultiVersion)).size > 1) mixed += 1;
    }
    expect(mixed, "of all versions and of the newest").toBeGreaterThan(CARTS / 10);
    tried(CARTS);
  });
});

describe("a cart of datasets", () => {
  const MANY = 1000;
  const many: TestDocument[] = Array.from({ length: MANY }, (_, index) => ({
    file: `/many/${index}.nc`,
    project: "many",
    product: "p",
    model: `m${index}`,
    version: `v${index}`,
  }));
  const sorted = (all: readonly TestDocument[]): string[] => all.map(({ file }) => file).sort();
  beforeAll(() => load(service.solr, many));
  const ids = many.map((document) => datasetId(document) ?? "");

  it("equals 2,000 requests, one for each", async () => {
    const twice = [...ids.map((id) => dataset(id)), ...ids.map((id) => dataset(`${id}x`))];
    expect((await lines(twice)).sort()).toEqual(sorted(many));
  });

  it("contains the chosen versions, each dataset its own", async () => {
    const pinned = ids.map((id, index) => dataset(id, index % 2 ? `v${index}` : "v0"));
    expect((await lines(pinned)).sort()).toEqual(
      sorted(many.filter((_, index) => index === 0 || index % 2)),
    );
  });

  it("refuses more than it can search at once, and says so", async () => {
    const searches = Array.from({ length: 2001 }, (_, index) => dataset(`many.${index}`));
    expect((await problem({ format: "paths", searches })).status).toBe(413);
    const wide = {
      parameters: { source_id: Array.from({ length: 900 }, (_, index) => `m${index}`) },
    };
    const five = await problem({ format: "paths", searches: [wide, wide, wide, wide, wide] });
    expect(five.errors?.[0]).toMatchObject({ name: "searches", in: "body" });
    expect(five.detail).toContain("4000 values");
    const wild = { parameters: { source_id: ["*".repeat(3), ...Array(150).fill("a*b")] } };
    expect((await problem({ format: "paths", searches: [wild, wild] })).detail).toContain(
      "wildcards",
    );
  });

  it("is refused whole if it is larger than a megabyte", async () => {
    const large = { format: "paths", searches: [{ parameters: { model: ["x".repeat(1 << 20)] } }] };
    expect((await post(large)).status).toBe(413);
  });
});

describe("a cart", () => {
  const some = [{ parameters: { mip_era: ["many"], file: ["/many/1.nc", "/many/2.nc"] } }];

  it("is a table with the requested columns", async () => {
    const response = await post({ format: "csv", searches: some, fields: ["file", "mip_era"] });
    expect(await response.text()).toBe("file,mip_era\r\n/many/2.nc,many\r\n/many/1.nc,many\r\n");
    expect(response.headers.get("content-disposition")).toContain("climate-nextgen-cmip6_cart.csv");
  });

  it("is an intake catalogue", async () => {
    const catalogue = await (await post({ format: "intake", searches: some })).json();
    expect(catalogue.catalog_dict).toMatchObject([
      { file: "/many/2.nc", mip_era: "many", dataset_id: "many.p.m2.mean.gn.2d" },
      { file: "/many/1.nc" },
    ]);
    expect(catalogue.description).toContain("a cart of 1 search");
  });

  it("is a STAC archive, which names no address of other data", async () => {
    const archive = new Uint8Array(
      await (await post({ format: "stac", searches: some })).arrayBuffer(),
    );
    const entries = Object.entries(unzipSync(archive));
    expect(entries.filter(([name]) => name.includes("/items/"))).toHaveLength(2);
    const [, collection = new Uint8Array()] =
      entries.find(([name]) => name.endsWith("collection.json")) ?? [];
    const { links, assets } = JSON.parse(strFromU8(collection));
    expect(links.map(({ rel }: { rel: string }) => rel)).toEqual([
      "root",
      "parent",
      "item",
      "item",
    ]);
    expect(assets).toBeUndefined();
  });

  it("gives addresses of zarr streams to callers with a token, and 401 to others", async () => {
    expect((await post({ format: "zarr", searches: some })).status).toBe(401);
    const text = await scene.post("cart/cmip6/file", { format: "zarr", searches: some });
    const one = await scene.ask("load", { pairs: [["file", "/many/1.nc"]] }, "cmip6");
    expect(text.split("\n")).toHaveLength(3);
    expect(text).toContain(new URL(one.trim()).pathname);
  });

  it("is an empty list if it finds nothing any more, and no catalogue", async () => {
    const searches = [{ parameters: { model: ["nothing"] } }];
    expect(await (await post({ format: "paths", searches }, "native/file")).text()).toBe("");
    // The former name of `format`.
    expect(await (await post({ as: "paths", searches }, "native/file")).text()).toBe("");
    expect((await post({ searches }, "native/file")).status).toBe(422);
    expect((await post({ format: "csv", searches }, "native/file")).status).toBe(200);
    expect((await post({ format: "intake", searches }, "native/file")).status).toBe(400);
    expect((await post({ format: "stac", searches }, "native/file")).status).toBe(404);
  });

  it("is refused with the position of each wrong search", async () => {
    const searches = [
      { parameters: { modle: ["x"] } },
      {},
      { parameters: { time: ["2001 to 2000"] } },
      { parameters: { time_select: ["sideways"], start: ["1"] } },
    ];
    const { errors = [] } = await problem({ format: "paths", searches });
    expect(errors.map(({ name }) => name)).toEqual([
      "searches[0].parameters.modle",
      "searches[2].parameters.time",
      expect.stringContaining("searches[3].parameters."),
    ]);
    const unknown = await problem({ format: "paths", searches: [{}, { flavour: "cmip66" }] });
    expect(unknown.errors?.[0]?.name).toBe("searches[1].flavour");
    const fields = await problem({ format: "csv", searches: [{}], fields: ["modle"] });
    expect(fields.errors?.[0]).toMatchObject({ name: "fields", location: "body", in: "body" });
  });

  it("is refused soon if nearly all its keys are unknown", async () => {
    const keys = Array.from({ length: 900 }, (_, i) => [`modle${i}`, "x"]);
    const searches = Array.from({ length: 40 }, () => ({ parameters: Object.fromEntries(keys) }));
    const begin = performance.now();
    const { errors = [] } = await problem({ format: "paths", searches });
    expectBelow(performance.now() - begin, 10_000);
    expect(errors).toHaveLength(1000);
  });

  it("finds data in its caller's own flavour, and is refused to others", async () => {
    const searches = [{ flavour: "random", parameters: { gcm: ["UKESM1-0-LL"] } }];
    expect((await post({ format: "paths", searches })).status).toBe(422);
    await scene.post("cart/cmip6/file", { format: "paths", searches });
  });
});
