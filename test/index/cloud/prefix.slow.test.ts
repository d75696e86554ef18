/** Two services with different prefixes in one SolrCloud of several shards. One of them knows only one of its nodes. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { SolrAdmin } from "../../../src/index/collections/admin.js";
import { clusterOf } from "../../../src/index/collections/cluster.js";
import { inspectCollections } from "../../../src/index/collections/collections.js";
import { inspectReplicas } from "../../../src/index/collections/node-health.js";
import { setUpCollections } from "../../../src/index/collections/set-up-collections.js";
import { Solr } from "../../../src/index/solr.js";
import { searchProbes } from "../../../src/server/monitoring/status/search.js";
import { run } from "../../cli/command.js";
import { freshFolder } from "../../support/run/folders.js";
import { load, startService, type TestService } from "../../support/service/service.js";
import { useCloud } from "../../support/solr/use-cloud.js";

const PREFIXES = ["one_", "two_"] as const;
const FILE = "/databrowser/data-search/native/file";

const cloud = useCloud({ nodes: 2 });
const services: TestService[] = [];
beforeAll(async () => {
  const [first] = cloud.endpoint.urls;
  for (const prefix of PREFIXES) {
    const urls = prefix === "one_" ? cloud.endpoint.urls : ([first] as const);
    const endpoint = { ...cloud.endpoint, urls, prefix };
    await setUpCollections(new SolrAdmin(endpoint), { shards: 2, replicas: 1, report: () => {} });
    await cloud.whole();
    const topology = await inspectCollections(endpoint, ["files", "state"]);
    expect(topology.shards.files).toEqual(["shard1", "shard2"]);
    services.push(await startService({ endpoint, topology }));
  }
}, 300_000);
afterAll(async () => {
  for (const service of services) await service.close();
});

it("services with prefixes list, count and change their own files, over all shards", async () => {
  for (const [at, { solr, get }] of services.entries()) {
    const files = Array.from({ length: 40 }, (_, i) => `/${at}/folder${i}/${i}.nc`);
    await load(
      solr,
      files.map((file) => ({ file, project: [`p${at}`] })),
    );
    const listed = (await (await get(FILE)).text()).split("\n").slice(0, -1);
    expect(listed).toEqual(files.sort().reverse());
    const counted = await get("/databrowser/metadata-search/native/file?facets=project");
    expect(await counted.json()).toMatchObject({ total_count: 40 });
    expect(await solr.count({ filters: [] })).toBe(40);
  }
});

it("services with prefixes look up the shards of their own collections again", async () => {
  for (const { solr } of services) {
    expect(solr).toBeInstanceOf(Solr);
    const { collections, aliases } = await clusterOf(new SolrAdmin(solr.http.endpoint));
    expect(Object.keys(collections).sort()).toEqual(["files_3", "state"]);
    expect(aliases).toEqual({ files: "files_3" });
  }
});

it("services with prefixes are set up again and upgraded by commands with their prefix", async () => {
  const [one] = services;
  const folder = freshFolder();
  const settings = {
    SOLR_URL: cloud.endpoint.urls[0].href,
    DATA_DIR: folder,
    SOLR_COLLECTION_PREFIX: PREFIXES[0],
  };
  const again = await run(["solr", "setup", "--shards", "2"], { settings });
  expect([again.status, again.stdout.match(/is there already/g)?.length]).toEqual([0, 2]);
  const upgraded = await run(["solr", "upgrade"], { settings });
  expect([upgraded.status, upgraded.stderr]).toEqual([
    0,
    expect.stringContaining("of this release already"),
  ]);
  expect(await one?.solr.count({ filters: [] })).toBe(40);
});

it("services with prefixes report shards without a leader, and the command for it", async () => {
  const [one] = services;
  if (one === undefined) throw new Error("there is no service");
  const admin = new SolrAdmin(one.solr.http.endpoint);
  expect(await inspectReplicas(admin, ["files"])).toMatchObject({ all: 2, leaderless: [] });
  const { shard1 } = await cloud.leadingNodes("one_files_3");
  await cloud.kill(shard1 ?? 0);
  await expect
    .poll(async () => (await inspectReplicas(admin, ["files"])).leaderless)
    .toContain("one_files_3 shard1");
  const probe = searchProbes(one.solr, false).find(({ name }) => name === "search-replicas");
  const found = await probe?.inspect(AbortSignal.timeout(60_000));
  expect(found).toMatchObject({
    state: "failed",
    says: expect.stringMatching(
      /^Nothing can be written to .+ of the index, which have no leader\.$/,
    ),
    detail: expect.stringContaining("one_files_3 shard1"),
    advice: expect.stringMatching(/action=FORCELEADER&collection=one_files_3&shard=shard\d"$/),
  });
  await cloud.start(shard1 ?? 0);
  await cloud.whole();
  expect(await inspectReplicas(admin, ["files"])).toMatchObject({ down: [], leaderless: [] });
});
