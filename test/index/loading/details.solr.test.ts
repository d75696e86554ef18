/** What the index keeps of documents beside their facets, against plain arithmetic. */
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { MetadataSearchResult, Problem } from "../../../generated/schemas.js";
import { newest } from "../../../src/domain/search/lucene.js";
import { datasetId } from "../../../src/domain/vocabulary/dataset-id.js";
import {
  COUNTABLE_DETAILS,
  DETAIL_NAMES,
  DETAILS,
} from "../../../src/domain/vocabulary/details.js";
import { openExport } from "../../../src/index/export/sorted-export.js";
import type { Refusal } from "../../../src/index/loading/add-documents.js";
import { isOnTheCloud } from "../../support/run/left-out.js";
import { attempts, chance, SEED } from "../../support/run/trials.js";
import { emptyIndex, load, postToSolr, type TestDocument } from "../../support/service/service.js";
import { useService } from "../../support/service/use-service.js";

const service = useService({ timeoutMs: 120_000 });

type Values = Record<string, unknown>;

async function ask<T>(path: string, body: Record<string, string> = {}): Promise<T> {
  const { text } = await service.solr.http.send({
    method: "POST",
    path,
    body: new URLSearchParams({ q: "*:*", wt: "json", ...body }).toString(),
    headers: { "Content-Type": "application/x-www-form-urlencoded" },
  });
  return JSON.parse(text) as T;
}

async function stored(collection: string, fields = "*"): Promise<Values[]> {
  const fq = collection === "files" ? "*:*" : newest("*:*");
  const body = { fq, rows: "1000", sort: "file asc", fl: fields };
  const { response } = await ask<{ response: { docs: Values[] } }>("files/select", body);
  return response.docs;
}

/** What /export gives, of all shards. */
async function exported(parameters: Record<string, string>): Promise<Values[]> {
  const all = new URLSearchParams({ q: "*:*", ...parameters });
  const { batches } = await openExport(service.solr.http, all);
  const found: Values[] = [];
  for await (const { documents } of batches) found.push(...documents);
  return found;
}

const SUM = "0".repeat(64);

