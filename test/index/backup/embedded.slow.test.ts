/** `backup` and `restore` of a data folder with its own Solr, as processes. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { cp, open, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SharedZarr } from "../../../generated/schemas.js";
import { type SolrEndpoint, solrEndpoint } from "../../../src/index/transport/endpoint.js";
import { packagePath } from "../../../src/platform/package-root.js";
import { build, type Ended, javaOf, MAIN, oneLine, run, Serving } from "../../cli/command.js";
import { freshFolder } from "../../support/run/folders.js";
import { addUser, bearer, post, signIn } from "../../support/service/sign-in.js";
import { type Contents, contentsOf } from "../../support/solr/backup-scene.js";

/** A start of Solr may take long on a busy machine, and there are several. */
const PATIENCE = { timeout: 300_000 };
const BASE_URL = "https://data.example.org";

const folder = freshFolder();
let dataDir: string;
let running: Serving | undefined;
const at = (name: string): string => join(folder, name);

const settings = (dir = dataDir) => ({ DATA_DIR: dir, SOLR_HEAP: "256m", BASE_URL });
const command = (args: readonly string[], dir = dataDir): Promise<Ended> =>
  run(args, { settings: settings(dir) });

async function start(dir = dataDir): Promise<void> {
  running = await Serving.start(settings(dir));
}

async function stop(): Promise<void> {
  await running?.end();
  running = undefined;
}

function service(): Serving {
  if (running === undefined) throw new Error("no service runs");
  return running;
}

/** The Solr of the data folder on which a service runs. */
function solrOf(dir: string): SolrEndpoint {
  const { url } = JSON.parse(readFileSync(join(dir, "solr", "endpoint.json"), "utf8"));
  const password = readFileSync(join(dir, "solr", "password"), "utf8").trim();
  return solrEndpoint(url, "climate-nextgen", password);
}

const send = (path: string, token: string, body: unknown): Promise<Response> =>
  service().get(path, {
    method: "POST",
    headers: { ...bearer(token).headers, "content-type": "application/json" },
    body: JSON.stringify(body),
  });

/** Registers a file. */
const register = (token: string, file: string): Promise<Response> =>
  send("/databrowser/userdata", token, {
    user_metadata: [{ file, variable: "tas", time: "fx", time_frequency: "fx" }],
    facets: { project: "p", model: "m", experiment: "e" },
  });

