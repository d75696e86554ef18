import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { unzipSync } from "fflate";
import { beforeAll, describe, expect, it } from "vitest";
import { PREFIX } from "../../../generated/prefix.js";
import { IntakeCatalogue } from "../../../generated/schemas.js";
import { Loader } from "../../../src/index/loading/load.js";
import { inputOf, readDocuments } from "../../../src/index/loading/read-documents.js";
import { packagePath } from "../../../src/platform/package-root.js";
import { python } from "../../support/programs/python.js";
import { freshFolder } from "../../support/run/folders.js";
import {
  emptyIndex,
  fillIndex,
  load,
  postToSolr,
  type TestDocument,
} from "../../support/service/service.js";
import { useService } from "../../support/service/use-service.js";

const INTAKE = "/databrowser/intake-catalogue";
const STAC = "/databrowser/stac-catalogue";

/** What an index may hold, though nobody would write it on purpose. */
const ODD: TestDocument[] = [
  {
    file: '/odd/quotes "and" \\back/..%2f/ä 日本.nc',
    variable: ["tas"],
    project: ['a "b"\nc\td'],
    bbox: "ENVELOPE(170,-170,10,0)",
  },
  { file: "/odd/../../etc/passwd", format: "grb", variable: [], time: "[2000 TO *]" },
  { file: "/odd/..", format: "zarr", time: "[-21000 TO -20000]", bbox: "ENVELOPE(0,360,90,-90)" },
  { file: "relative name.nc", bbox: "ENVELOPE(-180,360,90,-90)", time: "[* TO 1999-02]" },
  { file: "/odd/\u0000\u0001\u{1F4A5}.nc", bbox: "ENVELOPE(1,2,10,-5)" },
  { file: "/odd/millennium.nc", time: "[850-01 TO 999-06]", bbox: "ENVELOPE(-10.1,10.3,5.7,0)" },
  { file: "/odd/orography.nc", time: "fx" },
  { file: "/odd/a.b/same.nc" },
  { file: "/odd/a/b.same.nc" },
  { file: `/odd/${"long".repeat(400)}.nc`, model: ["x".repeat(5000)] },
  { file: "/odd/*?.nc", uri: "https://example.org/a b?c=d&e=*", bbox: "ENVELOPE(5,5,5,5)" },
];

const service = useService();

async function archive(
  path: string,
): Promise<{ files: Record<string, Uint8Array>; bytes: Buffer }> {
  const response = await service.get(path);
  expect(response.status, response.status === 200 ? "" : await response.clone().text()).toBe(200);
  expect(response.headers.get("content-type")).toBe("application/zip");
  const bytes = Buffer.from(await response.arrayBuffer());
  return { files: unzipSync(bytes), bytes };
}

interface StacItem {
  readonly id: string;
  readonly bbox?: number[];
  readonly geometry: unknown;
  readonly properties: Record<string, unknown>;
  readonly assets: Record<string, { href: string; type?: string; roles: string[] }>;
}

/** Reads and validates an archive with pystac, offline. */
async function validated(bytes: Buffer, count: number) {
  const folder = freshFolder();
  const path = join(folder, "stac.zip");
  await writeFile(path, bytes);
  return JSON.parse(await python("stac_catalogue.py", path, String(count))) as {
    collection: {
      links: { rel: string; href: string }[];
      keywords: string[];
      description: string;
    };
    items: StacItem[];
  };
}

