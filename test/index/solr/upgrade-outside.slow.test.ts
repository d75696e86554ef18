/** `climate-nextgen solr setup` and `solr upgrade` on a Solr of somebody else's: one with cores, and a SolrCloud. */
import { execFileSync } from "node:child_process";
import { cp, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newest } from "../../../src/domain/search/lucene.js";
import { inspectCollections } from "../../../src/index/collections/collections.js";
import { SINGLE } from "../../../src/index/collections/shards.js";
import { archiveOptions } from "../../../src/index/embedded/class-archive.js";
import { type EmbeddedSolr, startEmbeddedSolr } from "../../../src/index/embedded/embedded.js";
import { Solr } from "../../../src/index/solr.js";
import { type SolrEndpoint, solrUrl } from "../../../src/index/transport/endpoint.js";
import { build, freshFolder, removeFolders, run, type Settings } from "../../cli/command.js";
import { attempts, patience } from "../../support/run/attempts.js";
import { chance, SEED } from "../../support/run/chance.js";
import { isOnTheCloud } from "../../support/run/left-out.js";
import { startService } from "../../support/service/service.js";
import {
  contents,
  difference,
  FORMER,
  FORMER_COLLECTIONS,
  fillFormer,
} from "../../support/solr/former-index.js";
import { type SolrCloud, startSolrCloud } from "../../support/solr/solr-cloud.js";
import { Searcher, upgradeWithKills, Writer } from "../../support/solr/upgrading.js";

const COUNT = attempts(1000, 50_000);
const ALL = ["files", "state"];
const LIMIT = patience(180_000);

/** In `npm run test:cloud` the SolrCloud has several nodes. */
const CLOUD = isOnTheCloud ? { nodes: 3, replicas: 2 } : { nodes: 1, replicas: 1 };

const settingsOf = async ({ urls, user, password }: SolrEndpoint): Promise<Settings> => ({
  ...{ SOLR_URL: urls.map(({ href }) => href).join(","), DATA_DIR: await freshFolder() },
  ...(user !== undefined && { SOLR_USER: user, SOLR_PASSWORD: password ?? "" }),
});

beforeAll(() => build());
afterAll(() => removeFolders());

/** Upgrades what the former release searches and writes, and looks whether all is there. */
async function upgradeBeside(endpoint: SolrEndpoint): Promise<string> {
  const random = chance(SEED);
  const { http } = new Solr(endpoint, 120_000, { cloud: false, shards: {} });
  const before = {
    all: await contents(http, "files"),
    newest: await contents(http, "latest", "-user:*"),
  };
  const searcher = await Searcher.start(http);
  const writer = await Writer.start(http, random, 400);
  const moments = Array.from({ length: attempts(1, 10) }, () => 300 + random() * 5000);
  const ended = await upgradeWithKills(await settingsOf(endpoint), moments);
  await writer.stop();
  await searcher.stop();
  expect(ended.status, ended.stderr).toBe(0);
  expect(searcher.wrong.slice(0, 5), `SEED=${SEED}`).toEqual([]);
  expect(searcher.answers).toBeGreaterThan(20);
  const after = {
    all: await contents(http, "files"),
    newest: await contents(http, "files", newest("-user:*")),
  };
  const users = [...after.all].filter(([file]) => file.startsWith("/home/ada/"));
  expect(users.map(([file]) => file).sort(), `SEED=${SEED}`).toEqual([...writer.files].sort());
  for (const [file, digest] of users) before.all.set(file, digest);
  for (const part of ["all", "newest"] as const) {
    const wrong = difference(before[part], after[part]).slice(0, 5);
    expect(wrong, `${part}, SEED=${SEED}`).toEqual([]);
  }
  await inspectCollections(endpoint, ["files"]);
  return ended.stderr;
}

