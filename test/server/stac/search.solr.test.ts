/** Landing page, collections, items, search and paging over the sample catalogue. */
import { createHash } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { PREFIX } from "../../../generated/prefix.js";
import { CONFORMANCE } from "../../../src/server/formats/stac-api/landing.js";
import { chance, SEED } from "../../support/run/trials.js";
import { load } from "../../support/service/service.js";
import { bearer } from "../../support/service/sign-in.js";
import { useService } from "../../support/service/use-service.js";
import { person } from "../../support/service/user-data.js";
import { STAC_BROWSER } from "./recorded-requests.js";

interface Link {
  readonly rel: string;
  readonly href: string;
  readonly type?: string;
  readonly method?: string;
  readonly body?: unknown;
  readonly title?: string;
}
interface Item {
  readonly id: string;
  readonly collection: string;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly assets: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly links: readonly Link[];
  readonly [key: string]: unknown;
}
interface Page {
  readonly features: readonly Item[];
  readonly links: readonly Link[];
  readonly numberMatched: number;
  readonly numberReturned: number;
  readonly numMatched: number;
}

const service = useService({ documents: "sample" });
beforeAll(async () => {
  await load(service.solr, [
    {
      file: "/old/D/v20190101/tas.nc",
      project: ["OLD"],
      product: ["p"],
      model: ["m"],
      experiment: ["e"],
      variable: ["tas"],
      version: "v20190101",
      size: 10,
    },
    {
      file: "/old/D/v20200101/tas.nc",
      project: ["OLD"],
      product: ["p"],
      model: ["m"],
      experiment: ["e"],
      variable: ["tas"],
      version: "v20200101",
      size: 20,
    },
    {
      file: "/tape/D/v20200101/tas.nc",
      project: ["OLD"],
      product: ["p"],
      model: ["m"],
      experiment: ["e"],
      variable: ["tas"],
      version: "v20200101",
      size: 20,
      fs_type: "hsm",
      checksum: `sha256:${"ab".repeat(32)}`,
    },
    ...[
      ["tas", "v1.2"],
      ["tas", "v1.10"],
      ["pr", "1.2.3"],
      ["psl", "v2.rc.1"],
    ].map(([variable, version]) => ({
      file: `/dots/${variable}/${version}/a.nc`,
      project: ["DOTS"],
      product: ["p"],
      model: ["back\\slash"],
      experiment: ["e"],
      variable: [variable],
      version,
    })),
    ...["a", "b"].map((product, at) => ({
      file: `/gems/${product}.nc`,
      project: ["nextGEMS"],
      product: [product],
      model: ["gems"],
      experiment: [`e${9 - at}`],
      variable: ["tas"],
    })),
  ]);
});

const get = async <T>(path: string, status = 200): Promise<T> => {
  const response = await service.get(`/stac${path}`);
  const text = await response.text();
  expect(response.status, text).toBe(status);
  return JSON.parse(text) as T;
};
const post = async <T>(path: string, body: unknown, status = 200): Promise<T> => {
  const headers = { "Content-Type": "application/json" };
  const init = { method: "POST", headers, body: JSON.stringify(body) };
  const response = await service.get(`/stac${path}`, init);
  const text = await response.text();
  expect(response.status, text).toBe(status);
  return JSON.parse(text) as T;
};
const search = (parameters: Readonly<Record<string, string>>, status = 200) =>
  get<Page>(`/search?${new URLSearchParams(parameters)}`, status);
const ids = ({ features }: Page) => features.map(({ id }) => id);

/** All items, page by page along the links. */
async function walk(first: Page): Promise<Item[]> {
  const items = [...first.features];
  let next = first.links.find(({ rel }) => rel === "next");
  while (next !== undefined) {
    const body = next.method === "POST" ? JSON.stringify(next.body) : undefined;
    const headers = { "Content-Type": "application/json" };
    const init = body === undefined ? {} : { method: "POST", headers, body };
    const page = (await (await fetch(next.href, init)).json()) as Page;
    expect(page.numberMatched).toBe(first.numberMatched);
    items.push(...page.features);
    next = page.links.find(({ rel }) => rel === "next");
  }
  return items;
}

