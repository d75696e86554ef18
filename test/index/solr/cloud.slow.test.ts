/** The service on a real SolrCloud whose collections have two shards. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { MetadataSearchResult } from "../../../generated/schemas.js";
import { newest } from "../../../src/domain/search/lucene.js";
import type { Search } from "../../../src/domain/search/search.js";
import {
  inspectCollections,
  MissingCollections,
} from "../../../src/index/collections/collections.js";
import { TooComplexSearch } from "../../../src/index/errors.js";
import type { Refusal } from "../../../src/index/loading/add-documents.js";
import type { Solr } from "../../../src/index/solr.js";
import {
  emptyIndex,
  load,
  postToSolr,
  startService,
  type TestDocument,
  type TestService,
  testClient,
} from "../../support/service/service.js";
import { useCloud } from "../../support/solr/use-cloud.js";
import { between, cut } from "../../support/solr/wire.js";

const COLLECTIONS = ["files"] as const;
const SEARCH = "/databrowser/data-search/native/file";
const METADATA = "/databrowser/metadata-search/native/file";
const NAMES = ["shard1", "shard2"];
const TWO_SHARDS = { cloud: true, shards: { files: NAMES } };

const ODD = ['a"b', "ü", "日本", "$" + "{x:9}"];
const YEARS = Array.from({ length: 40 }, (_, index) => 1960 + index);

/** Every version of the same files; what belongs together lies in different shards. */
const VERSIONED: TestDocument[] = YEARS.flatMap((year) =>
  ["v20190710", "v20200101", "v20210601"].map((version) => ({
    file: `/data/CMIP6/tas/gn/${version}/tas_${year}.nc`,
    ...(year % 2 === 0 && { uri: `slk:///arch/${(year * 7919) % 1000}/${version}.nc` }),
    project: ["CMIP6"],
    model: [year < 1980 ? "MPI-ESM1-2-LR" : "mpi-esm1-2-lr"],
    variable: year % 4 === 0 ? ["tas", "pr"] : ["tas"],
    version,
    time: `[${year}-01-01T00:00:00Z TO ${year}-12-31T23:59:59Z]`,
    bbox: `ENVELOPE(${year - 1970},${year - 1960},${year - 1940},${year - 1950})`,
  })),
);
const DOCUMENTS: TestDocument[] = [
  ...VERSIONED,
  ...ODD.map((text, index) => ({ file: `/odd/${index}/${text}`, uri: text, project: [text] })),
  { file: "/home/jane/own.nc", uri: "file:///own", project: ["mine"], user: "jane" },
];
/** All but the older versions and the user's own. */
const NEWEST = YEARS.length + ODD.length;

/** The collections of the catalogue are what is tried; `state` is the test run's. */
const store = () => testClient().state;

const cloud = useCloud();
let service: TestService;
/** The same documents on the test run's standalone Solr. */
let standalone: TestService;

afterAll(async () => {
  await service?.close();
  await standalone?.close();
});

type Parameters = Readonly<Record<string, string | readonly string[]>>;

function query(parameters: Parameters): string {
  const search = new URLSearchParams();
  for (const [name, values] of Object.entries(parameters)) {
    for (const value of [values].flat()) search.append(name, value);
  }
  return `?${search}`;
}

async function list(
  parameters: Parameters = {},
  { from = service, key = "file", flavour = "native" } = {},
): Promise<string[]> {
  const path = `/databrowser/data-search/${flavour}/${key}${query(parameters)}`;
  const response = await from.get(path);
  expect(response.status, await response.clone().text()).toBe(200);
  return (await response.text()).split("\n").slice(0, -1);
}

async function count(parameters: Parameters = {}, from = service): Promise<MetadataSearchResult> {
  const response = await from.get(`${METADATA}${query(parameters)}`);
  expect(response.status, await response.clone().text()).toBe(200);
  return (await response.json()) as MetadataSearchResult;
}

/** Sends a body straight to Solr's update handler, as an outside crawler does. */
async function update(given: object): Promise<void> {
  const body = Array.isArray(given) ? given.map((one) => ({ ...one, latest: true })) : given;
  await postToSolr(service.solr, body);
}

async function countsByShard(name: string): Promise<number[]> {
  const leaders = Object.values(await cloud.leaders(name));
  return Promise.all(leaders.map((core) => cloud.countIn(core)));
}

