/** `crawl`, on the test run's Solr. */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import {
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { claimsSearch } from "../../../src/domain/search/user-data-clause.js";
import { makeVisible } from "../../../src/index/loading/lookups.js";
import { type Mark, writeMarks } from "../../../src/index/loading/marks/write-marks.js";
import { build, MAIN, runHere, testSolrSettings } from "../../cli/command.js";
import { freshFolder } from "../../support/run/folders.js";
import { emptyIndex, load, testClient } from "../../support/service/service.js";
import {
  cmip6Bytes,
  cmip6Path,
  contents,
  counted,
  crawl,
  crawlProcess,
  filesIn,
  LONG_AGO,
  put,
  putCmip6,
  putMany,
  told,
} from "./tree.js";

const solr = testClient();
let root: string;

beforeAll(build);
beforeEach(async () => {
  root = freshFolder();
  await emptyIndex(solr);
});

const both = async () => ({
  files: await filesIn(solr, "files"),
  latest: await filesIn(solr, "latest"),
});

describe("a crawl", () => {
  it("loads the facets of path, header and file system for each file", async () => {
    const path = await putCmip6(root);
    const args = [root, "--dataset", "mine", "--checksum"];
    const { status, stderr, stdout } = await crawlProcess(args);
    expect({ status, told: told(stderr), stdout }).toEqual({ status: 0, told: [], stdout: "" });
    const { size, ino } = await stat(path);
    const [document] = await contents(solr, "latest");
    expect(document).toMatchObject({
      file: path,
      uri: pathToFileURL(path).href,
      project: ["CMIP6"],
      model: ["MPI-ESM1-2-LR"],
      variable: ["tas"],
      version: "v20190710",
      time: "[1850-01-15T00:00:00Z TO 1859-12-15T00:00:00Z]",
      dataset: "mine",
      size,
      modified: LONG_AGO.toISOString(),
      inode: String(ino),
      checksum: `sha256:${createHash("sha256").update(cmip6Bytes({})).digest("hex")}`,
    });
    expect(await contents(solr, "files")).toEqual([document]);
  });

  it("describes GRIB by path and file system, and opens none", async () => {
    const path = join(root, cmip6Path({})).replace(/\.nc$/, ".grb");
    await put(path, Buffer.from("GRIB and no header that anybody reads"));
    const { status, stderr } = await crawl([root]);
    expect({ status, told: told(stderr) }).toEqual({ status: 0, told: [] });
    expect(await contents(solr, "latest")).toMatchObject([
      {
        file: path,
        format: "grb",
        variable: ["tas"],
        time: "[1850-01-01T00:00:00Z TO 1859-12-31T23:59:59Z]",
      },
    ]);
  });

  it("opens only files that changed in path, size, time or inode", async () => {
    const paths = await putMany(root, 30);
    expect(counted((await crawl([root])).stderr, "opened")).toBe(30);
    const before = await contents(solr, "files");
    // Whoever opened it would find it damaged.
    for (const path of paths) {
      const { size, mtime } = await stat(path);
      await writeFile(path, Buffer.alloc(size));
      await utimes(path, mtime, mtime);
    }
    const again = await crawl([root]);
    expect(again.status, again.stderr).toBe(0);
    expect(counted(again.stderr, "opened")).toBe(0);
    expect(counted(again.stderr, "unchanged")).toBe(30);
    expect(await contents(solr, "files")).toEqual(before);
    const [byTime, bySize, byInode] = paths as [string, string, string];
    await utimes(byTime, LONG_AGO, new Date(LONG_AGO.getTime() + 1000));
    await put(bySize, "short");
    const { size } = await stat(byInode);
    await put(`${byInode}.new`, Buffer.alloc(size));
    await rename(`${byInode}.new`, byInode);
    const { status, stderr } = await crawl([root]);
    expect(status).toBe(1);
    expect(counted(stderr, "opened")).toBe(3);
    expect(told(stderr).map((line) => line.split(": ")[0])).toEqual(
      expect.arrayContaining([byTime, bySize, byInode]),
    );
    expect(await contents(solr, "files")).toEqual(before);
  });

  it("reports a damaged file in one line, and loads the others", async () => {
    const good = await putCmip6(root);
    const bad = await put(join(root, cmip6Path({ variable: "pr" })), "no NetCDF at all");
    const other = await put(join(root, dirname(cmip6Path({})), "notes.nc"), cmip6Bytes({}));
    const { status, stderr } = await crawl([root]);
    expect(status).toBe(1);
    const lines = told(stderr);
    expect(lines).toHaveLength(2);
    expect(lines.filter((line) => line.startsWith(`${bad}: refused: `))).toHaveLength(1);
    expect(lines.filter((line) => line.startsWith(`${other}: refused: `))).toHaveLength(1);
    expect(await both()).toEqual({ files: [good], latest: [good] });
  });

  it("writes refused files into the file of the report", async () => {
    const bad = await put(join(root, cmip6Path({ variable: "pr" })), "no NetCDF at all");
    const file = join(root, "report.txt");
    const { status, stderr } = await crawl([root, "--report", file]);
    expect(status).toBe(1);
    expect(told(stderr)).toEqual([]);
    expect(await readFile(file, "utf8")).toMatch(new RegExp(`^${bad}: refused: [^\n]+\n$`));
    const folder = await crawl([root, "--report", root]);
    expect(folder.stderr).toBe(`${root} cannot be written (is a folder).\n`);
  });

  it("leaves a file that is younger than --min-age for the next time", async () => {
    const path = await putCmip6(root);
    await utimes(path, new Date(), new Date());
    const { status, stderr } = await crawl([root, "--min-age", "60"]);
    expect(status).toBe(1);
    expect(told(stderr)).toEqual([
      expect.stringMatching(/: refused: waits, as it was written \d s ago$/),
    ]);
    expect(counted(stderr, "opened")).toBe(0);
    // Unless it is asked for, a file that somebody has just copied is taken at once.
    expect((await crawl([root])).status).toBe(0);
    expect((await both()).files).toEqual([path]);
  });

  it("prints documents with --dry-run without a request to Solr, and index loads them to the same", async () => {
    await putMany(root, 20);
    const settings = { SOLR_URL: "http://127.0.0.1:9/solr" };
    const printed = await crawlProcess([root, "--dry-run"], { settings });
    expect(printed.status, printed.stderr).toBe(0);
    expect(printed.stdout.trimEnd().split("\n")).toHaveLength(20);
    const file = await put(join(root, "catalogue.jsonl"), printed.stdout);
    expect((await runHere(["index", file], { settings: testSolrSettings() })).status).toBe(0);
    const indexed = await contents(solr, "latest");
    await emptyIndex(solr);
    expect((await crawl([root])).status).toBe(0);
    expect(await contents(solr, "latest")).toEqual(indexed);
  });

  it("opens no file of an archive, which its path alone describes", async () => {
    const path = await put(join(root, "arch", cmip6Path({})), "on tape");
    const rule = `${root}/arch/*=hsm`;
    const { status, stderr } = await crawl([root, "--archive", rule, "--checksum"]);
    expect({ status, told: told(stderr) }).toEqual({ status: 0, told: [] });
    expect(counted(stderr, "opened")).toBe(0);
    const [document] = await contents(solr, "files");
    expect(document).toMatchObject({ file: path, fs_type: "hsm", variable: ["tas"], size: 7 });
    expect(document).not.toHaveProperty("checksum");
  });

  it("indexes a zarr store as one file", async () => {
    const store = join(root, cmip6Path({}).replace(/\.nc$/, ".zarr"));
    await put(join(store, ".zgroup"), '{"zarr_format":2}');
    const array = {
      zarr_format: 2,
      shape: [2],
      chunks: [2],
      dtype: "<f8",
      compressor: null,
      fill_value: null,
      order: "C",
      filters: null,
    };
    await put(join(store, "tas/.zarray"), JSON.stringify(array));
    await put(join(store, "tas/.zattrs"), '{"_ARRAY_DIMENSIONS":["x"]}');
    await put(join(store, "tas/0"), Buffer.alloc(16));
    const { stderr } = await crawl([root]);
    const [document] = await contents(solr, "files");
    expect(document, stderr).toMatchObject({ file: store, format: "zarr" });
    expect(document?.size).toBe(
      17 + JSON.stringify(array).length + '{"_ARRAY_DIMENSIONS":["x"]}'.length + 16,
    );
    expect(counted((await crawl([root])).stderr, "opened")).toBe(0);
    await put(join(store, "tas/1"), Buffer.alloc(16));
    expect(counted((await crawl([root])).stderr, "changed")).toBe(1);
  });

  it("indexes a file once that has a link to the latest version", async () => {
    const old = await putCmip6(root);
    const now = await putCmip6(root, { version: "v20200101" });
    await symlink("v20200101", join(dirname(dirname(now)), "latest"));
    const { status, stderr } = await crawl([root]);
    expect({ status, told: told(stderr) }).toEqual({ status: 0, told: [] });
    expect(await both()).toEqual({ files: [old, now], latest: [now] });
  });

  it("finds the newest version alone by default if versions and the link to the latest lead out of the tree", async () => {
    const store = freshFolder();
    const grid = dirname(dirname(join(root, cmip6Path({}))));
    await mkdir(grid, { recursive: true });
    const latest: string[] = [];
    for (const version of ["v20190710", "v20200101"]) {
      const path = cmip6Path({ version });
      await put(join(store, version, basename(path)), cmip6Bytes({}));
      await symlink(join(store, version), join(grid, version));
      await rm(join(grid, "latest"), { force: true });
      await symlink(version, join(grid, "latest"));
      const { status, stderr } = await crawl([root]);
      expect({ status, told: told(stderr) }).toEqual({ status: 0, told: [] });
      latest.push(join(root, path));
    }
    expect(await both()).toEqual({ files: latest, latest: latest.slice(1) });
  });

  it("leaves data of a user unchanged", async () => {
    const path = await putCmip6(root);
    const private_ = { file: path, variable: "tas", user: "ada", owner: "local:1" };
    await load(solr, [private_]);
    const before = await contents(solr, "files");
    const { status, stderr } = await crawl([root]);
    expect(status).toBe(0);
    expect(told(stderr)).toEqual([`${path}: note: is data of a user, and stays so`]);
    expect(await contents(solr, "files")).toEqual(before);
    await rm(path);
    await put(join(dirname(path), "readme"), "");
    expect((await crawl([root])).status).toBe(0);
    expect(await contents(solr, "files")).toEqual(before);
  });

  it("claims no file by its inode for nobody", async () => {
    const path = await putCmip6(root);
    await crawl([root]);
    const { ino } = await stat(path);
    const place = { real: "/elsewhere/the-same.nc", inode: String(ino), isFolder: false };
    expect((await solr.claims(claimsSearch(place), 10)).count).toBe(0);
    await load(solr, [
      { file: "/home/ada/x.nc", user: "ada", owner: "local:1", inode: String(ino) },
    ]);
    expect((await solr.claims(claimsSearch(place), 10)).documents).toMatchObject([{ user: "ada" }]);
  });

  it("completes the marks of a load that was ended before they were right", async () => {
    const old = await putCmip6(root);
    const now = await putCmip6(root, { version: "v20200101" });
    await crawl([root]);
    const wanted = { files: await contents(solr, "files"), latest: await contents(solr, "latest") };
    /** Marks documents in another way, as a killed load has left them. */
    const damage = async (marks: Readonly<Record<string, Mark>>): Promise<void> => {
      await writeMarks(solr.http, "files", Object.keys(marks), ({ file }) => marks[file]);
      await makeVisible(solr.http);
    };
    const state = async () => ({
      files: await contents(solr, "files"),
      latest: await contents(solr, "latest"),
    });
    const held = { latest: true, replaces: [now] };
    for (const marks of [
      { [old]: held },
      { [old]: held, [now]: { latest: false, replaces: [] } },
      { [old]: { latest: false, replaces: [now] }, [now]: { latest: false, replaces: [] } },
    ]) {
      await damage(marks);
      expect(await state()).not.toEqual(wanted);
      const { status, stderr } = await crawl([root]);
      expect(status).toBe(0);
      expect(counted(stderr, "opened")).toBe(0);
      expect(await state()).toEqual(wanted);
    }
  });

  it("reports in one sentence what it cannot do", async () => {
    const missing = join(root, "missing");
    await putCmip6(root);
    await crawl([root]);
    const before = await both();
    for (const [args, sentence] of [
      [[missing], `${missing} cannot be read (does not exist).`],
      [[root, missing], `${missing} cannot be read (does not exist).`],
      [[], "Name folders or files to crawl, or - for a list on standard input."],
      [[root, "--shard", "3/2"], "--shard 3/2: write i/n, such as 1/4 to 4/4."],
      [[root, "--min-age", "soon"], "--min-age soon: write seconds, such as 60."],
      [[root, "--archive", "x"], "--archive x: write PATTERN=fs_type, such as '/arch/*=hsm'."],
    ] as const) {
      const { status, stderr } = await crawl(args);
      expect({ status, stderr }).toEqual({ status: 1, stderr: `${sentence}\n` });
    }
    const user = await crawl([root, "--facet", "user=ada"]);
    expect(user.stderr).toMatch(/^--facet user: not a native facet; [^\n]+\n$/);
    expect(await both()).toEqual(before);
  });

  it("ends in order at SIGTERM: files that were read stay, none is removed", async () => {
    const paths = await putMany(root, 250);
    const gone = join(root, cmip6Path({ member: "r99i1p1f1" }));
    await load(solr, [{ file: gone }]);
    const child = spawn(process.execPath, [MAIN, "crawl", "--drs", "cmip6", root], {
      env: { PATH: process.env.PATH, ...testSolrSettings() },
      stdio: ["ignore", "ignore", "pipe"],
    });
    let stderr = "";
    child.stderr.on("data", (text) => {
      stderr += text;
      if (/Using the Solr/.test(text)) setTimeout(() => child.kill("SIGTERM"), 250);
    });
    const [status] = await once(child, "close");
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringMatching(/Stopping;/) });
    const files = await filesIn(solr, "files");
    expect(files).toContain(gone);
    expect(files.length - 1, stderr).toBe(counted(stderr, "stored"));
    expect((await crawl([root])).status).toBe(0);
    expect(await filesIn(solr, "files")).toEqual(paths);
  });
});