/** The names of the datasets that a search of this service finds. */
async function datasetNames(query: string): Promise<string[]> {
  interface Answer {
    readonly datasets: readonly { readonly dataset_id: string | null }[];
    readonly next: string | null;
  }
  const names: string[] = [];
  let next: string | null = `${service.address}${PREFIX}/databrowser/datasets/native?${query}`;
  while (next !== null) {
    const answer = (await (await fetch(next)).json()) as Answer;
    names.push(...answer.datasets.flatMap(({ dataset_id }) => dataset_id ?? []));
    next = answer.next;
  }
  return names.sort();
}

describe("the landing page", () => {
  it("links all that clients follow, each with its media type", async () => {
    const { links, conformsTo } = await get<{ links: Link[]; conformsTo: string[] }>("");
    expect(conformsTo).toEqual(CONFORMANCE);
    expect(new Set(conformsTo).size).toBe(conformsTo.length);
    expect(await get("/conformance")).toEqual({ conformsTo });
    const rels = links.map(({ rel }) => rel);
    const needed = ["self", "root", "conformance", "service-desc", "service-doc", "data", "child"];
    expect(rels).toEqual(expect.arrayContaining([...needed, "aggregate", "aggregations"]));
    expect(rels.filter((rel) => rel === "search")).toHaveLength(2);
    for (const { href, type, method, title, rel } of links) {
      expect(title, rel).toBeTruthy();
      if (method === "POST") continue;
      const response = await fetch(href);
      expect(response.status, href).toBe(200);
      expect(response.headers.get("content-type")?.replace("; charset=utf-8", ""), href).toBe(type);
    }
  });

  it("is led to from the address with a slash at its end, as other addresses are, but nothing is below it", async () => {
    const slashed = await service.get("/stac/?x=1", { redirect: "manual" });
    expect([slashed.status, slashed.headers.get("location")]).toEqual([308, "../stac?x=1"]);
    expect(await (await service.get("/stac/")).json()).toEqual(await get<unknown>(""));
    expect((await service.get("/databrowser/overview/")).status).toBe(200);
    expect((await fetch(`${service.address}/docs/`)).status).toBe(200);
    for (const path of ["/stac//", "/nothing/"]) {
      expect((await service.get(path)).status, path).toBe(404);
    }
    expect((await service.get("/stac/search/", { method: "POST" })).status).toBe(404);
  });

  it("is a page in browsers, which says how to use the address", async () => {
    const response = await service.get("/stac", { headers: { Accept: "text/html" } });
    expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(response.headers.get("content-security-policy")).toContain("default-src 'none'");
    const page = await response.text();
    expect(page).toContain(`Client.open(&quot;${service.address}${PREFIX}/stac&quot;)`);
    expect(page).not.toContain("<script");
  });
});

describe("collections", () => {
  it("are the projects, with the extent of their data", async () => {
    const { collections, numberMatched } = await get<{
      collections: { id: string; extent: { temporal: { interval: string[][] } }; links: Link[] }[];
      numberMatched: number;
    }>("/collections");
    const names = collections.map(({ id }) => id);
    expect(names).toEqual([...names].sort());
    expect(names).toEqual(expect.arrayContaining(["CMIP6", "CORDEX", "OLD"]));
    expect(names).not.toContain("user-data");
    expect(numberMatched).toBe(names.length);
    for (const { id, links } of collections) {
      const self = links.find(({ rel }) => rel === "self")?.href ?? "";
      const one = (await (await fetch(self)).json()) as { id: string; summaries: object };
      expect(one.id).toBe(id);
      expect(one.summaries).toBeTypeOf("object");
    }
  });

  it("are found by words, boxes and times, and in any case", async () => {
    const found = async (query: string) =>
      (await get<{ collections: { id: string }[] }>(`/collections?${query}`)).collections.map(
        ({ id }) => id,
      );
    expect(await found("q=nextgems")).toEqual(["nextGEMS"]);
    expect(await found("datetime=2099-01-01T00:00:00Z/..")).not.toContain("observations");
    expect(await found("bbox=-60,-89,-59,-88&q=clmcom")).toEqual([]);
    expect(await get("/collections/cmip6")).toMatchObject({ id: "CMIP6" });
    await get("/collections/CMIP9", 404);
    const { links } = await get<{ links: Link[] }>("/collections?limit=2");
    expect(links.find(({ rel }) => rel === "self")?.href).toMatch(/\/collections\?limit=2$/);
    const next = links.find(({ rel }) => rel === "next")?.href ?? "";
    const page = (await (await fetch(next)).json()) as { collections: { id: string }[] };
    expect(page.collections[0]?.id).toBe((await found(""))[2]);
  });
});