describe.skipIf(isOnTheCloud)("one Solr with cores", () => {
  let dataDir: string;
  let solr: EmbeddedSolr;
  let configsets: string;

  beforeAll(async () => {
    dataDir = await freshFolder();
    configsets = join(dataDir, "solr", "home", "configsets");
    await mkdir(configsets, { recursive: true });
    solr = await startEmbeddedSolr({
      dataDir,
      heap: "1g",
      report: () => {},
      cores: [],
      configsets,
      javaOptions: await archiveOptions(),
    });
  }, LIMIT);
  afterAll(() => solr.stop());

  const ask = async (action: Record<string, string>): Promise<void> => {
    const url = solrUrl(solr.endpoint, "admin/cores");
    url.search = new URLSearchParams({ wt: "json", ...action }).toString();
    const pair = `${solr.endpoint.user}:${solr.endpoint.password}`;
    const authorization = `Basic ${Buffer.from(pair).toString("base64")}`;
    const response = await fetch(url, { headers: { authorization } });
    if (!response.ok) throw new Error(await response.text());
  };
  /** What a sentence says is to be run. */
  const command = (text: string): string => /`(mkdir -p [^`]*)`/.exec(text)?.[1] ?? "";

  it(
    "is told which command brings it the configset, and has its cores after that",
    async () => {
      const settings = await settingsOf(solr.endpoint);
      const refused = await run(["solr", "setup"], { settings });
      expect(refused.status).toBe(1);
      expect(refused.stderr).toMatch(/must have the configset on its own disk: .* run `mkdir -p /);
      execFileSync("sh", ["-c", command(refused.stderr)]);
      const made = await run(["solr", "setup"], { settings });
      expect(made.stdout).toBe("files was made\nstate was made\n");
      expect(made.status).toBe(0);
      const again = await run(["solr", "setup"], { settings });
      expect(again.stdout.split("is there already\n")).toHaveLength(3);
      expect(again.status).toBe(0);
      await inspectCollections(solr.endpoint, ALL);
      const shards = await run(["solr", "setup", "--shards", "2"], { settings });
      expect(shards.stderr).toMatch(/is no SolrCloud: .* leave --shards and --replicas out/);
      expect(shards.status).toBe(1);
    },
    LIMIT,
  );

  it(
    "is lifted while it is searched and written",
    async () => {
      await cp(join(FORMER, "configset"), join(configsets, "former"), { recursive: true });
      await ask({ action: "UNLOAD", core: "files", deleteInstanceDir: "true" });
      for (const core of FORMER_COLLECTIONS) {
        await ask({ action: "CREATE", name: core, configSet: "former" });
      }
      await fillFormer(new Solr(solr.endpoint, 120_000, SINGLE).http, COUNT);
      const stderr = await upgradeBeside(solr.endpoint);
      expect(stderr).toMatch(/The former index is kept: latest\. .*delete it there/);
      const settings = await settingsOf(solr.endpoint);
      const removed = await run(["solr", "upgrade", "--remove-old"], { settings });
      expect(removed.stderr).toBe("latest is deleted.\n");
    },
    LIMIT,
  );

  it("that refuses its admin interface is told what the user must be allowed", async () => {
    const settings = { ...(await settingsOf(solr.endpoint)), SOLR_PASSWORD: "another" };
    for (const command of ["setup", "upgrade"]) {
      const { status, stderr } = await run(["solr", command], { settings });
      expect(stderr).toMatch(/refuses this user access to its admin API \(401\); set SOLR_USER/);
      expect(status).toBe(1);
    }
  });
});

/** The field by which a collection chooses a document's shard. */
async function routeOf(cloud: SolrCloud, collection: string): Promise<string | undefined> {
  const parameters = { action: "COLSTATUS", collection };
  const answer = (await cloud.admin("admin/collections", parameters)) as Readonly<
    Record<string, { readonly properties: Readonly<Record<string, unknown>> }>
  >;
  const properties = (answer[collection]?.properties ?? {}) as { router?: { field?: string } };
  return properties.router?.field;
}

describe("SolrCloud", () => {
  let cloud: SolrCloud;
  let settings: Settings;

  beforeAll(async () => {
    cloud = await startSolrCloud({ nodes: CLOUD.nodes, configsets: FORMER });
    settings = await settingsOf(cloud.endpoint);
  }, LIMIT);
  afterAll(() => cloud.stop());

  it(
    "is lifted while it is searched and written: an alias takes the place of the collection of its name",
    async () => {
      for (const name of FORMER_COLLECTIONS) await cloud.create(name, 2, CLOUD.replicas);
      const topology = { cloud: true, shards: { files: ["shard1", "shard2"] } };
      const service = await startService({ endpoint: cloud.endpoint, topology });
      try {
        await fillFormer(service.solr.http, COUNT);
        const stderr = await upgradeBeside(cloud.endpoint);
        expect(stderr).toMatch(/The former index is kept: files and latest\./);
        // The new one has the files of a dataset in one shard, which the former one had not.
        expect(await routeOf(cloud, "files")).toBeUndefined();
        expect(await routeOf(cloud, "files_3")).toBe("route");
        expect((await inspectCollections(cloud.endpoint, ["files"])).shards).toEqual(
          topology.shards,
        );
        const { files_3: files } = await cloud.replicas();
        expect(files).toEqual({ shard1: CLOUD.replicas, shard2: CLOUD.replicas });
        const removed = await run(["solr", "upgrade", "--remove-old"], { settings });
        expect(removed.stderr).toBe("files is deleted.\nlatest is deleted.\n");
        expect(await service.solr.count({ filters: ["-user:*"] })).toBe(COUNT);
      } finally {
        await service.close();
      }
    },
    LIMIT,
  );

  it(
    "gets its collections from one command, with shards and replicas",
    async () => {
      await cloud.admin("admin/collections", { action: "DELETEALIAS", name: "files" });
      await cloud.admin("admin/collections", { action: "DELETE", name: "files_3" });
      const layout = ["--shards", "2", "--replicas", String(CLOUD.replicas)];
      const made = await run(["solr", "setup", ...layout], { settings });
      expect(made.stdout).toBe("files was made\nstate was made\n");
      expect(made.status, made.stderr).toBe(0);
      const { shards } = await inspectCollections(cloud.endpoint, ALL);
      expect(shards).toEqual({
        files: ["shard1", "shard2"],
        state: ["shard1"],
      });
      const { state } = await cloud.replicas();
      expect(state).toEqual({ shard1: CLOUD.replicas });
      const again = await run(["solr", "setup", "--shards", "2"], { settings });
      expect(again.stdout.split("is there already\n")).toHaveLength(3);
      expect(again.status).toBe(0);
    },
    LIMIT,
  );
});