describe("a SolrCloud without collections", () => {
  it("is reported with the missing ones and the command that makes them", async () => {
    const missing = await inspectCollections(cloud.endpoint, COLLECTIONS).catch((error) => error);
    expect(missing).toBeInstanceOf(MissingCollections);
    expect(missing.missing).toEqual(COLLECTIONS);
    expect(missing.message).toMatch(/files; .*`climate-nextgen solr setup`/);
  });
});

describe("two shards", () => {
  beforeAll(async () => {
    await cloud.create("files", 2);
    const topology = await inspectCollections(cloud.endpoint, COLLECTIONS);
    expect(topology).toEqual(TWO_SHARDS);
    service = await startService({ endpoint: cloud.endpoint, topology, store });
    standalone = await startService();
    await emptyIndex(standalone.solr);
    for (const { solr } of [service, standalone]) {
      const all = DOCUMENTS.length;
      const older = VERSIONED.length - YEARS.length;
      expect(await load(solr, DOCUMENTS)).toEqual({ stored: all, older, refused: 0 });
    }
  });

  it("share the loaded documents", async () => {
    const all = DOCUMENTS.length;
    const counts = await countsByShard("files");
    expect(counts).toHaveLength(2);
    for (const here of counts) expect(here).toBeGreaterThan(all / 5);
    expect(counts.reduce((sum, here) => sum + here)).toBe(all);
  });

  it("are ready to be searched", async () => {
    expect((await service.get("/ready")).status).toBe(200);
  });

  describe("data-search", () => {
    it("accepts a thousand long values", async () => {
      const names = Array.from(
        { length: 998 },
        (_, i) => `project:"${i}/${'\\"x\\\\'.repeat(20)}"`,
      );
      const filters = [`(${names.join(" OR ")} OR project:"cmip6")`];
      const search: Search = { filters: [newest("*:*"), ...filters] };
      expect(await exported(service.solr, search, ["file"])).toHaveLength(YEARS.length);
    });
  });

  describe("two shards and one standalone Solr with the same documents", () => {
    const SEARCHES: [string, Parameters, number][] = [
      ["everything", {}, NEWEST],
      ["all versions", { "multi-version": "true" }, DOCUMENTS.length - 1],
      ["one version", { "multi-version": "true", version: "V20190710" }, YEARS.length],
      ["a facet in another case", { model: "Mpi-Esm1-2-Lr" }, YEARS.length],
      ["any of several values", { project: ["cmip6", "ü", "日本"] }, YEARS.length + 2],
      ["several keys", { project: "cmip6", variable: "pr" }, 10],
      ["a negation", { variable: "tas", variable_not_: "pr" }, 30],
      ["negations alone", { project: ["!cmip6", "-ü"] }, ODD.length - 1],
      ["wildcards", { model: "*ESM1-?-L*", file: "*/tas_19[6?*" }, 0],
      ["a wildcard inside", { file: "/data/*/tas_196?.nc" }, 10],
      ["every value", { model: "*" }, YEARS.length],
      ["a period", { time: "1965-06 to 1967-02" }, 3],
      ["a strict period", { time: "1965-06 to 1967-02", time_select: "strict" }, 1],
      ["a period within files", { time: "1965-06 to 1965-07", time_select: "file" }, 1],
      ["a negated period", { time: "!1965 to 1967", project: "cmip6" }, YEARS.length - 3],
      ["a box", { bbox: "-5,5,10,30" }, 16],
      ["a strict box", { bbox: "-5,20,10,40", bbox_select: "strict" }, 16],
      ["a box around Greenwich within files", { bbox: "359,1,21,24", bbox_select: "file" }, 6],
      ["time and box together", { time: "1965 to 1970", bbox: "-10,0,-90,90" }, 6],
      ["a value that is a macro", { project: "$" + "{x:9}" }, 1],
    ];

    it.each(SEARCHES)("find %s", async (_, parameters, found) => {
      const expected = await list(parameters, { from: standalone });
      expect(expected).toHaveLength(found);
      expect(await list(parameters)).toEqual(expected);
      const facets = { ...parameters, facets: "*" };
      // Each of the two services leads to itself.
      const { links, ...counts } = await count(facets);
      const { links: others, ...wanted } = await count(facets, standalone);
      expect(counts).toEqual(wanted);
      expect(Object.keys(links ?? {})).toEqual(Object.keys(others ?? {}));
      expect((await count(parameters)).total_count).toBe(found);
    });

    it("give the same lists, in the same order, from any start", () => expectLists(service));

    it("give documents with all their fields", async () => {
      const fields = [
        "uri",
        "project",
        "model",
        "variable",
        "version",
        "time_raw",
        "bbox",
        "format",
      ];
      for (const filters of [["-user:*"], ["project:cmip6"], ["user:*"]]) {
        const search: Search = { filters: [...filters, "-file:\\/odd*"] };
        const [one, two] = await Promise.all(
          [standalone, service].map(({ solr }) => exported(solr, search, ["file", ...fields])),
        );
        expect(one?.length).toBeGreaterThan(0);
        expect(two).toEqual(one);
      }
    });
  });

  describe("metadata-search", () => {
    it("reports values that no document of any shard has, with near spellings", async () => {
      const asked = { variable: ["tass", "tas"], model: "!MPI-ESM1-2-LR", facets: "project" };
      const { unknown_values } = await count(asked);
      expect(unknown_values).toEqual([{ name: "variable", value: "tass", near: ["tas"] }]);
    });

    it("is never stale after a commit, whichever shard changed", async () => {
      const path = `${METADATA}?facets=project&project=fresh`;
      let etag = "";
      const before = await countsByShard("files");
      for (let added = 0; added < 6; added++) {
        for (const expected of [200, 304]) {
          const response = await service.get(path, { headers: { "If-None-Match": etag } });
          expect(response.status).toBe(expected);
          etag = response.headers.get("etag") ?? "";
          if (expected === 304) continue;
          const { total_count } = (await response.json()) as MetadataSearchResult;
          expect(total_count).toBe(added);
        }
        await update([{ file: `/fresh/${added}.nc`, project: ["fresh"] }]);
      }
      const after = await countsByShard("files");
      for (const [shard, here] of after.entries()) expect(here).toBeGreaterThan(before[shard] ?? 0);
      await update({ delete: { query: "project:fresh" } });
      expect((await count({ project: "fresh" })).total_count).toBe(0);
    });
  });

  describe("the loader", () => {
    it("reports refused documents by their line, and stores the others, in both shards", async () => {
      const names = Array.from({ length: 30 }, (_, index) => String(index));
      const documents = names.map((name, index) => ({
        file: `/refused/${name}.nc`,
        project: ["refused"],
        ...(index % 3 === 0 && { time: "some time ago" }),
      }));
      const refused: Refusal[] = [];
      const result = await load(service.solr, documents, refused);
      expect(result).toEqual({ stored: 20, older: 0, refused: 10 });
      expect(refused.map(({ line }) => line).sort((a, b) => a - b)).toEqual(
        names.flatMap((_, index) => (index % 3 === 0 ? [index + 1] : [])),
      );
      for (const { reason } of refused) expect(reason).toMatch(/time/);
      for (const version of ["false", "true"]) {
        expect(await list({ project: "refused", "multi-version": version })).toHaveLength(20);
      }
    });
  });

  it("are listed whole although documents are added between two requests of the list", async () => {
    const added = 20;
    let isListed = false;
    async function* pass(body: AsyncIterable<Buffer>) {
      if (isListed) {
        isListed = false;
        const late = Array.from({ length: added }, (_, i) => ({ file: `/late/${i}.nc` }));
        await update(late.map((one) => ({ ...one, project: ["late"] })));
      }
      yield* body;
    }
    const proxy = await between(pass, cloud.endpoint);
    const through = await startService({ endpoint: { urls: [proxy.url] }, topology: TWO_SHARDS });
    const before = (await list({}, { from: through })).length;
    isListed = true;
    const files = await list({}, { from: through });
    expect(isListed).toBe(false);
    expect(files).toHaveLength(before + added);
    await through.close();
    proxy.close();
    await update({ delete: { query: "project:late" } });
  });

  describe("an incomplete list", () => {
    it("is noticed if Solr refuses inside a success", async () => {
      const some: Search = { filters: ["project:cmip6"] };
      // A field of the schema that /export cannot give; one without values it would leave out.
      await expect(exported(service.solr, some, ["file_digest"])).rejects.toThrow(/HTTP 400/);
    });

    it("is an error if a query inside it is too complex", async () => {
      const search: Search = { filters: [`file:*a${"?".repeat(60)}b`] };
      await expect(exported(service.solr, search, ["file"])).rejects.toThrow(TooComplexSearch);
    });

    it.each([
      ["with a broken connection", false],
      ["as if it were whole", true],
    ])("is broken off if Solr's answer ends early %s", async (_, clean) => {
      for (const after of [500, 2_000]) {
        const proxy = await between((body) => cut(body, after, clean), cloud.endpoint);
        const through = await startService({
          endpoint: { urls: [proxy.url] },
          topology: TWO_SHARDS,
        });
        await incomplete(await through.get(`${SEARCH}?multi-version=true`));
        await through.close();
        proxy.close();
      }
    });

    it("is broken off if it has fewer documents than were counted", async () => {
      async function* omit(body: AsyncIterable<Buffer>) {
        let text = "";
        for await (const piece of body) text += piece.toString();
        yield Buffer.from(text.replace(/\},\{\s*"file":"[^"]*tas_1975[^"]*"\s*(?=\})/, ""));
      }
      const proxy = await between(omit, cloud.endpoint);
      const through = await startService({ endpoint: { urls: [proxy.url] }, topology: TWO_SHARDS });
      await incomplete(await through.get(`${SEARCH}?project=cmip6`));
      await through.close();
      proxy.close();
    });

    it("is broken off if a shard dies after the documents were counted", async () => {
      const [core = ""] = Object.values(await cloud.leaders("files"));
      let died = false;
      async function* kill(body: AsyncIterable<Buffer>) {
        yield* body;
        if (died) return;
        died = true;
        await cloud.admin("admin/cores", { action: "UNLOAD", core, deleteInstanceDir: "true" });
      }
      const proxy = await between(kill, cloud.endpoint);
      const through = await startService({ endpoint: { urls: [proxy.url] }, topology: TWO_SHARDS });
      await incomplete(await through.get(`${SEARCH}?multi-version=true`));
      expect(died).toBe(true);
      await through.close();
      proxy.close();
    });

    it("is 503 while a shard is dead, and so are counts and readiness", async () => {
      const searches = [SEARCH, `${SEARCH}?start=2`, `${SEARCH}?project=none`, METADATA];
      const paths = searches.map(
        (path) => `${path}${path.includes("?") ? "&" : "?"}multi-version=1`,
      );
      for (const path of [...paths, "/ready"]) {
        const response = await service.get(path);
        expect(response.status, path).toBe(503);
        // Operators, who read /ready, have to know which shard it is.
        const secret = path === "/ready" ? /127\.0\.0\.1/ : /shard\d|127\.0\.0\.1/;
        expect(await response.text(), path).not.toMatch(secret);
      }
    });

    it("is not possible from any start while a shard is dead", async () => {
      expect(await inspectCollections(cloud.endpoint, COLLECTIONS)).toEqual(TWO_SHARDS);
    });
  });
});