describe("items", () => {
  it("are, over all collections, the datasets of a search for everything", async () => {
    const names: string[] = [];
    const { collections } = await get<{ collections: { id: string }[] }>("/collections");
    for (const { id } of collections) {
      const first = await get<Page>(`/collections/${id}/items?limit=50`);
      const items = await walk(first);
      expect(items).toHaveLength(first.numberMatched);
      for (const item of items) {
        expect(item.collection).toBe(id);
        expect(item.properties.datetime).toBeNull();
        names.push(String(item.properties.dataset_id));
      }
    }
    expect(names.sort()).toEqual(await datasetNames(""));
  });

  it("have the properties of their standard, and their files as assets with sizes and checksums", async () => {
    const id = "CMIP6.CMIP.MPI-M.MPI-ESM1-2-LR.historical.r1i1p1f1.Amon.tas.gn.v20190710";
    const item = await get<Item>(`/collections/CMIP6/items/${id}`);
    expect(item.properties).toMatchObject({
      "cmip6:variable_id": "tas",
      "cmip6:source_id": "MPI-ESM1-2-LR",
      "cmip6:variant_label": "r1i1p1f1",
      "cmip6:mip_era": "CMIP6",
      latest: true,
      version: "v20190710",
      retracted: false,
      standard_name: "air_temperature",
    });
    const files = Object.entries(item.assets).filter(([key]) => key.startsWith("data"));
    expect(files.length).toBeGreaterThan(1);
    for (const [, asset] of files) {
      expect(asset).toMatchObject({ type: "application/netcdf", "alternate:name": "posix" });
      expect(asset["file:size"]).toBeTypeOf("number");
      expect(asset["file:checksum"]).toMatch(/^1220[0-9a-f]{64}$/);
      expect(asset["file:local_path"]).toMatch(/^CMIP6\/CMIP\/.*\/v20190710\/tas_.*\.nc$/);
    }
    const [, first] = files[0] ?? [];
    expect(first).toMatchObject({ description: "HTTPServer Link", roles: ["data"] });
    const { token: access_token } = await person(service);
    const file = await fetch(String(first?.href), bearer(access_token));
    expect(file.status).toBe(200);
    const bytes = Buffer.from(await file.arrayBuffer());
    expect(bytes.length).toBe(first?.["file:size"]);
    const digest = createHash("sha256").update(bytes).digest("hex");
    expect(first?.["file:checksum"]).toBe(`1220${digest}`);
    const streams = Object.values(item.assets).filter(({ roles }) => String(roles) === "stream");
    expect(streams).toHaveLength(files.length);
    const intake = await fetch(String(item.assets.intake?.href));
    const catalogue = (await intake.json()) as { catalog_dict: unknown[] };
    expect(catalogue.catalog_dict.length).toBeGreaterThanOrEqual(files.length);
    await get(`/collections/CORDEX/items/${id}`, 404);
    await get(`/collections/CMIP6/items/${id}x`, 404);
  });

  it("list copies of a file as alternates of one asset", async () => {
    const { features } = await search({ filter: "alternate:name = 'hsm'", collections: "OLD" });
    const files = Object.entries(features[0]?.assets ?? {}).filter(([key]) => /^data/.test(key));
    expect(files).toHaveLength(1);
    expect(files[0]?.[1]).toMatchObject({
      "alternate:name": "posix",
      location: "/old/D/v20200101/tas.nc",
      roles: ["source"],
      href: expect.stringMatching(
        /^http:.*\/data-portal\/files\/[^/]+\/tas\.nc#OLD\/.*\/v20200101\/tas\.nc$/,
      ),
      alternate: {
        hsm: {
          href: "/tape/D/v20200101/tas.nc",
          type: "application/netcdf",
          "file:size": 20,
          "alternate:name": "hsm",
          "file:checksum": `1220${"ab".repeat(32)}`,
        },
      },
    });
  });

  it("have older versions by id, and searches find only the newest", async () => {
    const { features } = await search({ collections: "old" });
    expect(features.map(({ properties }) => properties.version)).toEqual(["v20200101"]);
    const newest = features[0]?.id ?? "";
    const older = newest.replace("v20200101", "v20190101");
    const item = await get<Item>(`/collections/OLD/items/${older}`);
    expect(item.properties).toMatchObject({ latest: false, size: 10, version: "v20190101" });
    expect(ids(await search({ ids: `${newest},${older}` }))).toEqual([newest]);
    const catalogue = await (await fetch(String(item.assets.intake?.href))).json();
    const file = "/old/D/v20190101/tas.nc";
    expect(catalogue.catalog_dict).toEqual([expect.objectContaining({ file })]);
    const via = await fetch(item.links.find(({ rel }) => rel === "via")?.href ?? "");
    expect(await via.json()).toMatchObject({
      datasets: [{ versions: [{ version: "v20190101" }] }],
    });
    await get(`/collections/OLD/items/${newest.replace("v20200101", "v20180101")}`, 404);
  });
});

