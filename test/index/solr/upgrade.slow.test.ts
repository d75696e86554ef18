/** `climate-nextgen solr upgrade` on the embedded Solr. */

import { cp, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, describe, expect, it } from "vitest";
import { inspectCollections } from "../../../src/index/collections/collections.js";
import { SINGLE } from "../../../src/index/collections/shards.js";
import { archiveOptions } from "../../../src/index/embedded/class-archive.js";
import { prepareCores } from "../../../src/index/embedded/cores.js";
import { type EmbeddedSolr, startEmbeddedSolr } from "../../../src/index/embedded/embedded.js";
import { readRunning } from "../../../src/index/embedded/running.js";
import { Solr } from "../../../src/index/solr.js";
import { isRunning, signalProcess } from "../../../src/platform/processes/process-identity.js";
import { build, run, Serving } from "../../cli/command.js";
import { freshFolder } from "../../support/run/folders.js";
import { attempts, chance, patience, SEED } from "../../support/run/trials.js";
import { startService } from "../../support/service/service.js";
import {
  difference,
  FORMER,
  FORMER_COLLECTIONS,
  fillFormer,
  former,
  killUpgrade,
  USERS,
  upgraded,
} from "../../support/solr/former-index.js";

const COUNT = attempts(1500, 500_000);
const KILLS = attempts(3, 10);
const SOLR_KILLS = attempts(1, 10);
const LIMIT = patience(150_000, 3_600_000);

type Contents = Awaited<ReturnType<typeof former>>;

/** A data folder of the former release, which nothing has opened since. */
const untouched = freshFolder();
let before: Contents;
/** Milliseconds of an upgrade that nothing interrupts. */
let duration = 0;

const homeOf = (dataDir: string): string => join(dataDir, "solr", "home");
const httpOf = (solr: EmbeddedSolr) => new Solr(solr.endpoint, 120_000, SINGLE).http;

/** @param configsets those of this release where none are named */
async function withSolr<T>(
  dataDir: string,
  configsets: string | undefined,
  work: (solr: EmbeddedSolr) => Promise<T>,
): Promise<T> {
  const solr = await startEmbeddedSolr({
    dataDir,
    heap: "1g",
    report: () => {},
    javaOptions: await archiveOptions(),
    ...(configsets !== undefined && { configsets, cores: [...FORMER_COLLECTIONS, "state"] }),
  });
  try {
    return await work(solr);
  } finally {
    await solr.stop();
  }
}

async function copyOfFormer(): Promise<string> {
  const dataDir = freshFolder();
  await cp(untouched, dataDir, { recursive: true });
  return dataDir;
}

const upgradeOnce = (dataDir: string) =>
  run(["solr", "upgrade"], { settings: { DATA_DIR: dataDir } });

/** Every document of the former index, field by field, and the same answers to default searches. */
const expectUpgraded = (dataDir: string): Promise<void> =>
  withSolr(dataDir, undefined, async (solr) => {
    await inspectCollections(solr.endpoint, ["files"]);
    const after = await upgraded(httpOf(solr));
    for (const part of ["all", "newest"] as const) {
      const wrong = difference(before[part], after[part]).slice(0, 5);
      expect(wrong, `${part}, SEED=${SEED}`).toEqual([]);
    }
  });

beforeAll(async () => {
  build();
  await writeFile(join(untouched, "sample-loaded"), "");
  before = await withSolr(untouched, FORMER, async (solr) => {
    await fillFormer(httpOf(solr), COUNT);
    return former(httpOf(solr));
  });
  expect(before.all.size).toBe(COUNT + USERS);
}, LIMIT);

describe("an index of an earlier release", () => {
  it(
    "is refused by serve and index, with the command that upgrades it",
    async () => {
      const settings = { DATA_DIR: await copyOfFormer() };
      const { status, stderr } = await run(["index", "-"], { settings });
      expect(status).toBe(1);
      const sentence = /files .* is of an earlier release; .*`climate-nextgen solr upgrade`/;
      expect(stderr).toMatch(sentence);
      await expect(Serving.start(settings)).rejects.toThrow(sentence);
    },
    LIMIT,
  );
});