async function expectSoon(isTrue: () => boolean): Promise<void> {
  for (const end = Date.now() + 60_000; !isTrue(); ) {
    if (Date.now() > end) throw new Error("it never was");
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

/** What was there before the backup. */
let name: string;
let refreshToken: string;
let share: string;
let before: Contents;
/** Files that were registered while a backup was made: those that were there when it began, and all. */
let registered: { readonly first: readonly string[]; readonly all: readonly string[] };

const SAMPLE =
  "data/files/CMIP6/CMIP/MPI-M/MPI-ESM1-2-LR/historical/r1i1p1f1/Amon/tas/gn/v20190710";

beforeAll(async () => {
  build();
  dataDir = at("var");
  await start();
  ({ name } = await addUser(dataDir));
  const { access_token: token } = await signIn(service(), name);
  expect((await register(token, "/mine/1.nc")).status).toBe(202);
  const flavour = { flavour_name: "mine", mapping: { model: "gcm" } };
  const made = await send("/databrowser/flavours", token, flavour);
  expect(made.status, await made.text()).toBe(201);
  const tree = at("crawled/CMIP6/CMIP/MPI-M/MPI-ESM1-2-LR/historical/r1i1p1f1/Amon/tas/gn");
  await cp(packagePath(SAMPLE), join(tree, "v20100101"), {
    recursive: true,
    preserveTimestamps: true,
  });
  const crawled = await command(["crawl", "--drs", "cmip6", at("crawled/CMIP6")]);
  expect(crawled.status, crawled.stderr).toBe(0);
  const query = "variable_id=tas&dataset=sample&source_id=MPI-ESM1-2-LR&experiment_id=historical";
  const loaded = await service().get(`/databrowser/load/cmip6?${query}`, bearer(token));
  const [address = ""] = (await loaded.text()).split("\n");
  const url = new URL(new URL(address).pathname, BASE_URL).href;
  const shared = await send("/data-portal/share-zarr", token, { url, ttl_seconds: 3600 });
  share = new URL(((await shared.json()) as SharedZarr).url).pathname;
  expect((await fetch(`${service().address}${share}/.zmetadata`)).status).toBe(200);

  const all: string[] = [];
  let isOver = false;
  const write = async (): Promise<void> => {
    for (let count = 0; !isOver; count += 1) {
      const file = `/during/${count}.nc`;
      all.push(file);
      const { status } = await register(token, file);
      expect(status).toBe(202);
    }
  };
  const writing = write();
  await expectSoon(() => all.length > 3);
  const first = all.slice(0, -1);
  const during = await command(["backup", at("during")]);
  isOver = true;
  await writing;
  expect(during.status, during.stderr).toBe(0);
  registered = { first, all };

  refreshToken = (await signIn(service(), name)).refresh_token;
  const quiet = await command(["backup", at("quiet")]);
  expect(quiet.status, quiet.stderr).toBe(0);
  expect(quiet.stderr).toMatch(/files: \d+ documents/);
  expect(quiet.stderr).toMatch(/nobody else may read it/);
  before = await contentsOf(solrOf(dataDir));
}, PATIENCE.timeout);

afterAll(() => running?.end("SIGKILL"));

describe("a backup", () => {
  it("is readable by its owner alone, without Solr's password and its links", async () => {
    const secret = readFileSync(join(dataDir, "solr", "password"), "utf8").trim();
    const entries = await readdir(at("quiet"), { recursive: true, withFileTypes: true });
    for (const entry of entries) {
      const path = join(entry.parentPath, entry.name);
      const mode = (await stat(path)).mode & 0o777;
      expect(mode, path).toBe(entry.isDirectory() ? 0o700 : 0o600);
      if (entry.isFile()) expect((await readFile(path, "latin1")).includes(secret)).toBe(false);
    }
    expect((await stat(at("quiet"))).mode & 0o777).toBe(0o700);
    expect(existsSync(join(dataDir, "solr", "backups"))).toBe(false);
  });

  it("is refused for a folder that is not empty, and a restore beside a running service", async () => {
    const again = await command(["backup", at("quiet")]);
    expect(again.status).toBe(1);
    expect(oneLine(again.stderr)).toMatch(/quiet is not empty/);
    const beside = await command(["restore", at("quiet"), "--replace"]);
    expect(beside.status).toBe(1);
    expect(beside.stderr).toMatch(/^A service \(process \d+\) runs on .*; stop it first\.$/m);
    expect((await service().get("/ready")).status).toBe(200);
  });
});

describe("a restore into an empty data folder", () => {
  it("gives every document with every field, sign-ins, flavours and shares", PATIENCE, async () => {
    await stop();
    const other = at("other");
    const restored = await command(["restore", at("quiet")], other);
    expect(restored.status, restored.stderr).toBe(0);
    await start(other);
    expect(service().output).not.toMatch(/Loading|first user/);
    expect(await contentsOf(solrOf(other))).toEqual(before);
    const refreshed = await post(service(), { refresh_token: refreshToken });
    expect(refreshed.status, await refreshed.text()).toBe(200);
    const { access_token: token } = await signIn(service(), name);
    const flavours = await service().get("/databrowser/flavours", bearer(token));
    expect(await flavours.text()).toContain('"mine"');
    const mine = await service().get("/databrowser/data-search/user/file?file=/mine/*");
    expect(await mine.text()).toBe("/mine/1.nc\n");
    expect((await fetch(`${service().address}${share}/.zmetadata`)).status).toBe(200);
    expect((await register(token, "/mine/2.nc")).status).toBe(202);
    await stop();
  });

  it("is refused if an index exists, unless it is to be replaced", PATIENCE, async () => {
    const refused = await command(["restore", at("quiet")], at("other"));
    expect(refused.status).toBe(1);
    expect(refused.stderr).toMatch(/has an index already; .* add --replace\.$/m);
    const replaced = await command(["restore", at("during"), "--replace"], at("other"));
    expect(replaced.status, replaced.stderr).toBe(0);
  });
});

describe("a backup during writes", () => {
  it(
    "has everything from before its start; the same requests complete the rest",
    PATIENCE,
    async () => {
      await start(at("other"));
      const endpoint = solrOf(at("other"));
      const filesOf = (documents: readonly string[]) =>
        documents.map((one) => (JSON.parse(one) as { file: string }).file).sort();
      const { files } = await contentsOf(endpoint);
      expect(filesOf(files)).toEqual(expect.arrayContaining([...registered.first]));
      expect(filesOf(files)).not.toContain("/mine/2.nc");
      const { access_token: token } = await signIn(service(), name);
      for (const file of registered.all) expect((await register(token, file)).status).toBe(202);
      const after = await contentsOf(endpoint);
      const during = (documents: readonly string[]) =>
        filesOf(documents).filter((file) => file.startsWith("/during/"));
      expect(during(after.files)).toEqual([...registered.all].sort());
      await stop();
    },
  );
});

describe("an incomplete backup", () => {
  const copy = async (to: string): Promise<string> => {
    await cp(at("quiet"), at(to), { recursive: true });
    return at(to);
  };

  async function expectRefused(path: string, reason: RegExp): Promise<void> {
    const refused = await command(["restore", path], at("untouched"));
    expect(refused.status).toBe(1);
    expect(refused.stderr).toMatch(reason);
    expect(existsSync(at("untouched"))).toBe(false);
  }

  it(
    "is refused if it is broken off, damaged, cut, or of another generation",
    PATIENCE,
    async () => {
      const broken = await copy("broken");
      await rm(join(broken, "backup.json"));
      await expectRefused(
        broken,
        /holds no complete backup: backup\.json, which is written last, is missing/,
      );

      const damaged = await copy("damaged");
      const index = join(damaged, "solr", "snapshot.files");
      const [part = ""] = await readdir(index);
      const file = await open(join(index, part), "r+");
      const { size } = await file.stat();
      const byte = Buffer.alloc(1);
      await file.read(byte, 0, 1, size >> 1);
      await file.write(Buffer.from([(byte[0] ?? 0) ^ 1]), 0, 1, size >> 1);
      await file.close();
      await expectRefused(damaged, /is damaged: solr\/snapshot\.files\/\S+ has another checksum/);

      const cut = await copy("cut");
      await writeFile(join(cut, "accounts", "users.json"), "");
      await expectRefused(cut, /is damaged: accounts\/users\.json has 0 bytes instead of \d+/);

      const former = await copy("former");
      const manifest = JSON.parse(await readFile(join(former, "backup.json"), "utf8"));
      await writeFile(join(former, "backup.json"), JSON.stringify({ ...manifest, generation: 1 }));
      await expectRefused(former, /has index generation 1; .*To use it, restore .*solr upgrade/);
      const later = await copy("later");
      const future = { ...manifest, generation: 99, release: "9.8.7" };
      await writeFile(join(later, "backup.json"), JSON.stringify(future));
      await expectRefused(later, /has index generation 99; .*with release 9\.8\.7 or a later one/);
    },
  );
});

describe("a killed restore", () => {
  it("is recognised, and can be run again", PATIENCE, async () => {
    const dir = at("killed");
    const child = spawn(process.execPath, [MAIN, "restore", at("quiet")], {
      cwd: tmpdir(),
      env: { ...process.env, ...settings(dir) },
      stdio: "ignore",
    });
    await expectSoon(() => existsSync(join(dir, "restore-unfinished")));
    child.kill("SIGKILL");
    await once(child, "exit");
    const refused = await run(["serve"], { settings: settings(dir) });
    expect(refused.status).toBe(1);
    expect(oneLine(refused.stderr)).toMatch(/was interrupted: run `climate-nextgen restore` again/);
    const again = await command(["restore", at("quiet")], dir);
    expect(again.status, again.stderr).toBe(0);
    await expect.poll(() => javaOf(dir), { timeout: 30_000 }).toEqual([]);
    await start(dir);
    expect(await contentsOf(solrOf(dir))).toEqual(before);
    await stop();
  });
});