describe("an item whose version has dots", () => {
  it("is found by its address and by its id", async () => {
    const { features } = await search({ collections: "DOTS" });
    const versions = features.map(({ properties }) => properties.version).sort();
    expect(versions).toEqual(["1.2.3", "v1.10", "v2.rc.1"]);
    for (const { id, links, properties } of features) {
      const own = await fetch(links.find(({ rel }) => rel === "self")?.href ?? "");
      expect(await own.json()).toMatchObject({ id, properties: { latest: true } });
      // Lists of ids are searched by versions whose parts begin with digits.
      const expected = properties.version === "v2.rc.1" ? [] : [id];
      expect(ids(await search({ ids: id }))).toEqual(expected);
      expect(ids(await search({ filter: `id = '${id}'` }))).toEqual(expected);
    }
    const newest = features.find(({ properties }) => properties.version === "v1.10")?.id ?? "";
    const older = newest.replace("v1.10", "v1.2");
    const item = await get<Item>(`/collections/DOTS/items/${encodeURIComponent(older)}`);
    expect(item).toMatchObject({ id: older, properties: { latest: false, version: "v1.2" } });
    await get(
      `/collections/DOTS/items/${encodeURIComponent(newest.replace("v1.10", "v1.3"))}`,
      404,
    );
  });
});