describe("a missing file", () => {
  it("is removed, and the version before it becomes the latest", async () => {
    const other = await putCmip6(root, { variable: "pr" });
    const old = await putCmip6(root);
    const now = await putCmip6(root, { version: "v20200101" });
    await crawl([root]);
    const whole = (await contents(solr, "files")).find(({ file }) => file === old);
    await rm(dirname(now), { recursive: true });
    const { status, stderr } = await crawl([root]);
    expect(status, stderr).toBe(0);
    expect(counted(stderr, "taken out")).toBe(1);
    expect(await both()).toEqual({ files: [other, old], latest: [other, old] });
    expect((await contents(solr, "latest"))[1]).toEqual(whole);
    await rm(dirname(dirname(dirname(old))), { recursive: true });
    await crawl([root]);
    expect(await both()).toEqual({ files: [other], latest: [other] });
  });

  it("stays if its folder is empty, as while a mount is away, which is reported", async () => {
    await putMany(root, 20);
    const mount = join(root, "CMIP6/CMIP/MPI-M");
    await crawl([root]);
    const before = await both();
    await rename(mount, `${root}-away`);
    await mkdir(mount);
    const { status, stderr } = await crawl([root]);
    expect(status).toBe(1);
    expect(told(stderr)).toEqual([
      `${mount}: refused: is empty, as it would be while a file system is not mounted; 20 entries below it stay in the index until the folder is deleted`,
    ]);
    await rm(root, { recursive: true });
    await mkdir(root);
    expect((await crawl([root])).status).toBe(1);
    expect((await crawl([join(root, "CMIP6")])).status).toBe(1);
    expect(await both()).toEqual(before);
    await rm(`${root}-away`, { recursive: true });
  });

  it("is looked for below the named folders alone, and stays with --keep-gone", async () => {
    const one = await putCmip6(root);
    const two = await putCmip6(root, { variable: "pr" });
    await crawl([root]);
    await load(solr, [{ file: `${root}-beside/x.nc` }, { file: "/elsewhere/y.nc" }]);
    await rm(one);
    await rm(two);
    await put(join(dirname(one), "readme"), "");
    await put(join(dirname(two), "readme"), "");
    const count = async () => (await both()).files.length;
    await crawl([root, "--keep-gone"]);
    expect(await count()).toBe(4);
    await crawl([dirname(one)]);
    expect(await count()).toBe(3);
    await crawl([root]);
    expect((await both()).files).toEqual(["/elsewhere/y.nc", `${root}-beside/x.nc`].sort());
  });
});

