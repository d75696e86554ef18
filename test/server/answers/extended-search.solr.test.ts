/** Documents with chosen fields: pages that are the list, counts that are those of a metadata search, and tables. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import type {
  ExtendedSearchResult,
  MetadataSearchResult,
  Problem,
} from "../../../generated/schemas.js";
import { packagePath } from "../../../src/platform/package-root.js";
import { chances, randomDocuments } from "../../support/data/random-documents.js";
import { OWN_FLAVOUR, OWN_MAPPING, randomSearch } from "../../support/data/random-searches.js";
import { pythonOf, runPython } from "../../support/programs/python.js";
import { freshFolder } from "../../support/run/folders.js";
import { isOnTheCloud } from "../../support/run/left-out.js";
import { attempts, chance, SEED, tried } from "../../support/run/trials.js";
import { makeFlavour } from "../../support/service/flavours.js";
import { emptyIndex, load, type TestDocument } from "../../support/service/service.js";
import { bearer } from "../../support/service/sign-in.js";
import { useService } from "../../support/service/use-service.js";
import { person } from "../../support/service/user-data.js";
import { useFaultySolr } from "../../support/solr/faulty-solr.js";

const SEARCH = "/databrowser/extended-search";
const WALKS = attempts(20, 1000);
/** What has a meaning in Lucene, in a URL, in UTF-16 or in a table. */
const ODD = [
  "*",
  '"',
  "'",
  " ",
  "[a TO b]",
  "&&",
  "#",
  "%2F",
  "${solr.home}",
  "\\u0041",
  "\n",
  ",",
  ";",
  "é",
  "e\u0301",
  "\u{1f30d}",
  "\uffee",
  "\u{10ffff}",
  "İ",
  "=",
  "\u0001",
];
const FULL: TestDocument = {
  file: "/data/full.nc",
  uri: "=cmd|' /C calc'!A0",
  project: "full",
  variable: ["tas", "a;b\\c", "=1+1"],
  model: "-5",
  time: "[1985-01-01T00:00:00Z TO 1989-12-31T23:59:59Z]",
  bbox: "ENVELOPE(-10.5,30,70,-35)",
  size: 9_007_199_254_740_991,
  modified: "2019-07-10T12:00:00Z",
  retracted: true,
  units: ["K", "m"],
  license: "@me",
};
const BARE: TestDocument = { file: "/data/bare.nc", project: "full", modified: "0044-03-15" };

const wire = useFaultySolr();
const service = useService();
/** The same over a wire that can be watched and broken. */
const wired = useService(() => ({ endpoint: { urls: [wire.url] } }));
const folder = freshFolder();
let token: string;
const random = chance(SEED);
const by = chances(random);

beforeAll(async () => {
  await emptyIndex(service.solr);
  const odd = Array.from({ length: 300 }, (_, index) => ({
    file: `/pool/${by.pick(ODD)}${by.pick(ODD)}${by.pick(ODD)}${index % 7 ? index : ""}`,
    project: "odd",
  }));
  const refused: unknown[] = [];
  await load(service.solr, [...randomDocuments(random).posted, ...odd, FULL, BARE], refused as []);
  expect(refused).toEqual([]);
  const ada = await person(service);
  token = ada.token;
  await makeFlavour(service, ada, OWN_FLAVOUR.name, OWN_MAPPING);
});
afterEach(() => wire.fail(() => undefined));

async function page(
  path: string,
  init: RequestInit = bearer(token),
): Promise<ExtendedSearchResult> {
  const response = await service.get(path, init);
  expect(response.status, `${path} ${SEED}`).toBe(200);
  return (await response.json()) as ExtendedSearchResult;
}

/** All pages from an address on, by the addresses that they name. */
async function walk(path: string): Promise<ExtendedSearchResult[]> {
  const pages = [await page(path)];
  for (let next = pages[0]?.next; next; next = pages.at(-1)?.next) {
    pages.push(await page(next.slice(next.indexOf("/databrowser"))));
  }
  return pages;
}

const line = (location: string): string => location.replace(/[\r\n]/g, encodeURIComponent);

