/** `climate-nextgen solr upgrade` on the embedded Solr, beside a service of the former release and alone. */
import { existsSync } from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newest } from "../../../src/domain/search/lucene.js";
import {
  inspectCollections,
  OutdatedCollection,
} from "../../../src/index/collections/collections.js";
import { archiveOptions } from "../../../src/index/embedded/class-archive.js";
import { prepareCores } from "../../../src/index/embedded/cores.js";
import { type EmbeddedSolr, startEmbeddedSolr } from "../../../src/index/embedded/embedded.js";
import { readRunning } from "../../../src/index/embedded/running.js";
import { requireRoom } from "../../../src/index/migration/disk-space.js";
import { Solr } from "../../../src/index/solr.js";
import { isRunning, signalProcess } from "../../../src/platform/processes/process-identity.js";
import { build, freshFolder, removeFolders, run, Serving } from "../../cli/command.js";
import { attempts, patience } from "../../support/run/attempts.js";
import { chance, SEED } from "../../support/run/chance.js";
import { startService, type TestService } from "../../support/service/service.js";
import {
  contents,
  difference,
  FORMER,
  FORMER_COLLECTIONS,
  fillFormer,
} from "../../support/solr/former-index.js";
import { Searcher, upgradeWithKills, Writer } from "../../support/solr/upgrading.js";

const COUNT = attempts(1500, 500_000);
const KILLS = attempts(2, 12);
const SOLR_KILLS = attempts(1, 12);
const LIMIT = patience(150_000, 3_600_000);

let dataDir: string;
let solr: EmbeddedSolr;
let service: TestService;

const home = (): string => join(dataDir, "solr", "home");
const http = () => new Solr(solr.endpoint, 120_000, { cloud: false, shards: {} }).http;
/** The documents of the former release, and those that default searches find. */
const former = async () => ({
  all: await contents(http(), "files"),
  newest: await contents(http(), "latest", "-user:*"),
});
const upgraded = async () => ({
  all: await contents(http(), "files"),
  newest: await contents(http(), "files", newest("-user:*")),
});
/** @param configsets those of this release where none are named */
const startSolr = async (configsets?: string) =>
  startEmbeddedSolr({
    ...{ dataDir, heap: "1g", report: () => {}, javaOptions: await archiveOptions() },
    ...(configsets !== undefined && { configsets, cores: [...FORMER_COLLECTIONS, "state"] }),
  });

beforeAll(async () => {
  build();
  dataDir = await freshFolder();
  await writeFile(join(dataDir, "sample-loaded"), "");
  solr = await startSolr(FORMER);
  service = await startService({ endpoint: solr.endpoint });
  await fillFormer(http(), COUNT);
}, LIMIT);
afterAll(async () => {
  await service.close();
  await solr.stop();
  await removeFolders();
});

describe("an index of the former release", () => {
  it("is refused by what would write to it, with the one command that lifts it", async () => {
    await expect(inspectCollections(solr.endpoint, ["files"])).rejects.toThrow(OutdatedCollection);
    const { status, stderr } = await run(["index", "-"], { settings: { DATA_DIR: dataDir } });
    expect(status).toBe(1);
    expect(stderr).toMatch(
      /files .* of an earlier release; migrate .*`climate-nextgen solr upgrade`/,
    );
  });

  it("is not lifted where there is no room for a second one", async () => {
    await expect(requireRoom(home(), async () => 1e6)).rejects.toThrow(
      /needs about \d+\.\d GB .* and 0\.0 GB are free below /,
    );
    await requireRoom(home(), async () => 1e15);
  });
});