describe("a list of paths", () => {
  const listed = async (list: string | Buffer, option = "--from") =>
    crawl([option, await put(join(root, "list"), list)]);

  it("is read in the forms that file systems give, and takes no other file", async () => {
    const paths = await putMany(root, 30);
    const [a = "", b = "", c = "", d = ""] = paths;
    await crawlProcess(["-"], { input: `${a}\n` });
    expect((await both()).files).toEqual([a]);
    await listed(`${b}\0${a}`);
    expect((await both()).files).toEqual([a, b]);
    // As a policy of GPFS lists files.
    await listed(`4711 65537 0   -- ${c}\n+${d}\n${dirname(d)}\n`);
    expect((await both()).files).toEqual([a, b, c, d]);
    await listed(`${root}/\n`);
    expect((await both()).files).toEqual(paths);
  });

  it("removes missing files, folders and stores that do not exist, however often they are listed", async () => {
    const paths = await putMany(root, 30);
    await crawl([root]);
    const [a = "", b = "", c = ""] = paths;
    await rm(a);
    const folder = dirname(paths.at(-1) ?? "");
    await rm(folder, { recursive: true });
    const input = `-${a}\n-${b}\n-${folder}\n+${c}\n-/nowhere/at/all.nc\n`;
    for (let again = 0; again < 2; again += 1) {
      const { status, stderr } = await listed(input);
      expect(status, stderr).toBe(0);
      expect(counted(stderr, "opened")).toBe(0);
      expect((await both()).files).toEqual(paths.slice(1, 20));
    }
    await rm(b);
    await listed(`${b}\0`, "--removed-from");
    expect((await both()).latest).toEqual(paths.slice(2, 20));
  });

  it("reports lines that are not paths", async () => {
    const path = await putCmip6(root);
    const input = Buffer.concat([
      Buffer.from(`relative/x.nc\n${path}\n/a/`),
      Buffer.from([0xff]),
      Buffer.from(".nc\n/not/there.nc\n"),
    ]);
    const { status, stderr } = await listed(input);
    expect(status).toBe(1);
    expect(told(stderr)).toEqual([
      "relative/x.nc: refused: is no absolute path",
      expect.stringMatching(/^\/a\/\?\.nc: refused: .*UTF-8/),
      "/not/there.nc: note: is listed, and is not there",
    ]);
    expect((await both()).files).toEqual([path]);
  });

  it("finds a store by a file in it", async () => {
    const store = join(root, cmip6Path({}).replace(/\.nc$/, ".zarr"));
    await put(join(store, "zarr.json"), '{"zarr_format":3,"node_type":"group","attributes":{}}');
    await put(join(store, "tas/c/0/0"), "1");
    const { stderr } = await listed(`${store}/tas/c/0/0\n${store}/zarr.json\n`);
    expect(counted(stderr, "opened"), stderr).toBe(1);
    expect(stderr).toContain(store);
  });
});