describe("a loaded document", () => {
  beforeEach(() => emptyIndex(service.solr));

  it("has the name of its dataset and the ends of its period, whatever it contains", async () => {
    const document = {
      file: "/a",
      project: ["CMIP6"],
      product: "CMIP",
      institute: "x",
      model: "m",
      experiment: "historical",
      ensemble: "r1",
      cmor_table: "Amon",
      variable: ["tas"],
      time: "[1979-01-01T00:00:00Z TO 1979-12-31T23:59:59Z]",
    };
    const said = { dataset_id: "mine", time_start: "x", time_end: [1], updated: "never" };
    await load(service.solr, [document, { ...document, ...said, file: "/b" }, { file: "/c" }]);
    for (const collection of ["files", "latest"]) {
      const [a, b, c] = await stored(collection);
      expect(a).toMatchObject({
        dataset_id: "CMIP6.CMIP.x.m.historical.r1.Amon.tas.gn",
        time_start: "1979-01-01T00:00:00Z",
        time_end: "1979-12-31T23:59:59Z",
      });
      expect({ ...b, file: 0, _version_: 0 }).toEqual({ ...a, file: 0, _version_: 0 });
      for (const field of ["dataset_id", "time_start", "size"]) expect(c).not.toHaveProperty(field);
      expect(c).toHaveProperty("added");
    }
  });

  it("keeps every correct detail, in one form", async () => {
    const details = {
      size: "123",
      checksum: `SHA256:${SUM}`,
      modified: "2019-07-10T12:00+02:00",
      units: "K",
      tracking_id: ["b", "a"],
      standard_name: ["x"],
      long_name: "L L",
      nominal_resolution: "250 km",
      license: "CC BY",
      further_info_url: "https://x/y",
      retracted: "TRUE",
    };
    const odd = { size: 1.5e3, modified: "2019-07-10T23:00:00.5Z", retracted: [false], units: 1 };
    const none = { size: "", checksum: "", modified: [], retracted: null, units: "", license: [] };
    await load(service.solr, [
      { file: "/a", ...details },
      { file: "/b", ...odd },
      { file: "/c", ...none },
    ]);
    const [a, b, c] = await stored("latest");
    expect(a).toMatchObject({
      ...details,
      size: 123,
      checksum: `sha256:${SUM}`,
      modified: "2019-07-10T10:00:00Z",
      units: ["K"],
      tracking_id: ["a", "b"],
      long_name: ["L L"],
      retracted: true,
    });
    expect(b).toMatchObject({
      size: 1500,
      modified: "2019-07-10T23:00:00.500Z",
      retracted: false,
      units: ["1"],
    });
    for (const field of Object.keys(none)) expect(c).not.toHaveProperty(field);
  });

  it.each([
    ["size", -1, /whole number of bytes/],
    ["size", "12 MB", /whole number of bytes/],
    ["size", 1.5, /whole number of bytes/],
    ["size", 2 ** 60, /whole number of bytes/],
    ["size", [1, 2], /more than one value/],
    ["checksum", "abc", /64 hexadecimal digits/],
    ["checksum", `sha256:${"0".repeat(63)}`, /64 hexadecimal digits/],
    ["checksum", `sha256:${"g".repeat(64)}`, /64 hexadecimal digits/],
    ["modified", "yesterday", /ISO 8601/],
    ["modified", "2019-02-30T00:00:00Z", /exist/],
    ["modified", 1_500_000_000, /ISO 8601/],
    ["added", "NOW", /ISO 8601/],
    ["retracted", "yes", /true or false/],
    ["license", ["a", "b"], /license/],
    ["units", { a: 1 }, /not an object/],
  ])("is refused for a %s of %j, and all others are loaded", async (field, value, reason) => {
    const refused: Refusal[] = [];
    const documents = [{ file: "/a" }, { file: "/b", [field]: value }, { file: "/c" }];
    expect(await load(service.solr, documents, refused)).toMatchObject({ stored: 2 });
    expect(refused).toEqual([{ line: 2, reason: expect.stringMatching(reason) }]);
  });

  // Not as texts: Solr writes no fraction of a whole second.
  const moment = (text: unknown): number => Date.parse(String(text));

  it("keeps its first time of arrival when it is loaded again, twice in one run, or as another's", async () => {
    const documents = ["/x/v20190101/a", "/x/v20200101/a", "/b"].map((file) => ({ file }));
    await load(service.solr, documents);
    const first = await stored("files", "file,added,updated");
    expect(new Set(first.map(({ added }) => added)).size).toBe(1);
    await load(service.solr, [...documents, { file: "/b", user: "x" }, { file: "/new" }]);
    const [files, latest] = await Promise.all(["files", "latest"].map((name) => stored(name)));
    const known = new Map(first.map(({ file, added }) => [file, added]));
    for (const { file, added, updated } of files ?? []) {
      if (known.has(file)) expect(added).toBe(known.get(file));
      else expect(moment(added)).toBeGreaterThan(moment(first[0]?.added));
      expect(moment(updated)).toBeGreaterThanOrEqual(moment(added));
      expect(moment(updated)).toBeGreaterThan(moment(first[0]?.updated));
    }
    // In one run under two names, or with a moment of its own, it is one document.
    const mine = "2001-02-03T04:05:06Z";
    await load(service.solr, [
      { file: "/own", added: mine },
      { file: "/twice", size: 1 },
      { file: "/twice", size: 2 },
    ]);
    await load(service.solr, [{ file: "/own", added: "1999-01-01T00:00:00Z" }, { file: "/twice" }]);
    const own = (await stored("latest")).find(({ file }) => file === "/own");
    expect(own?.added).toBe(mine);
    const seen = new Map((await stored("files")).map((one) => [one.file, one]));
    for (const { _version_, ...document } of latest ?? []) {
      const { _version_: _, ...other } = seen.get(document.file) ?? {};
      expect(other).toEqual(document);
    }
  });

  it("keeps the time at which a killed load sent it", async () => {
    await load(service.solr, [{ file: "/z" }]);
    const began = new Date(Date.now() - 60_000).toISOString();
    await postToSolr(service.solr, [{ file: "/a", added: began }], false);
    await load(service.solr, [{ file: "/a" }]);
    for (const collection of ["files", "latest"]) {
      expect((await stored(collection))[0]).toMatchObject({ file: "/a", added: began });
    }
  });

  it("gets its times from Solr if a crawler posts it, unless it has them", async () => {
    const began = Date.now() - 1000;
    const mine = { added: "2001-02-03T04:05:06Z", updated: "2002-02-03T04:05:06Z" };
    await postToSolr(service.solr, [
      { file: "/a", size: 7, retracted: false },
      { file: "/b", ...mine },
    ]);
    const [a, b] = await stored("files");
    expect(a).toMatchObject({ size: 7, retracted: false });
    expect(Date.parse(String(a?.added))).toBeGreaterThan(began);
    expect(a?.updated).toBe(a?.added);
    expect(b).toMatchObject(mine);
  });
});