describe("odd documents", () => {
  beforeAll(async () => {
    await emptyIndex(service.solr);
    const refused: unknown[] = [];
    await load(service.solr, ODD);
    expect(refused).toEqual([]);
  });

  it("make a valid intake-esm catalogue with every document", async () => {
    const response = await service.get(`${INTAKE}/native/file`);
    const catalogue = IntakeCatalogue.parse(await response.json());
    expect(catalogue.catalog_dict.map((entry) => entry.file).sort()).toEqual(
      ODD.map(({ file }) => file).sort(),
    );
    const names = catalogue.attributes.map(({ column_name }) => column_name).sort();
    for (const entry of catalogue.catalog_dict) {
      expect(Object.keys(entry).sort()).toEqual(names);
    }
    const always = ["file", "fs_type", "dataset_id", "group_id", "data_format"];
    const lists = catalogue.attributes
      .map(({ column_name: name }) => name)
      .filter((name) => catalogue.catalog_dict.some((entry) => Array.isArray(entry[name])));
    const [, named] = /Columns with lists, .*: (.*)\.$/.exec(catalogue.description) ?? [];
    expect(named?.split(", ")).toEqual(lists);
    expect(lists).not.toEqual(expect.arrayContaining(always.slice(0, 1)));
    // The index gives every file one of these.
    for (const name of ["grid_label", "format", "time_aggregation"])
      expect(lists).not.toContain(name);
    for (const name of catalogue.attributes.map(({ column_name }) => column_name)) {
      const values = catalogue.catalog_dict.map((entry) => entry[name]);
      if (lists.includes(name)) {
        expect(values.every(Array.isArray), name).toBe(true);
        expect(
          values.some((value) => (value as string[]).length !== 1),
          name,
        ).toBe(true);
      } else
        expect(
          values.every((value) => typeof value === "string"),
          name,
        ).toBe(true);
    }
    expect(catalogue.last_updated).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/);
  });

  it("name datasets as the index does, also of documents without a name, with the version if there are all", async () => {
    const document = {
      project: ["CMIP7"],
      product: ["CMIP"],
      institute: ["I"],
      model: ["M"],
      experiment: ["historical"],
      ensemble: ["r1i1p1f1"],
      region: ["glb"],
      time_frequency: ["mon"],
      variable: ["tas"],
      branding_suffix: ["tavg-h2m-hxy-u"],
      grid_label: ["g1"],
      version: "v20250101",
    };
    await load(service.solr, [{ file: "/named", ...document }]);
    const crawled = { file: "/crawled", ...document, variable: ["pr"], latest: true };
    await postToSolr(service.solr, [crawled]);
    const name = (variable: string): string =>
      `MIP-DRS7.CMIP7.CMIP.I.M.historical.r1i1p1f1.glb.mon.${variable}.tavg-h2m-hxy-u.g1`;
    for (const flavour of ["native", "cmip6", "cmip7"]) {
      const query = `?${flavour === "native" ? "project" : "mip_era"}=cmip7`;
      const rows = async (more: string) => {
        const response = await service.get(`${INTAKE}/${flavour}/file${query}${more}`);
        const { catalog_dict } = IntakeCatalogue.parse(await response.json());
        return catalog_dict.map(({ file, dataset_id }) => [file, dataset_id]);
      };
      const latest = [
        ["/named", name("tas")],
        ["/crawled", name("pr")],
      ];
      expect(await rows(""), flavour).toEqual(latest);
      expect(await rows("&multi-version=true"), flavour).toEqual(
        latest.map(([file, id]) => [file, `${id}.v20250101`]),
      );
    }
    await fillIndex(service.solr, ODD);
  });

  it("make a STAC catalogue that pystac reads and validates offline", async () => {
    const { bytes, files } = await archive(`${STAC}/native/file`);
    const { items } = await validated(bytes, ODD.length);
    expect(Object.keys(files).every((name) => /^[A-Za-z0-9/._-]+$/.test(name))).toBe(true);
    expect(items.map((item) => item.assets.data?.href).sort()).toEqual(
      ODD.map(({ file }) => file).sort(),
    );
    const by = (part: string) => items.find((item) => item.assets.data?.href.includes(part));
    expect(by("quotes")?.geometry).toMatchObject({ type: "MultiPolygon" });
    expect(by("quotes")?.bbox).toEqual([170, 0, -170, 10]);
    expect(by("relative")?.bbox).toEqual([-180, -90, 180, 90]);
    expect(by("relative")?.properties.end_datetime).toBe("1999-02-28T23:59:59Z");
    expect(by("same.nc")?.geometry).toBeNull();
    expect(by("same.nc")?.properties.start_datetime).toBe("0001-01-01T00:00:00Z");
    expect(by("orography")?.properties).toMatchObject({
      start_datetime: "0001-01-01T00:00:00Z",
      end_datetime: "9999-12-31T23:59:59Z",
    });
    // Years that RFC 3339 has not: the nearest that it has, and the whole period beside it.
    const paleo = items.find(({ properties }) => properties.time !== undefined);
    expect(paleo?.properties).toMatchObject({
      start_datetime: "0001-01-01T00:00:00Z",
      end_datetime: "0001-01-01T00:00:00Z",
      time: "[-21000 TO -20000]",
    });
    expect(by("millennium")?.properties.start_datetime).toBe("0850-01-01T00:00:00Z");
    expect(by("millennium")?.properties.end_datetime).toBe("0999-06-30T23:59:59Z");
    expect(by("millennium")?.bbox).toEqual([-10.1, 0, 10.3, 5.7]);
    expect(by("\u0001")?.geometry).toMatchObject({ type: "Polygon" });
    expect(by("passwd")?.assets.data?.type).toBe("application/wmo-GRIB2");
    expect(by("/odd/..")?.assets.data?.roles).toEqual(["data"]);
  });

  it("are found again by the links of their items", async () => {
    const { items } = JSON.parse(
      JSON.stringify(await validated((await archive(`${STAC}/native/file`)).bytes, ODD.length)),
    ) as { items: StacItem[] };
    for (const { assets } of items) {
      const response = await fetch(assets.intake?.href ?? "");
      const catalogue = IntakeCatalogue.parse(await response.json());
      expect(catalogue.catalog_dict.map(({ file }) => file)).toEqual([assets.data?.href]);
    }
  });
});

