/** `climate-nextgen solr setup` and `solr upgrade` on a Solr of somebody else's: one with cores, and a SolrCloud. */
import { execFileSync } from "node:child_process";
import { cp, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { countDocuments, SolrAdmin } from "../../../src/index/collections/admin.js";
import { inspectCollections } from "../../../src/index/collections/collections.js";
import { SINGLE } from "../../../src/index/collections/shards.js";
import { archiveOptions } from "../../../src/index/embedded/class-archive.js";
import { type EmbeddedSolr, startEmbeddedSolr } from "../../../src/index/embedded/embedded.js";
import { Solr } from "../../../src/index/solr.js";
import { SolrCollection } from "../../../src/index/transport/client.js";
import { type SolrEndpoint, solrUrl } from "../../../src/index/transport/endpoint.js";
import { build, run, type Settings } from "../../cli/command.js";
import { freshFolder } from "../../support/run/folders.js";
import { isOnTheCloud } from "../../support/run/left-out.js";
import { attempts, chance, patience, SEED } from "../../support/run/trials.js";
import {
  difference,
  FORMER,
  FORMER_COLLECTIONS,
  fillFormer,
  former,
  killUpgrade,
  upgraded,
} from "../../support/solr/former-index.js";
import { type SolrCloud, startSolrCloud } from "../../support/solr/solr-cloud.js";

const COUNT = attempts(1000, 50_000);
const ALL = ["files", "state"];
const KILLS = attempts(1, 10);
const LIMIT = patience(180_000);

/** The Solr of these tests has several nodes if the tests run on a SolrCloud. */
const CLOUD = isOnTheCloud ? { nodes: 3, replicas: 2 } : { nodes: 1, replicas: 1 };

const settingsOf = async ({ urls, user, password }: SolrEndpoint): Promise<Settings> => ({
  SOLR_URL: urls.map(({ href }) => href).join(","),
  DATA_DIR: freshFolder(),
  ...(user !== undefined && { SOLR_USER: user, SOLR_PASSWORD: password ?? "" }),
});

beforeAll(() => build());

/** Upgrades the index with kills, and compares all documents. @returns the last output */
async function upgradeWithKills(endpoint: SolrEndpoint, settings: Settings): Promise<string> {
  const { http } = new Solr(endpoint, 120_000, SINGLE);
  const random = chance(SEED);
  const before = await former(http);
  for (let kill = 0; kill < KILLS; kill++) {
    await killUpgrade(settings, 300 + random() * attempts(4000, 20_000));
  }
  const { status, stderr } = await run(["solr", "upgrade"], { settings });
  expect(status, stderr).toBe(0);
  const after = await upgraded(http);
  for (const part of ["all", "newest"] as const) {
    const wrong = difference(before[part], after[part]).slice(0, 5);
    expect(wrong, `${part}, SEED=${SEED}`).toEqual([]);
  }
  await inspectCollections(endpoint, ["files"]);
  return stderr;
}

/** Registers entries until `isOver`. @returns their files */
async function writeUntil(endpoint: SolrEndpoint, isOver: () => boolean): Promise<string[]> {
  const { http } = new Solr(endpoint, 120_000, SINGLE);
  const written: string[] = [];
  for (; !isOver(); await sleep(20)) {
    const file = `/home/eve/${written.length}.nc`;
    for (const name of FORMER_COLLECTIONS) {
      const collection = new SolrCollection(http, name);
      await collection.update(JSON.stringify([{ file, user: "eve", owner: "eve-1" }]));
      await collection.commit(true);
    }
    written.push(file);
  }
  return written;
}

describe.skipIf(isOnTheCloud)("one Solr with cores", () => {
  const dataDir = freshFolder();
  let solr: EmbeddedSolr;
  let configsets: string;

  beforeAll(async () => {
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
    "is reported with the command that brings it the configset, and has its cores after that",
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
    "is not switched while something writes to it, and loses nothing",
    async () => {
      await cp(join(FORMER, "configset"), join(configsets, "former"), { recursive: true });
      await ask({ action: "UNLOAD", core: "files", deleteInstanceDir: "true" });
      for (const core of FORMER_COLLECTIONS) {
        await ask({ action: "CREATE", name: core, configSet: "former" });
      }
      const { http } = new Solr(solr.endpoint, 120_000, SINGLE);
      await fillFormer(http, COUNT);
      const settings = await settingsOf(solr.endpoint);
      let isOver = false;
      const writing = writeUntil(solr.endpoint, () => isOver);
      const { status, stderr } = await run(["solr", "upgrade"], { settings });
      isOver = true;
      const written = await writing;
      expect(stderr).toMatch(/the former one was written meanwhile\. Stop every service/);
      expect(status).toBe(1);
      const { all } = await former(http);
      expect(written.length).toBeGreaterThan(5);
      expect(written.filter((file) => !all.has(file))).toEqual([]);
    },
    LIMIT,
  );

  it(
    "is upgraded with all fields of all documents, after kills",
    async () => {
      const settings = await settingsOf(solr.endpoint);
      const stderr = await upgradeWithKills(solr.endpoint, settings);
      expect(stderr).toMatch(/\bkept: files_upgrade and latest\./);
      const again = await run(["solr", "upgrade"], { settings });
      expect(again.stderr).toMatch(/nothing to do/);
    },
    LIMIT,
  );

  it("is reported with the missing permission if it refuses its admin interface", async () => {
    const settings = { ...(await settingsOf(solr.endpoint)), SOLR_PASSWORD: "another" };
    for (const command of ["setup", "upgrade"]) {
      const { status, stderr } = await run(["solr", command], { settings });
      expect(stderr).toMatch(/refuses this user access to its admin API \(401\); set SOLR_USER/);
      expect(status).toBe(1);
    }
  });
});

const countIn = async (endpoint: SolrEndpoint, name: string): Promise<number> =>
  countDocuments(new SolrAdmin(endpoint), name);

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
  /** The new collection. */
  let target: string;

  beforeAll(async () => {
    cloud = await startSolrCloud({ nodes: CLOUD.nodes, configsets: FORMER });
    settings = await settingsOf(cloud.endpoint);
  }, LIMIT);
  afterAll(() => cloud.stop());

  it(
    "is upgraded behind an alias, with a route and the same shards and replicas, after kills",
    async () => {
      for (const name of FORMER_COLLECTIONS) await cloud.create(name, 2, CLOUD.replicas);
      await fillFormer(new Solr(cloud.endpoint, 120_000, SINGLE).http, COUNT);
      const stderr = await upgradeWithKills(cloud.endpoint, settings);
      expect(stderr).toMatch(/The former one is kept: files and latest\./);
      const { shards } = await inspectCollections(cloud.endpoint, ["files"]);
      expect(shards).toEqual({ files: ["shard1", "shard2"] });
      const replicas = await cloud.replicas();
      // Killed upgrades leave at most a collection that has nothing yet.
      const made = Object.keys(replicas).filter((name) => name.startsWith("files_"));
      const counts = await Promise.all(made.map((name) => countIn(cloud.endpoint, name)));
      const full = made.filter((_, at) => counts[at] !== 0);
      expect(full).toHaveLength(1);
      [target = ""] = full;
      expect(replicas[target]).toEqual({ shard1: CLOUD.replicas, shard2: CLOUD.replicas });
      // The new one has the files of a dataset in one shard, which the former one had not.
      expect(await routeOf(cloud, "files")).toBeUndefined();
      expect(await routeOf(cloud, target)).toBe("route");
    },
    LIMIT,
  );

  it(
    "gets its collections from one command, with shards and replicas",
    async () => {
      await cloud.admin("admin/collections", { action: "DELETEALIAS", name: "files" });
      for (const name of Object.keys(await cloud.replicas())) {
        if (/^(?:files|latest)/.test(name))
          await cloud.admin("admin/collections", { action: "DELETE", name });
      }
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
