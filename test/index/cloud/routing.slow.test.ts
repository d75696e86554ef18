/** Which shard a document lies in, and what finds it there. */
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { documents } from "../../../bench/make-catalogue.js";
import { loadStandard, shippedStandards } from "../../../src/catalogue/drs/index.js";
import type { Part } from "../../../src/catalogue/drs/template.js";
import { newest } from "../../../src/domain/search/lucene.js";
import { datasetId } from "../../../src/domain/vocabulary/dataset-id.js";
import { ShardTopology } from "../../../src/index/collections/shard-topology.js";
import { removeDocuments } from "../../../src/index/loading/remove-files.js";
import { SolrCollection } from "../../../src/index/transport/client.js";
import { attempts, chance, SEED } from "../../support/run/trials.js";
import { sampleDocuments } from "../../support/service/sample.js";
import {
  emptyIndex,
  fillIndex,
  load,
  startService,
  type TestDocument,
  type TestService,
} from "../../support/service/service.js";
import { add, entry, message, person, remove, stored } from "../../support/service/user-data.js";
import { layOut, useCloud } from "../../support/solr/use-cloud.js";

const SHARDS = ["shard1", "shard2"];
const random = chance(SEED);
const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T;

const cloud = useCloud({ nodes: 3 });

interface Placed {
  readonly file: string;
  readonly dataset_id?: string;
  readonly shard: string;
}

/** The documents of a collection with the shards that they lie in. */
async function placed(collection: string, shards: readonly string[] = SHARDS): Promise<Placed[]> {
  const answer = await cloud.admin("admin/collections", { action: "LISTALIASES" });
  const { aliases } = answer as { aliases: Readonly<Record<string, string>> };
  const leaders = Object.entries(await cloud.leaders(aliases[collection] ?? collection));
  const parts = leaders
    .filter(([shard]) => shards.includes(shard))
    .map(async ([shard, core]) => {
      const page = { q: "*:*", fl: "file,dataset_id", rows: "1000000", distrib: "false" };
      const { response } = (await cloud.admin(`${core}/select`, page)) as {
        response: { docs: Omit<Placed, "shard">[] };
      };
      return response.docs.map((one) => ({ ...one, shard }));
    });
  return (await Promise.all(parts)).flat();
}

/** By each text of a field, in which shards there are documents with it. */
function shardsBy(all: readonly Placed[], field: "file" | "dataset_id"): Map<string, Set<string>> {
  const shards = new Map<string, Set<string>>();
  for (const one of all) {
    const text = one[field];
    if (text !== undefined) shards.set(text, (shards.get(text) ?? new Set()).add(one.shard));
  }
  return shards;
}

async function removeCollections(): Promise<void> {
  const ask = (parameters: Readonly<Record<string, string>>) =>
    cloud.admin("admin/collections", parameters);
  const { aliases } = (await ask({ action: "LISTALIASES" })) as { aliases: object };
  for (const name of Object.keys(aliases)) await ask({ action: "DELETEALIAS", name });
  const { collections } = (await ask({ action: "LIST" })) as { collections: readonly string[] };
  for (const name of collections) await ask({ action: "DELETE", name });
}

/** Values that the standards allow, whatever else they are like. */
const FITTING: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  cmip6: { ensemble: ["r1i1p1f1", "s1960-r10i1p1f2"], product: ["CMIP", "DCPP"] },
  cmip7: { ensemble: ["r1i1p1f1"], branding_suffix: ["tavg-h2m-hxy-u", "tmax-h2m-hxy-u"] },
  cmip5: { ensemble: ["r1i1p1", "r0i0p0"], product: ["output1", "output2"] },
  cordex: { ensemble: ["r1i1p1"], rcm_version: ["v1", "v1a", "v2-bs"] },
  "cordex-cmip6": { ensemble: ["r1i1p1f1"], rcm_version: ["v1-r1"] },
  nextgems: { variable: ["tas", "pr"] },
  freva: { ensemble: ["r1i1p1"], project: ["observations", "reanalysis"], product: ["grid"] },
};
const PROJECTS: Readonly<Record<string, string>> = {
  cmip5: "CMIP5",
  cmip6: "CMIP6",
  cmip7: "CMIP7",
  cordex: "CORDEX",
  "cordex-cmip6": "CORDEX-CMIP6",
  nextgems: "nextGEMS",
  obs4mips: "obs4MIPs",
};
const RANGES = ["1850-1859", "200001-200012", "20000101-20001230", "200001010130-200001010430"];