describe("the sample catalogue", () => {
  beforeAll(async () => {
    await emptyIndex(service.solr);
    const loader = new Loader(service.solr.http, {
      root: packagePath("data"),
      onRefused: ({ line, reason }) => {
        throw new Error(`${line}: ${reason}`);
      },
    });
    await loader.load(readDocuments(inputOf(packagePath("data", "catalogue.jsonl"))));
  });

  it("opens in intake-esm by its address, can be searched, and loads as the files do", async () => {
    expect(await python("intake_catalogue.py", service.address + PREFIX)).toMatch(/^ok 25/);
  }, 300_000);

  it("opens in pystac, every item valid, with links back to the search", async () => {
    const path = `${STAC}/cmip6/file?mip_era=CMIP6&variable_id=tas&time=1990%20to%202015`;
    const listed = await service.get(path.replace("stac-catalogue", "data-search"));
    const files = (await listed.text()).trimEnd().split("\n");
    const { bytes } = await archive(path);
    const { collection, items } = await validated(bytes, files.length);
    expect(items.map((item) => item.assets.data?.href).sort()).toEqual([...files].sort());
    expect(collection.keywords).toEqual(["cmip6", "CMIP6", "tas", "1990 to 2015"]);
    expect(collection.description).toContain("time=1990 to 2015");
    const via = collection.links.filter(({ rel }) => rel === "via").map(({ href }) => href);
    expect(via).toHaveLength(2);
    for (const href of via) expect((await fetch(href)).status).toBe(200);
    expect(
      await (await fetch(via.find((href) => href.includes("/data-search/")) ?? "")).text(),
    ).toBe(`${files.join("\n")}\n`);
    const [item] = items;
    expect(item?.properties).toMatchObject({
      "cmip6:mip_era": "CMIP6",
      "cmip6:variable_id": "tas",
      "cmip6:activity_id": expect.any(Array),
    });
    expect(String(item?.properties["cmip6:variant_label"])).toMatch(/^r\d+i\d+p\d+f\d+$/);
  });

  it("is the same archive each time", async () => {
    const one = await archive(`${STAC}/cordex/uri?domain=EUR-11`);
    const two = await archive(`${STAC}/cordex/uri?domain=EUR-11`);
    expect(one.bytes.equals(two.bytes)).toBe(true);
  });

  it("has an item for each version with multi-version", async () => {
    const { files } = await archive(`${STAC}/cmip6/file?multi-version=true&dataset=sample`);
    expect(Object.keys(files)).toHaveLength(26 + 2);
  });

  it("names columns as the flavour does, and natively with translate=false", async () => {
    for (const [query, name] of [
      ["", "source_id"],
      ["?translate=false", "model"],
    ] as const) {
      const response = await service.get(`${INTAKE}/cmip6/uri${query}`);
      const catalogue = IntakeCatalogue.parse(await response.json());
      expect(catalogue.attributes.map(({ column_name }) => column_name)).toContain(name);
      expect(catalogue.assets).toEqual({ column_name: "uri", format_column_name: "data_format" });
      expect(catalogue.catalog_dict[0]).toHaveProperty("uri");
    }
  });

  it("omits the first documents with start", async () => {
    const count = async (query: string) => {
      const response = await service.get(`${INTAKE}/native/file${query}`);
      return IntakeCatalogue.parse(await response.json()).catalog_dict.length;
    };
    expect(await count("?start=100")).toBe((await count("")) - 100);
  });

  it.each([
    [`${INTAKE}/cmip6/file?variable_id=none`, 400],
    [`${INTAKE}/cmip6/file?start=100000`, 400],
    [`${STAC}/cmip6/file?variable_id=none`, 404],
    [`${STAC}/cmip6/file?start=100000`, 404],
    [`${INTAKE}/cmip6/file?max-results=10`, 413],
    [`${STAC}/cmip6/file?max_results=10`, 413],
    [`${INTAKE}/cmip6/file?max-results=0`, 422],
    [`${STAC}/cmip6/file?max-results=-2`, 422],
    [`${STAC}/cmip6/file?max-results=ten`, 422],
    [`${STAC}/cmip8/file`, 422],
    [`${INTAKE}/cmip6/file?model=x`, 422],
    [`${INTAKE}/cmip6/file?max-results=335`, 200],
    [`${STAC}/cmip6/file?max-results=-1`, 200],
  ])("answers %d for %s", async (path, status) => {
    const response = await service.get(path);
    expect(response.status).toBe(status);
    const type = status === 200 ? /application\/(json|zip)/ : /application\/problem\+json/;
    expect(response.headers.get("content-type")).toMatch(type);
    await response.arrayBuffer();
  });

  it("is offered under a name that describes the search", async () => {
    const response = await service.get(
      `${INTAKE}/cmip6/file?variable_id=tas&time=2000%20to%202010`,
    );
    expect(response.headers.get("content-disposition")).toBe(
      'attachment; filename="climate-nextgen-cmip6_tas_2000-to-2010.json"',
    );
    await response.text();
  });
});