describe("a search", () => {
  it("sorts by a name in the meaning of the collection's standard", async () => {
    const sorted = async (sortby: string) =>
      (
        await get<Page>(`/collections/nextGEMS/items?sortby=${sortby}&filter=model='gems'`)
      ).features.map(({ properties }) => properties["nextgems:experiment_id"]);
    expect(await sorted("experiment_id")).toEqual(["a", "b"]);
    expect(await sorted("-experiment_id")).toEqual(["b", "a"]);
    expect(await sorted("simulation_id")).toEqual(["b", "a"]);
  });

  it("finds words that end with a backslash", async () => {
    expect((await search({ q: "back\\" })).numberMatched).toBe(3);
    expect((await search({ q: "slash\\" })).numberMatched).toBe(0);
  });

  const ORDERS = [
    "",
    "-id",
    "start_datetime",
    "-start_datetime",
    "end_datetime",
    "-properties.end_datetime,cmip6:variable_id",
    "-updated",
  ];

  it.each(ORDERS)("gives every item once by %j, page by page, by GET and POST", async (sortby) => {
    const given = { limit: "37", ...(sortby !== "" && { sortby }) };
    const first = await search(given);
    const items = await walk(first);
    const names = items.map(({ id }) => id);
    expect(new Set(names).size).toBe(first.numberMatched);
    expect(names).toHaveLength(first.numberMatched);
    const keys = sortby.split(",").filter((key) => key !== "");
    const posted = await post<Page>("/search", {
      limit: 37,
      sortby: keys.map((key) => ({
        field: key.replace("-", ""),
        direction: key.startsWith("-") ? "desc" : "asc",
      })),
    });
    expect((await walk(posted)).map(({ id }) => id)).toEqual(names);
    const [key = ""] = keys;
    const name = key.replace(/^-?(properties\.)?/, "");
    if (!["start_datetime", "end_datetime"].includes(name)) return;
    const values = items.map(({ properties }) => String(properties[name]));
    expect(values).toEqual(key.startsWith("-") ? [...values].sort().reverse() : [...values].sort());
  });

  it("finds the datasets that databrowser/datasets finds, for random searches", async () => {
    const random = chance(SEED);
    const page = await search({ limit: "1000" });
    const pick = () => page.features[Math.floor(random() * page.features.length)]?.properties ?? {};
    for (let round = 0; round < 8; round += 1) {
      const { project } = pick();
      const [year, west] = [1850 + Math.floor(random() * 200), Math.floor(random() * 200) - 180];
      const found = await search({
        limit: "1000",
        collections: String(project),
        datetime: `${year}-01-01T00:00:00Z/${year + 9}-12-31T23:59:59Z`,
        bbox: `${west},-20,${west + 30},60`,
      });
      const query = new URLSearchParams({
        project: String(project),
        time: `${year} to ${year + 9}`,
        bbox: `${west},${west + 30},-20,60`,
      });
      const names = found.features.map(({ properties }) => String(properties.dataset_id)).sort();
      const constant = found.features.filter(({ properties }) =>
        String(properties.start_datetime).startsWith("0001"),
      );
      const expected = await datasetNames(String(query));
      const always = constant.map(({ properties }) => String(properties.dataset_id));
      expect(names.filter((name) => expected.includes(name) || !always.includes(name))).toEqual(
        expected,
      );
    }
  });

  it.each([
    [{ q: "temperature" }, 100],
    [{ q: "nosuchword" }, 0],
    [{ filter: "activity_id = 'ScenarioMIP'" }, 20],
    [{ filter: "cmip6:variable LIKE 't%'", collections: "cmip6" }, 40],
    [{ filter: "member_id = 'r1i1p1f1'" }, 60],
    [{ query: '{"start_datetime":{"gte":"1850-01-01"}}' }, 150],
    [{ filter: "s_intersects(geometry, POINT(10 50))" }, 150],
    [{ bbox: "-180.1,-90.1,180.1,90.1" }, 150],
    [{ bbox: "170,-10,0,-170,10,100" }, 150],
    [{ datetime: "../1900-01-01t00:00:00z" }, 30],
    [{ datetime: "1850-01-01T00:00:00Z/" }, 150],
    [{ limit: "1000000" }, 150],
  ])("accepts %j", async (parameters, least) => {
    const { numberMatched, numMatched } = await search(parameters as Record<string, string>);
    expect(numberMatched).toBe(numMatched);
    if (least === 0) expect(numberMatched).toBe(0);
    else expect(numberMatched).toBeGreaterThanOrEqual(least);
  });

  it.each([
    [{ limit: "0" }],
    [{ limit: "-1" }],
    [{ bbox: "1,2,3" }],
    [{ bbox: "a,b,c,d" }],
    [{ bbox: "0,0,1,1", intersects: '{"type":"Point","coordinates":[0,0]}' }],
    [{ intersects: "{}" }],
    [{ intersects: "[" }],
    [{ datetime: "1850-01-01" }],
    [{ datetime: "/" }],
    [{ datetime: "../.." }],
    [{ datetime: "2000-01-01T00:00:00,5Z" }],
    [{ datetime: "2001-01-01T00:00:00Z/2000-01-01T00:00:00Z" }],
    [{ filter: "a =" }],
    [{ filter: "size > 1" }],
    [{ filter: "id like 'a%'" }],
    [{ filter: "{", "filter-lang": "cql2-json" }],
    [{ filter: "a = 1", "filter-lang": "cql2-xml" }],
    [{ sortby: "nosuch" }],
    [{ token: "x" }],
    [{ token: "WzFd" }],
    [{ query: '{"a":{"no":1}}' }],
    [{ nosuch: "1" }],
    [{ ids: Array.from({ length: 1001 }, (_, index) => `i${index}`).join(",") }],
  ])("refuses %j with 400 and a sentence", async (parameters) => {
    const answer = await search(parameters as unknown as Record<string, string>, 400);
    expect(answer).toMatchObject({ status: 400, title: "Invalid request" });
    expect((answer as unknown as { detail: string }).detail.length).toBeGreaterThan(10);
  });

  it("accepts a thousand ids with a thousand versions, and thousands of conditions up to the documented number", async () => {
    const [first] = (await search({ limit: "1" })).features;
    const many = Array.from({ length: 999 }, (_, index) => `A.b${index}.v${20_000_000 + index}`);
    const dotted = many.map((id, index) => id.replace(/v.*/, `v1.${index}.${index}`));
    for (const others of [many, dotted]) {
      const found = await post<Page>("/search", { ids: [...others, first?.id] });
      expect(ids(found)).toEqual([first?.id]);
    }
    const condition = { op: "like", args: [{ property: "variable" }, "%"] };
    const likes = (count: number) => ({
      filter: { op: "or", args: Array.from({ length: count }, () => condition) },
    });
    expect((await post<Page>("/search", likes(250))).numberMatched).toBeGreaterThan(100);
    await post("/search", likes(300), 400);
  });

  it("refuses invalid bodies with 400, and survives deeply nested ones", async () => {
    const send = (body: string, path = "search") =>
      service.get(`/stac/${path}`, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body,
      });
    const deep = (open: string, inner: string, close: string): string =>
      `${open.repeat(10_000)}${inner}${close.repeat(10_000)}`;
    const text = (filter: string): string => JSON.stringify({ filter });
    for (const body of [
      `{"filter":${deep('{"op":"not","args":[', "true", "]}")}}`,
      `{"filter":{"op":"=","args":[{"property":"a"},${deep("[", "1", "]")}]}}`,
      `{"intersects":{"type":"Polygon","coordinates":${deep("[", "1", "]")}}}`,
      `{"query":{"a":{"eq":${deep("[", "1", "]")}}}}`,
      text(deep("(", "true", ")")),
      text(`${"not ".repeat(10_000)}true`),
      text(`a = ${"casei(".repeat(8000)}`),
    ]) {
      for (const path of ["search", "aggregate", "collections/CMIP6/aggregate"]) {
        const response = await send(body, path);
        expect(response.status, body.slice(0, 50)).toBe(400);
        expect(((await response.json()) as { detail: string }).detail).toMatch(/nested|levels/);
      }
    }
    expect((await send("{")).status).toBe(400);
    for (const body of [
      { fields: null },
      { limit: 0 },
      { limit: "10" },
      { bbox: [1, 2, 3] },
      { datetime: "/" },
      { sortby: "id" },
      { nosuch: 1 },
      { intersects: { type: "Point", coordinates: [] } },
      { filter: "variable =" },
      { filter: 5 },
    ]) {
      await post("/search", body, 400);
    }
  });

  it("finds nothing for a list without collections or ids, as scripts send it", async () => {
    for (const body of [{ collections: [] }, { ids: [] }]) {
      expect((await post<Page>("/search", body)).numberMatched, JSON.stringify(body)).toBe(0);
    }
    expect((await search({ collections: "," })).numberMatched).toBe(0);
  });

  it("accepts a geometry of 10,000 positions with heights, and no more", async () => {
    const around = (count: number) =>
      Array.from({ length: count }, (_, index) => [(index % 360) - 180, index % 90, 0]);
    const points = (count: number) => ({
      intersects: { type: "MultiPoint", coordinates: around(count) },
      limit: 1,
    });
    expect((await post<Page>("/search", points(10_000))).numberMatched).toBeGreaterThan(100);
    expect(await post("/search", points(10_001), 400)).toMatchObject({
      detail: "intersects: has a geometry of more than 10000 positions",
    });
    const fields = { include: Array.from({ length: 101 }, () => "id") };
    expect(await post("/search", { fields }, 400)).toMatchObject({
      detail: expect.stringContaining("fields.include: must have at most 100 entries"),
    });
  });

  it("accepts the collection of its address once more, as pystac-client sends it, and no other", async () => {
    const all = await get<Page>("/collections/CMIP6/items?limit=1");
    const same = await get<Page>("/collections/CMIP6/items?limit=1&collections=cmip6");
    expect(same.numberMatched).toBe(all.numberMatched);
    await get("/collections/CMIP6/items?collections=CORDEX", 400);
  });

  it("refuses properties that a collection does not have, which are null at the root", async () => {
    expect((await search({ filter: "eo:cloud_cover < 5" })).numberMatched).toBe(0);
    await get("/collections/CMIP6/items?filter=eo:cloud_cover%3C5", 400);
  });

  it("accepts a filter as text in a body, as pystac-client sends it, and keeps it on the next page", async () => {
    const filter = "variable_id = 'tas'";
    const body = { filter, "filter-lang": "cql2-text", limit: 20 };
    const items = await walk(await post<Page>("/search", body));
    const { numberMatched } = await search({ filter });
    expect(items).toHaveLength(numberMatched);
  });

  it.each(STAC_BROWSER)("accepts the requests of STAC Browser: $what", async (recorded) => {
    const { body, path = "/search", query } = recorded;
    const answer =
      body === undefined
        ? await get<Page>(`${path}?${new URLSearchParams(query)}`)
        : await post<Page>(path, body);
    expect(answer.numberMatched).toBeGreaterThan(0);
    expect(answer.numberReturned).toBeGreaterThan(0);
  });

  it("gives exactly the included fields, and all but the excluded ones", async () => {
    const first = async (fields: string) => (await search({ fields, limit: "1" })).features[0];
    expect(Object.keys((await first("id")) ?? {})).toEqual(["id"]);
    expect(await first("properties.cmip6:variable_id")).toEqual({
      properties: { "cmip6:variable_id": expect.any(String) },
    });
    const rest = await first("-geometry,-properties.title");
    expect(rest).not.toHaveProperty("geometry");
    expect(rest?.properties).not.toHaveProperty("title");
    expect(rest).toHaveProperty("assets");
    const usual = await first("");
    expect(Object.keys(usual?.properties ?? {}).sort()).toEqual([
      "datetime",
      "end_datetime",
      "start_datetime",
    ]);
  });
});