/** Files of data sets as a standard calls them: in two versions, with copies in an archive. */
async function namesOf(standard: string, datasets: number): Promise<TestDocument[]> {
  const { definition } = await loadStandard(standard);
  const form = definition.folders[0] as (typeof definition.folders)[number];
  return Array.from({ length: datasets }, (_, number) => {
    const known = new Map<string, string>();
    const value = (field: string): string => {
      const fitting = FITTING[standard]?.[field];
      const made = field === "project" ? PROJECTS[standard] : undefined;
      const text =
        known.get(field) ??
        made ??
        (fitting && pick(fitting)) ??
        `${field[0]}X${pick("abcdefgh".split(""))}-${number % 7}.${number % 3}`;
      known.set(field, text);
      return text;
    };
    const written = (parts: readonly Part[]): string =>
      parts.map((part) => ("literal" in part ? part.literal : value(part.field))).join("");
    const isFixed = number % 9 === 0;
    const times = isFixed ? [undefined] : RANGES;
    const some: TestDocument[] = [];
    for (const time of times) {
      const file = [...definition.files]
        .sort((a, b) => a.parts.length - b.parts.length)
        .at(time === undefined ? 0 : -1) as (typeof definition.files)[number];
      for (const version of ["v20190101", "v20200202"]) {
        if (time !== undefined) known.set("time", time);
        known.set("version", version);
        known.set("_", "DD");
        if (time === undefined) known.set("time_frequency", "fx");
        const folders = form.folders.map(written).join("/");
        // What the template does not write last is another ending of the same.
        const name = written(file.parts).replace(/-clim$/, "");
        const { time: _, version: __, _: ___, ...facets } = Object.fromEntries(known);
        for (const [root, ending] of [
          ["/pool/data", ".nc"],
          ["/arch/tape", ".zarr"],
        ] as const) {
          some.push({
            project: PROJECTS[standard] ?? "observations",
            ...facets,
            version,
            file: `${root}/${folders}/${name}${ending}`,
          });
        }
      }
    }
    return some;
  }).flat();
}