describe("several crawls of one tree", () => {
  it("load, with a share each, what one crawl loads, and remove their own missing files", async () => {
    const paths = await putMany(root, 60);
    paths.push(
      await putCmip6(root, { member: "r1i1p1f1", years: [1850, 1850], version: "v20200101" }),
    );
    await crawl([root]);
    const whole = { files: await contents(solr, "files"), latest: await contents(solr, "latest") };
    await emptyIndex(solr);
    const shares = await Promise.all(
      [1, 2, 3].map((index) => crawl([root, "--shard", `${index}/3`])),
    );
    expect(shares.map(({ status }) => status)).toEqual([0, 0, 0]);
    const stored = shares.map(({ stderr }) => counted(stderr, "stored"));
    expect(stored.reduce((sum, one) => sum + one)).toBe(61);
    expect(Math.max(...stored)).toBeLessThan(61);
    expect(await contents(solr, "files")).toEqual(whole.files);
    expect(await contents(solr, "latest")).toEqual(whole.latest);
    const gone = paths.filter((path, index) => index % 4 === 0 && path.includes("v20190710"));
    await Promise.all(gone.map((path) => rm(path)));
    const kept = paths.filter((path) => !gone.includes(path)).sort();
    for (const index of [1, 2, 3]) await crawl([root, "--shard", `${index}/3`]);
    expect((await both()).files).toEqual(kept);
  });

  it("load, at the same time, what one crawl loads", async () => {
    for (const version of ["v20190710", "v20200101", "v20210303"]) {
      for (let member = 1; member <= 15; member += 1) {
        await putCmip6(root, { version, member: `r${member}i1p1f1` });
      }
    }
    const folders = await readdir(join(root, "CMIP6/CMIP/MPI-M/MPI-ESM1-2-LR/historical"));
    expect(folders).toHaveLength(15);
    await crawl([root]);
    const whole = { files: await contents(solr, "files"), latest: await contents(solr, "latest") };
    expect(whole.latest).toHaveLength(15);
    await emptyIndex(solr);
    const ended = await Promise.all([1, 2, 3].map(() => crawlProcess([root])));
    expect(ended.map(({ status }) => status)).toEqual([0, 0, 0]);
    expect(await contents(solr, "files")).toEqual(whole.files);
    expect(await contents(solr, "latest")).toEqual(whole.latest);
  });
});