async function list(path: string): Promise<string[]> {
  const response = await service.get(`/databrowser/data-search/${path}`, bearer(token));
  return (await response.text()).split("\n").slice(0, -1);
}

async function problem(
  path: string,
  init: RequestInit = {},
): Promise<Problem & { status: number }> {
  const response = await service.get(path, init);
  return { ...((await response.json()) as Problem), status: response.status };
}

describe("pages", () => {
  it("are together the list, and each has the counts of all", async () => {
    let several = 0;
    for (let walks = 0; walks < WALKS; walks++) {
      const { path, pairs } = randomSearch(by, walks % 4);
      const query = new URLSearchParams(pairs.map((pair) => [...pair]));
      const limit = 1 + by.below(by.pick([40, 300]));
      const pages = await walk(`${SEARCH}/${path}?${query}&facets=*&limit=${limit}`);
      const files = pages.flatMap(({ documents }) => documents);
      const told = `${path}?${query}&limit=${limit} SEED=${SEED}`;
      const key = path.endsWith("uri") ? "uri" : "file";
      expect(
        files.map((one) => line(String(one[key]))),
        told,
      ).toEqual(await list(`${path}?${query}`));
      const counted = await service.get(
        `/databrowser/metadata-search/${path}?${query}&facets=*`,
        bearer(token),
      );
      const { total_count, facets, facet_mapping } = (await counted.json()) as MetadataSearchResult;
      for (const one of pages) {
        expect(one.documents.length, told).toBeLessThanOrEqual(limit);
        expect(one, told).toMatchObject({ total_count, facets, facet_mapping });
      }
      several += pages.length > 1 ? 1 : 0;
    }
    expect(several).toBeGreaterThan(WALKS / 4);
    tried(WALKS);
  });

  it("have the order of the list for paths with any characters", async () => {
    const all = await list("native/file?project=odd");
    for (const limit of [9, 100]) {
      const pages = await walk(`${SEARCH}/native/file?project=odd&fields=file&limit=${limit}`);
      expect(
        pages.flatMap(({ documents }) => documents.map(({ file }) => line(String(file)))),
      ).toEqual(all);
      expect(pages).toHaveLength(Math.ceil(all.length / limit));
    }
  });

  // On a cloud the versions of several shards are asked for besides.
  it.skipIf(isOnTheCloud)(
    "take one request to Solr each, and the first one is cached while the index is the same",
    async () => {
      const path = `${SEARCH}/native/file?project=odd&facets=project,model&limit=3`;
      const first = await page(path);
      const before = wire.asked.length;
      const second = await wired.get(`${path}&after=${first.after}`);
      expect(((await second.json()) as ExtendedSearchResult).facets).toEqual(first.facets);
      // The state of other instances and the version of the index are read now and then, whatever is requested.
      const asked = wire.asked
        .slice(before)
        .filter(({ path }) => path.startsWith("files/") && path !== "files/admin/luke");
      expect(asked.map(({ path }) => path)).toEqual(["files/select"]);
      const hits = (): number => service.solr.usage.pages.hits;
      const known = hits();
      const again = async () => {
        expect(await page(path)).toEqual(first);
        return hits();
      };
      // Just after a change nothing is taken for known.
      await expect.poll(again).toBeGreaterThan(known);
      await load(service.solr, [{ file: "/pool/later.nc", project: "odd" }]);
      expect((await page(path)).total_count).toBe(first.total_count + 1);
    },
  );

  it("are not sent again to a client that has one", async () => {
    const path = `${SEARCH}/native/file?limit=2`;
    const response = await service.get(path);
    const headers = { "If-None-Match": response.headers.get("etag") ?? "" };
    expect((await service.get(path, { headers })).status).toBe(304);
  });

  it("have the requested fields, each in its form", async () => {
    const fields = "uri,time,variable,bbox,size,modified,retracted,units,license,version,source_id";
    const path = `${SEARCH}/cmip6/file?mip_era=full&translate=true&fields=${fields}`;
    const wanted = fields.replace("variable,", "variable_id,");
    const { documents, after, next } = await page(path.replace(fields, wanted));
    expect(documents).toEqual([
      {
        uri: FULL.uri,
        size: FULL.size,
        modified: FULL.modified,
        retracted: true,
        time: "1985-01-01T00:00:00Z to 1989-12-31T23:59:59Z",
        variable_id: ["=1+1", "a;b\\c", "tas"],
        bbox: { west: -10.5, east: 30, south: -35, north: 70 },
        units: ["K", "m"],
        license: "@me",
        source_id: ["-5"],
      },
      { modified: "0044-03-15T00:00:00Z" },
    ]);
    expect([after, next]).toEqual([null, null]);
    const [usual] = (await page(`${SEARCH}/cmip6/uri?mip_era=full`)).documents;
    expect(usual).toMatchObject({ uri: FULL.uri, mip_era: ["full"], fs_type: "posix" });
    expect(usual).not.toHaveProperty("file");
  });

  it("begin where the address says, and nowhere else by a forged text", async () => {
    const path = `${SEARCH}/native/file?project=full&fields=file`;
    const behind = (text: string): string =>
      `${path}&after=${Buffer.from(text).toString("base64url")}`;
    expect((await page(behind("/data/full.nc"))).documents).toEqual([{ file: "/data/bare.nc" }]);
    expect((await page(behind("/data/g"))).documents).toHaveLength(2);
    expect((await page(behind("${first} *:* OR '\"\\"))).total_count).toBe(2);
    for (const text of ["x!", "%20", "L2Rh=", "_w", "A", "L2R\u00e4"]) {
      const told = await problem(`${path}&after=${encodeURIComponent(text)}`);
      expect(told.status, text).toBe(422);
      expect(told.errors?.[0]?.name, text).toBe("after");
    }
    expect((await problem(`${path}&after=${"A".repeat(12_001)}`)).status).toBe(422);
  });

  it("are refused if they are too long, or have unknown fields", async () => {
    for (const [query, name] of [
      ["limit=0", "limit"],
      ["limit=10001", "limit"],
      ["fields=varable", "fields"],
      ["fields=owner", "fields"],
      ["facets=varable", "facets"],
      ["format=csv&after=L2Rh", "after"],
      ["format=parquet&facets=model", "facets"],
      ["format=csv&format=json", "format"],
    ]) {
      const told = await problem(`${SEARCH}/native/file?${query}`);
      expect([told.status, told.errors?.[0]?.name], query).toEqual([422, name]);
    }
    expect((await page(`${SEARCH}/native/file?limit=10000&fields=file`)).next).toBeNull();
  });
});