describe("solr upgrade beside a service that runs", () => {
  it(
    `lifts it while it is searched and written, killed ${KILLS} times: nothing is lost, and no answer is short`,
    async () => {
      const random = chance(SEED);
      const before = await former();
      const searcher = await Searcher.start(http());
      const writer = await Writer.start(http(), random, attempts(400, 1000));
      const longest = attempts(4000, 60_000);
      const moments = Array.from({ length: KILLS }, () => 300 + random() * longest);
      const ended = await upgradeWithKills({ DATA_DIR: dataDir }, moments);
      await writer.stop();
      await searcher.stop();
      expect(ended.stderr).toMatch(/The index is of this release now|nothing to do/);
      expect(ended.status, ended.stderr).toBe(0);
      expect(searcher.wrong.slice(0, 5), `SEED=${SEED}`).toEqual([]);
      expect(searcher.answers).toBeGreaterThan(50);
      expect(writer.writes).toBeGreaterThan(10);
      const after = await upgraded();
      const users = new Map([...after.all].filter(([file]) => file.startsWith("/home/ada/")));
      expect([...users.keys()].sort(), `SEED=${SEED}`).toEqual([...writer.files].sort());
      for (const [file, digest] of users) before.all.set(file, digest);
      for (const part of ["all", "newest"] as const) {
        const wrong = difference(before[part], after[part]).slice(0, 5);
        expect(wrong, `${part}, SEED=${SEED}`).toEqual([]);
      }
      await inspectCollections(solr.endpoint, ["files"]);
    },
    LIMIT,
  );

  it("gives documents what this release knows of them", async () => {
    const { text } = await http().send({
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
  });

  it("leaves user data to their owner", async () => {
    const mine = ['owner:"ada-1"'];
    const ada = { id: "ada-1", sub: "ada-1", user: "ada", isLocal: true };
    const file = "/home/ada/after.nc";
    const document = { file, project: ["mine"] };
    expect(await service.solr.userDocuments.add(ada, [document])).toMatchObject({ added: 1 });
    expect(await service.solr.userDocuments.remove(mine)).toBeGreaterThan(0);
    expect(await service.solr.count({ filters: mine })).toBe(0);
  });

  it("has nothing to do a second time", async () => {
    const { status, stderr } = await run(["solr", "upgrade"], { settings: { DATA_DIR: dataDir } });
    expect(stderr).toMatch(/nothing to do/);
    expect(status).toBe(0);
  });

  it("keeps the former index until --remove-old deletes it", async () => {
    const { status, stderr } = await run(["solr", "upgrade", "--remove-old"], {
      settings: { DATA_DIR: dataDir },
    });
    expect(stderr).toMatch(/home\/files is deleted\.\n.*home\/latest is deleted\./);
    expect(status).toBe(0);
    const folders = await readdir(home());
    expect(folders.filter((name) => /^(?:files|latest)$/.test(name))).toEqual([]);
  });

  it(
    "leaves an index that a service of this release starts with, by this release's configset",
    async () => {
      await service.close();
      await solr.stop();
      const serving = await Serving.start({ DATA_DIR: dataDir });
      for (const name of (await readdir(home())).filter((one) => /_g\d/.test(one))) {
        const properties = await readFile(join(home(), name, "core.properties"), "utf8");
        expect(properties).toMatch(/^configSet=configset$/m);
        expect(existsSync(join(home(), name, "conf"))).toBe(false);
      }
      const found = await serving.get(
        "/databrowser/metadata-search/native/file?multi-version=true",
      );
      expect(await found.json()).toMatchObject({ total_count: COUNT });
      await serving.end();
      solr = await startSolr();
      service = await startService({ endpoint: solr.endpoint });
    },
    LIMIT,
  );
});

describe("solr upgrade where no service runs", () => {
  it(
    `lifts what the package that is there now has started on, its Solr killed ${SOLR_KILLS} times`,
    async () => {
      await service.close();
      await solr.stop();
      dataDir = await freshFolder();
      await writeFile(join(dataDir, "sample-loaded"), "");
      solr = await startSolr(FORMER);
      service = await startService({ endpoint: solr.endpoint });
      await fillFormer(http(), attempts(1500, 50_000));
      const before = await former();
      await service.close();
      await solr.stop();
      const settings = { DATA_DIR: dataDir };
      // Its configset has the new fields now, but its documents have not.
      await expect(Serving.start(settings)).rejects.toThrow(/`climate-nextgen solr upgrade`/);
      const random = chance(SEED);
      for (let kill = 0; kill < SOLR_KILLS; kill++) {
        const running = run(["solr", "upgrade"], { settings });
        const pid = await untilReady(dataDir, running);
        await sleep(random() * attempts(1500, 20_000));
        if (pid !== undefined) signalProcess(pid, "SIGKILL");
        const { status, stderr } = await running;
        // It may outlive that, as its Solr is started again, but never says that all is well when it is not.
        if (status !== 0) expect(stderr).not.toMatch(/of this release now/);
      }
      const { status, stderr } = await run(["solr", "upgrade"], { settings });
      expect(status, `SEED=${SEED} ${stderr}`).toBe(0);
      solr = await startSolr();
      service = await startService({ endpoint: solr.endpoint });
      const after = await upgraded();
      for (const part of ["all", "newest"] as const) {
        expect(difference(before[part], after[part]), `${part}, SEED=${SEED}`).toEqual([]);
      }
      await inspectCollections(solr.endpoint, ["files"]);
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

describe("a Solr that was killed while it swapped two cores", () => {
  const NEW = "files_g3_0123abcd";
  const torn: [string, Record<string, string>][] = [
    [
      "both are called files",
      { files: "name=files\nconfigSet=configset\n", [NEW]: "name=files\n" },
    ],
    [
      "both are called files_upgrade",
      { files: "name=files_upgrade\nconfigSet=configset\n", [NEW]: "name=files_upgrade\n" },
    ],
    [
      "the new one has lost its name",
      { files: "name=files_upgrade\nconfigSet=configset\n", [NEW]: "" },
    ],
    ["the former one has lost its name", { files: "", [NEW]: "name=files\n" }],
  ];
  it.each(torn)("has the new one as files where %s", async (_, folders) => {
    const { mkdir } = await import("node:fs/promises");
    const folder = await freshFolder();
    for (const [name, properties] of Object.entries(folders)) {
      await mkdir(join(folder, name, "data", "index"), { recursive: true });
      await writeFile(join(folder, name, "core.properties"), properties);
    }
    await prepareCores(folder, ["files"]);
    const names = await readdir(folder);
    expect(names.sort()).toEqual(["files", NEW]);
    const read = (name: string) => readFile(join(folder, name, "core.properties"), "utf8");
    expect(await read(NEW)).toMatch(/^name=files$/m);
    expect(await read("files")).toMatch(/^name=files_upgrade$/m);
    for (const name of names) expect(await read(name)).toMatch(/^configSet=configset$/m);
  });
});