describe("the details of documents", () => {
  const COUNT = attempts(6000, 200_000);
  const documents: TestDocument[] = [];
  /** What the index should hold of each, by its own file. */
  const held = new Map<string, Values>();

  beforeAll(async () => {
    await emptyIndex(service.solr);
    const random = chance(SEED);
    const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
    const some = (from: readonly string[]): string[] =>
      from.filter(() => random() < 0.4).slice(0, 3);
    const moment = (): string =>
      `${new Date(Math.floor(random() * 2e12)).toISOString().slice(0, 19)}Z`;
    const units = ["K", "k", "kg m-2 s-1", "1", "degC", "Ω"];
    for (let i = 0; i < COUNT; i += 1) {
      const [start, end] = [moment(), moment()].sort() as [string, string];
      const facets = {
        project: pick([["CMIP6"], ["CMIP5"], ["cordex"], ["other"], []]),
        product: ["CMIP"],
        institute: ["I"],
        experiment: ["historical"],
        ensemble: ["r1"],
        model: [`M${Math.floor(random() * 40)}`],
        cmor_table: ["Amon"],
        time_frequency: ["mon"],
        realm: ["atmos"],
        variable: some(["tas", "pr"]),
        driving_model: ["D"],
        rcm_name: ["R"],
      };
      const details: Values = {
        ...(random() < 0.8 && { size: Math.floor(random() ** 4 * 1e12) }),
        ...(random() < 0.3 && { checksum: `sha256:${i.toString(16).padStart(64, "0")}` }),
        ...(random() < 0.7 && { modified: moment() }),
        ...(random() < 0.5 && { tracking_id: [`hdl:${i}`] }),
        ...(random() < 0.5 && { standard_name: some(["air_temperature", "precipitation_flux"]) }),
        ...(random() < 0.5 && { long_name: some(["Near Surface", "Rain", "near surface"]) }),
        ...(random() < 0.6 && { units: some(units) }),
        ...(random() < 0.5 && { nominal_resolution: pick(["250 km", "100 km"]) }),
        ...(random() < 0.5 && { license: pick(["CC BY 4.0", "CC0", "cc0"]) }),
        ...(random() < 0.5 && { further_info_url: `https://x/${Math.floor(random() * 50)}` }),
        ...(random() < 0.3 && { retracted: random() < 0.5 }),
      };
      const time = random() < 0.9 ? { time: `[${start} TO ${end}]` } : {};
      const document = { file: `/d/${i}`, ...facets, ...details, ...time };
      documents.push(document);
      const name = datasetId(document);
      held.set(document.file, {
        ...details,
        ...(name !== undefined && { dataset_id: name }),
        ...("time" in time && { time_start: start, time_end: end }),
      });
    }
    const { stored: count } = await load(service.solr, documents);
    expect(count).toBe(COUNT);
  }, 600_000);

  const valuesOf = (field: string): [file: string, values: unknown[]][] =>
    [...held].flatMap(([file, { [field]: value }]) => {
      const values = [value].flat().filter((one) => one !== undefined);
      return values.length > 0 ? [[file, values] as [string, unknown[]]] : [];
    });
  const own = DETAIL_NAMES.filter((detail) => !["added", "updated"].includes(detail));

  it.each(own)(
    "agree with arithmetic in terms, unique values, least, greatest and sum: %s",
    async (field) => {
      const facet = {
        terms: { type: "terms", field, limit: -1, refine: true },
        unique: `unique(${field})`,
        known: {
          type: "query",
          q: `${field}:${DETAILS[field].kind === "text" ? "*" : "[* TO *]"}`,
        },
        // Solr has no least text.
        ...(DETAILS[field].kind !== "text" && { min: `min(${field})`, max: `max(${field})` }),
        ...(DETAILS[field].kind === "bytes" && { sum: `sum(${field})` }),
      };
      const { facets } = await ask<{ facets: Record<string, unknown> }>("files/select", {
        rows: "0",
        "json.facet": JSON.stringify(facet),
      });
      const all = valuesOf(field);
      const counts = new Map<string, number>();
      for (const [, values] of all) {
        for (const value of new Set(values)) {
          counts.set(String(value), (counts.get(String(value)) ?? 0) + 1);
        }
      }
      const told = (facets.terms as { buckets: { val: unknown; count: number }[] }).buckets;
      const seen = new Map(told.map(({ val, count }) => [String(val), count]));
      expect([...seen].sort(), `SEED=${SEED}`).toEqual([...counts].sort());
      // Over several shards Solr counts no more than the first hundred of each, and estimates the others.
      if (!isOnTheCloud || counts.size <= 100) expect(facets.unique).toBe(counts.size);
      expect((facets.known as { count: number }).count).toBe(all.length);
      if (DETAILS[field].kind === "bytes") {
        const sizes = all.map(([, [size]]) => Number(size));
        expect(facets.sum).toBe(sizes.reduce((sum, size) => sum + size, 0));
        expect(facets.min).toBe(sizes.reduce((least, size) => Math.min(least, size)));
        expect(facets.max).toBe(sizes.reduce((most, size) => Math.max(most, size)));
      } else if (DETAILS[field].kind === "timestamp") {
        const sorted = [...counts.keys()].sort();
        expect([facets.min, facets.max]).toEqual([sorted[0], sorted.at(-1)]);
      }
    },
  );

  it.each(own)(
    "can be exported unchanged, and sorted by if they have one value: %s",
    async (field) => {
      const isOne = !DETAILS[field].several;
      const exists = DETAILS[field].kind === "text" ? `${field}:*` : `${field}:[* TO *]`;
      const body = {
        fl: `file,${field}`,
        fq: exists,
        sort: isOne ? `${field} desc,file asc` : "file asc",
      };
      const docs = await exported(body);
      const wanted = valuesOf(field).map(([file, values]) => ({ file, values }));
      const key = (value: unknown): number | string =>
        typeof value === "number" ? value : String(value);
      const isBefore = (a: unknown, b: unknown): number =>
        key(a) === key(b) ? 0 : key(a) > key(b) ? -1 : 1;
      wanted.sort(
        (a, b) => (isOne ? isBefore(a.values[0], b.values[0]) : 0) || (a.file < b.file ? -1 : 1),
      );
      const got = docs.map(({ file, [field]: value }) => ({ file, values: [value].flat() }));
      expect(got.length).toBe(wanted.length);
      for (const [index, { file, values }] of wanted.entries()) {
        const told = `SEED=${SEED}, line ${index}`;
        expect(got[index]?.file, told).toBe(file);
        expect(got[index]?.values.map(String).sort(), told).toEqual(
          [...new Set(values.map(String))].sort(),
        );
      }
    },
  );

  it.each(COUNTABLE_DETAILS)(
    "can be counted and searched by name in every flavour, in any case: %s",
    async (field) => {
      const counts = new Map<string, number>();
      for (const [, values] of valuesOf(field)) {
        for (const value of new Set(values.map((one) => String(one).toLowerCase()))) {
          counts.set(value, (counts.get(value) ?? 0) + 1);
        }
      }
      const flat = [...counts]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .flatMap(([v, n]) => [v, String(n)]);
      for (const flavour of ["native", "cmip6", "cordex-cmip6"]) {
        const path = `/databrowser/metadata-search/${flavour}/file`;
        const result = (await (
          await service.get(`${path}?facets=${field}`)
        ).json()) as MetadataSearchResult;
        expect(result.total_count).toBe(COUNT);
        expect(result.facets, flavour).toEqual({ [field]: flat });
        const known = [...valuesOf(field)].filter(([, values]) => values.length > 0).length;
        expect(result.known_files).toEqual({ [field]: known });
        for (const [value, count] of counts) {
          const asked = encodeURIComponent(value.toUpperCase());
          const found = await service.get(`${path}?${field}=${asked}`);
          expect(((await found.json()) as MetadataSearchResult).total_count, value).toBe(count);
        }
      }
    },
  );

  it("are only in answers that request them by name", async () => {
    for (const query of ["", "?facets=all", "?facets=*"]) {
      const response = await service.get(`/databrowser/metadata-search/native/file${query}`);
      const { facets, known_files } = (await response.json()) as MetadataSearchResult;
      for (const detail of DETAIL_NAMES) expect(facets).not.toHaveProperty(detail);
      expect(known_files).toBeUndefined();
    }
  });

  it("are refused with the reason if each file has its own value, or they are a range", async () => {
    for (const detail of DETAIL_NAMES.filter((one) => !DETAILS[one].countable)) {
      const path = `/databrowser/metadata-search/cmip6/file?facets=${detail}`;
      const response = await service.get(path);
      expect(response.status, detail).toBe(422);
      expect(((await response.json()) as Problem).errors?.[0]?.reason).toMatch(/cannot be counted/);
    }
  });

  it("include unknown values, which are reported", async () => {
    const path = "/databrowser/metadata-search/cmip6/file?units=kg%20m-2%20s-2";
    const result = (await (await service.get(path)).json()) as MetadataSearchResult;
    expect(result.unknown_values).toEqual([
      { name: "units", value: "kg m-2 s-2", near: ["kg m-2 s-1"] },
    ]);
  });
});