describe("one shard", () => {
  let single: TestService;
  beforeAll(async () => {
    const again = COLLECTIONS.map(async (name) => {
      await cloud.admin("admin/collections", { action: "DELETE", name });
      await cloud.create(name, 1);
    });
    await Promise.all(again);
    const topology = await inspectCollections(cloud.endpoint, COLLECTIONS);
    expect(topology).toEqual({ cloud: true, shards: { files: ["shard1"] } });
    single = await startService({ endpoint: cloud.endpoint, topology, store });
    await load(single.solr, DOCUMENTS);
  });
  afterAll(() => single?.close());

  it("gives the same lists, in the same order, from any start", () => expectLists(single));

  it("counts the same", async () => {
    expect(await count({ facets: "*" }, single)).toEqual(await count({ facets: "*" }, standalone));
    expect((await single.get("/ready")).status).toBe(200);
  });
});

/** Lists of files and of addresses are those of the standalone Solr. */
async function expectLists(from: TestService): Promise<void> {
  for (const parameters of [{}, { "multi-version": "true" }, { project: "cmip6" }]) {
    for (const start of ["0", "1", "20", "1000"]) {
      for (const key of ["file", "uri"]) {
        const all = { ...parameters, start };
        const expected = await list(all, { from: standalone, key });
        expect(await list(all, { from, key })).toEqual(expected);
      }
    }
  }
}

type Documents = AsyncIterable<readonly Readonly<Record<string, unknown>>[]>;

async function collect(batches: Documents): Promise<Readonly<Record<string, unknown>>[]> {
  const all = [];
  for await (const documents of batches) all.push(...documents);
  return all;
}

const exported = async (solr: Solr, search: Search, fields: string[]) =>
  collect(await solr.export(search, { fields, start: 0 }));

/** A 503, or a transfer that breaks off: anything but a list that looks whole. */
async function incomplete(response: Response): Promise<void> {
  if (response.status === 200) await expect(response.text()).rejects.toThrow();
  else expect(response.status, await response.text()).toBe(503);
}