describe("collections of solr setup", () => {
  let service: TestService;
  beforeAll(async () => {
    const topology = await layOut(cloud, { shards: 2, replicas: 2 });
    expect(topology.shards).toEqual({ files: SHARDS, state: ["shard1"] });
    service = await startService({ endpoint: cloud.endpoint, topology });
  });
  afterAll(() => service?.close());

  it("keep all files of a dataset of the sample in one shard", async () => {
    const sample = sampleDocuments();
    expect((await load(service.solr, sample)).refused).toBe(0);
    const all = await placed("files");
    const byDataset = shardsBy(all, "dataset_id");
    expect(byDataset.size).toBeGreaterThan(100);
    expect([...byDataset].filter(([, shards]) => shards.size > 1)).toEqual([]);
    expect([...shardsBy(all, "file")].filter(([, shards]) => shards.size > 1)).toEqual([]);
    for (const shard of SHARDS) {
      expect(all.filter((one) => one.shard === shard).length).toBeGreaterThan(all.length / 4);
    }
  });

  it.each([...shippedStandards().keys()])(
    "keep all files of a dataset of %s in one shard, all versions and copies",
    async (standard) => {
      await emptyIndex(service.solr);
      const all = await namesOf(standard, attempts(40, 400));
      expect((await load(service.solr, all)).refused).toBe(0);
      const expected = new Set(all.map((one) => datasetId(one)));
      const seen = await placed("files");
      const byDataset = shardsBy(seen, "dataset_id");
      expect(new Set(byDataset.keys())).toEqual(expected);
      expect(byDataset.size).toBeGreaterThan(8);
      const split = [...byDataset].filter(([, shards]) => shards.size > 1);
      expect(
        split.map(([name]) => seen.filter((one) => one.dataset_id === name)),
        `SEED=${SEED}`,
      ).toEqual([]);
      for (const shard of SHARDS) expect(seen.some((one) => one.shard === shard)).toBe(true);
    },
  );

  it("are of near equal size", async () => {
    await emptyIndex(service.solr);
    const count = attempts(10_000, 200_000);
    let batch: string[] = [];
    const files = new SolrCollection(service.solr.http, "files");
    const send = () => files.update(`[${batch.splice(0).join(",")}]`, {}, { timeoutMs: 300_000 });
    for (const text of documents(count)) {
      const { file, dataset } = JSON.parse(text) as { file: string; dataset: string };
      batch.push(JSON.stringify({ file, dataset }));
      if (batch.length === 10_000) await send();
    }
    await send();
    await files.commit(false, { timeoutMs: 300_000 });
    batch = [];
    const sizes = await Promise.all(
      Object.values(await cloud.leaders("files_3")).map((core) => cloud.countIn(core)),
    );
    expect(sizes.reduce((sum, size) => sum + size)).toBe(count);
    expect(Math.min(...sizes) / count).toBeGreaterThan(0.47);
  });

  it("have a file once, whatever its metadata", async () => {
    await emptyIndex(service.solr);
    const file = "/pool/x/tas_Amon_M_hist_r1i1p1f1_gn_2000-2001.nc";
    for (const project of ["CMIP6", "other", "cmip5"]) {
      await load(service.solr, [{ file, project, model: `of ${project}`, dataset: project }]);
    }
    expect(await stored(service)).toMatchObject([{ file, project: ["cmip5"] }]);
  });

  it("accept every name", async () => {
    await emptyIndex(service.solr);
    const long = (text: string) => text.repeat(Math.ceil(4000 / text.length));
    const hostile = [
      "_r1i1p1",
      "_2000",
      "_2000-2001",
      "/v1",
      "_s1-r1i1p1f1",
      "\n",
      "_",
      ".nc",
      "!",
      "/1!",
    ].flatMap((text) => ["", "_2000-2001.nc", "!", " "].map((end) => `/d${long(text)}${end}`));
    const odd = [
      "/x",
      "x.nc",
      "/",
      "//",
      "/a/",
      "a/b",
      "/v1",
      "/v1/x",
      "v20200101/x",
      "!",
      "a!b",
      "/a!b!c/d",
      "/a/3!b",
      "/a/300!b",
      "/a/x!b",
      "/a/-1!b",
      "a/99999999999!b",
      "!/x",
      "/a/16!",
      "a!b!c!d",
      "/!/!.nc",
      "/store.zarr",
      "/store.zarr/",
      "slk:///arch/a.nc",
      "https://h/a.nc#mode=bytes",
      "/a?b=c&d",
      "/日本/気温_Amon_モデル_hist_r1i1p1f1_gn_2000.nc",
      "/💥/💥",
      "/\u0001/\u0002",
      "/a b/c d",
      "/" + "$" + "{x}/$1",
      "/\\1/\\",
      "/(?i)a",
      "/.*/.+",
      "/%00",
      ...hostile,
    ];
    const began = performance.now();
    const result = await load(
      service.solr,
      odd.map((file) => ({ file, project: "p" })),
    );
    expect(result).toMatchObject({ refused: 0 });
    expect(performance.now() - began).toBeLessThan(20_000);
    const seen = await placed("files");
    expect(seen.map(({ file }) => file).sort()).toEqual([...odd].sort());
    const files = new SolrCollection(service.solr.http, "files");
    const found = await Promise.all(odd.map((file) => files.get<Placed>([file], ["file"])));
    expect(found.map(([one]) => one?.file)).toEqual(odd);
    await files.delete(odd);
    expect(await files.get(odd, ["file"])).toEqual([]);
  });

  it("take a time for a name that is linear in its length", async () => {
    const files = new SolrCollection(service.solr.http, "files");
    const length = 400_000;
    const units = [
      "_r1i1p1",
      "_2000",
      "_2000-2001",
      "_fx_",
      "_s1-r1i1p1f1",
      "/v1",
      "_",
      "1",
      ".a",
      "-a",
    ];
    const names = units.flatMap((unit) =>
      ["", "!"].map((end) => `/d/${unit.repeat(length / unit.length)}${end}`),
    );
    // Each is refused, as a key is too long; what is squared in its length would take an hour.
    const began = performance.now();
    for (const file of names) {
      const options = { timeoutMs: 100_000 };
      expect(await files.updateTolerantly(JSON.stringify([{ file }]), options)).toHaveLength(1);
    }
    expect(performance.now() - began).toBeLessThan(60_000);
  });

  it("accept a document without a file", async () => {
    const files = new SolrCollection(service.solr.http, "files");
    const body = JSON.stringify([{ project: "none" }, { file: "/good/one.nc" }]);
    expect(await files.updateTolerantly(body)).toMatchObject([
      { message: /uniqueKey field: file/ },
    ]);
    expect(await files.get(["/good/one.nc"], ["file"])).toHaveLength(1);
  });
});