describe("queryables and aggregations", () => {
  it("name only properties that filters can compare, and list the values of items", async () => {
    const schema = await get<{ $id: string; properties: Record<string, { enum?: string[] }> }>(
      "/collections/CMIP6/queryables",
    );
    expect(schema.$id).toBe(`${service.address}${PREFIX}/stac/collections/CMIP6/queryables`);
    const variables = schema.properties["cmip6:variable_id"]?.enum ?? [];
    expect(variables).toContain("tas");
    for (const [name, { enum: values = [] }] of Object.entries(schema.properties)) {
      const filter = name === "geometry" ? `${name} is not null` : `"${name}" is not null`;
      await get(`/collections/CMIP6/items?${new URLSearchParams({ filter, limit: "1" })}`);
      for (const value of values.slice(0, 2)) {
        const equal = `"${name}" = '${value.replaceAll("'", "''")}'`;
        const query = new URLSearchParams({ filter: equal, limit: "1" });
        const page = await get<Page>(`/collections/CMIP6/items?${query}`);
        expect(page.numberMatched, equal).toBeGreaterThan(0);
      }
    }
  });

  it("count datasets as searches find them, by GET and POST, at the root and in a collection", async () => {
    const names = ["total_count", "cmip6_variable_id_frequency", "alternate_name_frequency"];
    const filter = "variable_id like 't%'";
    const query = new URLSearchParams({ aggregations: names.join(","), filter });
    interface Counted {
      aggregations: {
        name: string;
        value: number;
        buckets: { key: string; frequency: number }[];
      }[];
    }
    const byGet = await get<Counted>(`/collections/CMIP6/aggregate?${query}`);
    const json = { op: "like", args: [{ property: "variable_id" }, "t%"] };
    const body = { aggregations: names, filter: json, collections: ["CMIP6"] };
    const byPost = await post<Counted>("/aggregate", body);
    expect(byPost.aggregations).toEqual(byGet.aggregations);
    const [total, variables] = byGet.aggregations;
    const found = await search({ filter, collections: "CMIP6", limit: "1" });
    expect(total?.value).toBe(found.numberMatched);
    for (const { key, frequency } of variables?.buckets ?? []) {
      const one = await search({ filter: `cmip6:variable_id = '${key}'`, collections: "CMIP6" });
      expect(frequency, key).toBe(one.numberMatched);
    }
    const { aggregations } = await get<Counted>("/collections/CMIP6/aggregations");
    const all = aggregations.map(({ name }) => name);
    expect(all).toEqual(expect.arrayContaining([...names, "datetime_frequency"]));
    const everything = await get<Counted>(
      `/collections/CMIP6/aggregate?aggregations=${encodeURIComponent(all.join(","))}`,
    );
    expect(everything.aggregations.map(({ name }) => name)).toEqual(all);
    await get("/aggregate?aggregations=nosuch", 400);
    // Nearly every file or dataset has its own value.
    for (const name of ["tracking_id", "title", "further_info_url"]) {
      await get(`/aggregate?aggregations=cmip6_${name}_frequency`, 400);
    }
  });
});