describe("tables", () => {
  const FIELDS =
    "file,uri,variable,model,project,time,bbox,size,modified,retracted,units,license,region,fs_type";
  const get = (query: string, init: RequestInit = {}): Promise<Response> =>
    service.get(`${SEARCH}/native/file?${query}`, init);

  async function read(query: string): Promise<Read> {
    const files = await Promise.all(
      ["parquet", "csv"].map(async (format) => {
        const response = await get(`${query}&format=${format}`);
        expect(response.status).toBe(200);
        const path = join(folder, `table.${format}`);
        await writeFile(path, Buffer.from(await response.arrayBuffer()));
        return path;
      }),
    );
    const script = packagePath("test", "python", "tables.py");
    return JSON.parse(await runPython([script, ...files], pythonOf("tables"))) as Read;
  }

  it.each(["csv", "parquet"])(
    "are an operation of their own as %s, for which format is a facet",
    async (form) => {
      const own = (query: string) => service.get(`${SEARCH}/native/file/${form}?${query}`);
      const expected = await get(`fields=${FIELDS}&limit=7&format=${form}`);
      const found = await own(`fields=${FIELDS}&limit=7`);
      expect(found.headers.get("Content-Type")).toBe(expected.headers.get("Content-Type"));
      expect(await found.arrayBuffer()).toEqual(await expected.arrayBuffer());
      const accepted = await service.get(`${SEARCH}/native/file/${form}`, {
        headers: { Accept: "application/json" },
      });
      expect(accepted.headers.get("Content-Type")).toBe(found.headers.get("Content-Type"));
      const none = await own("fields=file&format=csv");
      expect(none.headers.get("Link")).toContain("/databrowser/why/");
    },
  );

  interface Read {
    readonly types: Record<"pyarrow" | "duckdb" | "pandas" | "csv", Record<string, string>>;
    readonly rows: Record<"pyarrow" | "duckdb" | "pandas" | "csv", Record<string, unknown>[]>;
  }

  it("are what the pages have, in pyarrow, pandas and DuckDB, with the right types", async () => {
    const { types, rows } = await read(`fields=${FIELDS}`);
    const { documents } = await page(`${SEARCH}/native/file?fields=${FIELDS}&limit=10000`);
    const names = FIELDS.replace("bbox", "bbox_west,bbox_east,bbox_south,bbox_north").split(",");
    const expected = documents.map((document) => {
      const { bbox, ...others } = document;
      const sides = Object.entries(bbox ?? {}).map(([side, value]) => [`bbox_${side}`, value]);
      const row = { ...others, ...Object.fromEntries(sides) };
      return Object.fromEntries(names.map((name) => [name, row[name] ?? null]));
    });
    const moment = (value: unknown): unknown =>
      value ? Number(value) || Date.parse(String(value)) : value;
    const dated = (all: Record<string, unknown>[]) =>
      all.map((row) => ({ ...row, modified: moment(row.modified) }));
    expect(dated(rows.pyarrow)).toEqual(dated(expected));
    expect(dated(rows.duckdb)).toEqual(dated(expected));
    expect(rows.pandas.map(({ file, variable }) => [file, variable])).toEqual(
      expected.map(({ file, variable }) => [file, variable]),
    );
    const text = {
      file: "string",
      uri: "string",
      time: "string",
      license: "string",
      fs_type: "string",
    };
    const texts = "list<element: string not null>";
    const sides = {
      bbox_west: "double",
      bbox_east: "double",
      bbox_south: "double",
      bbox_north: "double",
    };
    expect(types.pyarrow).toEqual({
      ...text,
      ...sides,
      size: "int64",
      modified: "timestamp[ms, tz=UTC]",
      retracted: "bool",
      variable: texts,
      model: texts,
      project: texts,
      units: texts,
      region: texts,
    });
    expect(types.duckdb).toMatchObject({
      file: "VARCHAR",
      variable: "VARCHAR[]",
      size: "BIGINT",
      bbox_west: "DOUBLE",
      modified: "TIMESTAMP WITH TIME ZONE",
      retracted: "BOOLEAN",
    });
    expect(types.pandas).toMatchObject({ modified: "datetime64[ms, UTC]", bbox_west: "float64" });
    expect(types.csv).toMatchObject({ size: "float64", bbox_west: "float64" });

    const plain = (cell: unknown): string => String(cell).replace(/^'/, "");
    const csv = rows.csv.map((row) =>
      names.map((name) => (row[name] === "" ? null : plain(row[name]))),
    );
    const written = (value: unknown): string | null => {
      if (Array.isArray(value)) return value.map((one) => one.replace(/[;\\]/g, "\\$&")).join(";");
      return value === null ? null : String(value);
    };
    expect(csv).toEqual(expected.map((row) => names.map((name) => written(row[name]))));
  });

  it("cannot be calculated in a spreadsheet", async () => {
    const answer = await get("project=full&fields=uri,variable,model,license,bbox&format=csv");
    const lines = (await answer.text()).split("\r\n");
    expect(lines).toEqual([
      "uri,variable,model,license,bbox_west,bbox_east,bbox_south,bbox_north",
      "'=cmd|' /C calc'!A0,'=1+1;a\\;b\\\\c;tas,-5,'@me,-10.5,30,-35,70",
      ",,,,,,,",
      "",
    ]);
  });

  it("have a schema if nothing is found", async () => {
    const { types, rows } = await read("project=none&fields=file,variable,size,modified");
    expect(rows.pyarrow).toEqual([]);
    expect(rows.csv).toEqual([]);
    expect(Object.values(types.pyarrow)).toEqual([
      "string",
      "list<element: string not null>",
      "int64",
      "timestamp[ms, tz=UTC]",
    ]);
    const { documents, links } = await page(`${SEARCH}/native/file?project=none`);
    expect(documents).toEqual([]);
    expect(links?.why).toContain("/databrowser/why/native/file?project=none");
    expect((await get("project=none&format=csv")).headers.get("link")).toContain(
      "/databrowser/why/",
    );
  });

  it("are chosen by format, or by Accept, or else are JSON; format is a facet all the same", async () => {
    const type = async (query: string, accept?: string): Promise<string> => {
      const response = await get(query, accept ? { headers: { accept } } : {});
      expect(response.headers.get("vary")).toContain("Accept");
      await response.arrayBuffer();
      return response.headers.get("content-type")?.split(";")[0] ?? "";
    };
    const PARQUET = "application/vnd.apache.parquet";
    expect(await type("project=full")).toBe("application/json");
    expect(await type("project=full", "text/csv")).toBe("text/csv");
    expect(await type("project=full", `text/csv;q=0.5, ${PARQUET}`)).toBe(PARQUET);
    expect(await type("project=full", "image/png")).toBe("application/json");
    expect(await type("project=full&format=parquet", "text/csv")).toBe(PARQUET);
    expect(await type("project=full&format=json", "text/csv")).toBe("application/json");
    expect(await type("project=full&format=nc&format=csv")).toBe("text/csv");
    expect((await page(`${SEARCH}/native/file?format=zarr&project=full`)).total_count).toBe(0);
    expect((await page(`${SEARCH}/native/file?format=nc&project=full`)).total_count).toBe(2);
  });

  it("have a name, and the requested number of lines", async () => {
    const response = await get("project=odd&fields=size&limit=17&format=csv");
    const name = response.headers.get("content-disposition");
    expect(name).toBe('attachment; filename="climate-nextgen-native_odd.csv"');
    expect((await response.text()).split("\r\n")).toHaveLength(19);
    const parquet = await get("project=odd&format=parquet&limit=1", { method: "HEAD" });
    expect(parquet.headers.get("content-disposition")).toContain(
      "climate-nextgen-native_odd.parquet",
    );
  });

  it("list the files of complete groups alone on request; pages refuse it", async () => {
    const groups = "group_by=model,ensemble&need=variable:tas&need=variable:pr";
    const files = await list(`native/file?${groups}`);
    expect(files.length).toBeGreaterThan(0);
    expect(files.length).toBeLessThan((await list("native/file")).length);
    const table = await get(`${groups}&fields=file&format=csv`);
    expect((await table.text()).split("\r\n").slice(1, -1)).toEqual(files);
    expect((await problem(`${SEARCH}/native/file?${groups}`)).status).toBe(422);
  });

  it("break if Solr breaks, and never look complete", async () => {
    let begun = 0;
    const whole = async (query: string): Promise<ArrayBuffer> =>
      (await service.get(`${SEARCH}/native/file?${query}`)).arrayBuffer();
    for (const format of ["csv", "parquet"]) {
      for (const kind of ["garbage", "reset", "end"] as const) {
        wire.fail(({ path }) => (path.endsWith("/export") ? { after: 60_000, kind } : undefined));
        const query = `format=${format}&fields=*,dataset_id,file,uri`;
        const response = await wired.get(`${SEARCH}/native/file?${query}`).catch(() => undefined);
        if (response?.status === 503) continue;
        begun += response?.status === 200 ? 1 : 0;
        const body = await response?.arrayBuffer().catch(() => undefined);
        // On a cloud the half of it that a node has may have come before the wire breaks, or from another node.
        if (isOnTheCloud && body !== undefined) expect(body).toEqual(await whole(query));
        else expect(body, `${format} ${kind}`).toBeUndefined();
      }
      expect(begun).toBeGreaterThan(0);
    }
  });
});