/** As they were made before documents had a route: each in the shard of its key. */
async function setUpAsBefore(): Promise<void> {
  await cloud.create("files", 2, 2);
  await cloud.create("state", 1, 2);
}

describe.each(["with a route", "made before there was one"])("collections %s", (kind) => {
  let service: TestService;
  let files: SolrCollection;
  const isRouted = kind === "with a route";
  beforeAll(async () => {
    await removeCollections();
    if (!isRouted) {
      await setUpAsBefore();
      await cloud.admin("admin/collections", { action: "DELETE", name: "state" });
    }
    const topology = await layOut(cloud, { shards: 2, replicas: 2 });
    service = await startService({ endpoint: cloud.endpoint, topology });
    files = new SolrCollection(service.solr.http, "files");
  });
  afterAll(() => service?.close());

  const years = Array.from({ length: 30 }, (_, index) => 1960 + index);
  const path = (version: string, year: number) =>
    `/pool/tas/${version}/tas_Amon_M${year % 5}_hist_r1i1p1f1_gn_${year}01-${year}12.nc`;
  const versions = ["v20190101", "v20200202", "v20210303"];
  const all = versions.flatMap((version) =>
    years.map((year) => ({ file: path(version, year), project: "CMIP6", version })),
  );

  it("return what was just written, and delete it by its key", async () => {
    await emptyIndex(service.solr);
    await files.update(JSON.stringify(all));
    const keys = all.map(({ file }) => file);
    const found = await files.get<{ file: string }>(keys, ["file"]);
    expect(found.map(({ file }) => file).sort()).toEqual([...keys].sort());
    expect(shardsBy(await placed("files"), "file").size).toBe(0);
    await files.delete(keys.slice(0, 40));
    expect(await files.get(keys, ["file"])).toHaveLength(keys.length - 40);
    await files.commit(true);
    expect(await stored(service)).toHaveLength(keys.length - 40);
  });

  it("delete a version that was read, and no other", async () => {
    await emptyIndex(service.solr);
    await files.update(JSON.stringify(all));
    const keys = all.map(({ file }) => file);
    type Seen = { readonly file: string; readonly _version_: string };
    const seen = await files.get<Seen>(keys, ["file", "_version_"]);
    const before = new Map(seen.map(({ file, _version_ }) => [file, _version_]));
    expect(before.size).toBe(keys.length);
    // Half of them are written again, one is deleted, and one was never there.
    const again = all.filter((_, index) => index % 2 === 0);
    await files.update(JSON.stringify(again.map((one) => ({ ...one, model: "again" }))));
    await files.delete([keys[1] ?? ""]);
    before.set("/never/there", "1234567890123456789");
    const stay = await files.deleteVersions(before);
    expect(stay.map(({ id }) => id).sort()).toEqual(again.map(({ file }) => file).sort());
    expect(stay.every(({ message: text }) => /version conflict/.test(text))).toBe(true);
    const left = await files.get<{ file: string; model: string[] }>(keys, ["file", "model"]);
    expect(left.map(({ file }) => file).sort()).toEqual(again.map(({ file }) => file).sort());
  });

  it("add a new document once, whatever shard gets the request", async () => {
    await emptyIndex(service.solr);
    const body = JSON.stringify(all.map((one) => ({ ...one, _version_: -1 })));
    const errors = await Promise.all([1, 2, 3].map(() => files.updateTolerantly(body)));
    expect(errors.flat()).toHaveLength(2 * all.length);
    await files.commit(true);
    expect(await placed("files")).toHaveLength(all.length);
  });

  it("mark the newest version, and restore an older one", async () => {
    await emptyIndex(service.solr);
    const latest = async () => (await stored(service, newest("*:*"))).map(({ file }) => file);
    const of = (version: string) => years.map((year) => path(version, year)).sort();
    for (const version of ["v20200202", "v20190101", "v20210303"]) {
      await load(
        service.solr,
        all.filter((one) => one.version === version),
      );
    }
    expect(await latest()).toEqual(of("v20210303"));
    expect(await stored(service)).toHaveLength(all.length);
    expect(await removeDocuments(service.solr.http, of("v20210303"))).toBe(years.length);
    expect(await latest()).toEqual(of("v20200202"));
    await load(service.solr, all);
    expect(await latest()).toEqual(of("v20210303"));
    const shards = shardsBy(await placed("files"), "dataset_id");
    if (isRouted) for (const one of shards.values()) expect(one.size).toBe(1);
  });

  it("have a file once that two users register at the same time", async () => {
    await emptyIndex(service.solr);
    const people = [await person(service), await person(service)];
    const names = Array.from(
      { length: attempts(12, 200) },
      (_, n) => `/scratch/${n % 5}/a_${n}.nc`,
    );
    for (const file of names) {
      const answers = await Promise.all(
        people.map(async (who, at) =>
          message(await add(service, who, [entry(file, { variable: `v${at}` })])),
        ),
      );
      const added = answers.filter((text) => text.startsWith("1 have"));
      expect(added, answers.join()).toHaveLength(1);
    }
    expect((await stored(service)).map(({ file }) => file)).toEqual([...names].sort());
    for (const who of people) await message(await remove(service, who, {}));
    expect(await stored(service)).toEqual([]);
  });

  it("may have a shard split while the service runs", async () => {
    await fillIndex(service.solr, all);
    const known = new ShardTopology(service.solr.http.topology);
    service.solr.http.topology = known;
    const collection = isRouted ? "files_3" : "files";
    const split = { action: "SPLITSHARD", collection, shard: "shard1" };
    await cloud.admin("admin/collections", split);
    // Solr activates the two halves some time after their replicas.
    await vi.waitFor(async () => {
      await known.renew(service.solr.http);
      expect(known.shards.files).toEqual(["shard1_0", "shard1_1", "shard2"]);
    }, 120_000);
    const found = await files.get(
      all.map(({ file }) => file),
      ["file"],
    );
    expect(found).toHaveLength(all.length);
    const shards = shardsBy(await placed("files", known.shards.files), "dataset_id");
    if (isRouted) for (const one of shards.values()) expect(one.size).toBe(1);
  });
});