describe("solr upgrade", () => {
  let dataDir: string;

  it(
    "copies every document with all its fields, and keeps the former index",
    async () => {
      dataDir = await copyOfFormer();
      const begin = performance.now();
      const { status, stderr } = await upgradeOnce(dataDir);
      duration = performance.now() - begin;
      console.log(`${COUNT + USERS} documents: ${(duration / 1000).toFixed(1)} s`);
      expect(status, stderr).toBe(0);
      expect(stderr).toMatch(/\bkept: .*files and .*latest\./);
      await expectUpgraded(dataDir);
      for (const name of FORMER_COLLECTIONS) {
        const entries = await readdir(join(homeOf(dataDir), name));
        expect(entries).toEqual(expect.arrayContaining(["core.properties.former", "data"]));
        expect(entries).not.toContain("core.properties");
      }
    },
    LIMIT,
  );

  it(
    "adds the fields of this release, and leaves user data to their owner",
    () =>
      withSolr(dataDir, undefined, async (solr) => {
        const { text } = await httpOf(solr).send({
          path: `files/select?${new URLSearchParams({ q: "variable:tas -user:*", rows: "1" })}`,
        });
        const [document] = JSON.parse(text).response.docs;
        expect(document).toMatchObject({
          dataset_id: expect.stringContaining("CMIP6.CMIP.MPI-M."),
          time_start: expect.stringMatching(/^19\d\d-01-01T00:00:00Z$/),
          time_end: "2000-12-31T23:59:59Z",
          added: expect.stringMatching(/^20\d\d-/),
        });
        expect(document.updated).toBe(document.added);
        const service = await startService({ endpoint: solr.endpoint });
        try {
          const filters = ['owner:"ada-1"'];
          expect(await service.solr.userDocuments.remove(filters)).toBe(USERS);
          expect(await service.solr.count({ filters })).toBe(0);
        } finally {
          await service.close();
        }
      }),
    LIMIT,
  );

  it("has nothing to do the second time, and a service starts with the index", async () => {
    const { status, stderr } = await upgradeOnce(dataDir);
    expect(stderr).toMatch(/nothing to do/);
    expect(status).toBe(0);
    const serving = await Serving.start({ DATA_DIR: dataDir });
    try {
      const { status, stderr } = await upgradeOnce(dataDir);
      expect(stderr).toMatch(/already uses the data folder .*; stop it/);
      expect(status).toBe(1);
      const all = "/databrowser/metadata-search/native/file?multi-version=true";
      expect(await (await serving.get(all)).json()).toMatchObject({ total_count: COUNT });
    } finally {
      await serving.end();
    }
  });

  it(
    `loses nothing when it is killed at ${KILLS} moments from its start to its end`,
    async () => {
      const dataDir = await copyOfFormer();
      const random = chance(SEED);
      for (let kill = 0; kill < KILLS; kill++) {
        const moment = (duration * (kill + random())) / KILLS;
        await killUpgrade({ DATA_DIR: dataDir }, moment);
      }
      const { status, stderr } = await upgradeOnce(dataDir);
      expect(status, stderr).toBe(0);
      await expectUpgraded(dataDir);
      const folders = await readdir(homeOf(dataDir));
      expect(folders.filter((name) => name.startsWith("files_g"))).toHaveLength(1);
    },
    LIMIT,
  );

  it(
    `loses nothing when its Solr is killed ${SOLR_KILLS} times`,
    async () => {
      const dataDir = await copyOfFormer();
      const random = chance(SEED + 1);
      for (let kill = 0; kill < SOLR_KILLS; kill++) {
        const running = upgradeOnce(dataDir);
        const pid = await untilReady(dataDir, running);
        await sleep(random() * attempts(1000, duration));
        if (pid !== undefined) signalProcess(pid, "SIGKILL");
        const { status, stderr } = await running;
        if (status !== 0) expect(stderr).not.toMatch(/of this release now/);
      }
      const { status, stderr } = await upgradeOnce(dataDir);
      expect(status, `SEED=${SEED} ${stderr}`).toBe(0);
      await expectUpgraded(dataDir);
    },
    LIMIT,
  );
});

/** Java's process number, once Solr can be asked; undefined where the command ended before. */
async function untilReady(folder: string, command: Promise<unknown>): Promise<number | undefined> {
  let isEnded = false;
  void command.finally(() => {
    isEnded = true;
  });
  for (; !isEnded; await sleep(20)) {
    const running = await readRunning(join(folder, "solr"));
    if (running?.ready && (await isRunning(running))) return running.pid;
  }
  return undefined;
}

it("opens the new core alone when the upgrade was killed between two changes of core.properties", async () => {
  const home = freshFolder();
  const cores = {
    files: "name=files\nconfigSet=configset\n",
    latest: "name=latest\nconfigSet=configset\n",
    files_g3_0123abcd: "name=files\nconfigSet=configset\nreplaces=files,latest\n",
  };
  for (const [folder, properties] of Object.entries(cores)) {
    await mkdir(join(home, folder, "data", "index"), { recursive: true });
    await writeFile(join(home, folder, "core.properties"), properties);
  }
  await prepareCores(home, ["files"]);
  const read = (path: string) => readFile(join(home, path), "utf8");
  expect(await read("files_g3_0123abcd/core.properties")).toBe("name=files\nconfigSet=configset\n");
  for (const name of ["files", "latest"]) {
    expect(await readdir(join(home, name))).toEqual(["core.properties.former", "data"]);
    expect(await read(`${name}/core.properties.former`)).toBe(cores[name as "files" | "latest"]);
  }
});
